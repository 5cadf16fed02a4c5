// Whether the log has the allow that a resident process answers with, for the very call that the
// hook was asked about: read here, from the rows of the file, since any process of the user may
// hold the socket. It folds nothing and derives nothing: docs/decisions/resident.md says what that
// holds.
import type { HookEvent } from '#shell/hooks/hook-event'
import type { Host } from '#shell/hooks/hosts/host'
import { givenText } from '#shell/hooks/given-text'
import { callToken, sessionOfCall } from '#shell/hooks/call-token'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from '#record/digest'
import { parseJson } from '#record/json'
import { nameOf, partsInRealm, sessionToken, token } from '#record/names'
import { Connection } from '#log/sqlite/connection'
import { FactTable } from '#log/sqlite/facts'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { memberAt, textAt } from './exchange.ts'

/** What the hook itself knows of the call. */
export interface CallKnown {
  readonly host: Host
  readonly event: Extract<HookEvent, { is: 'call' }>
  /** The folder of the project. */
  readonly root: string
  /** Whose call it is, where the hook got it. */
  readonly as: string | null
  readonly realm: string
  readonly nonce: string
}

/** The log as it was before anyone was asked about the call. */
export class LogEvidence {
  readonly #connection: Connection
  readonly #facts: FactTable
  readonly #since: number

  constructor(file: string) {
    this.#connection = new Connection(file, 'read')
    this.#facts = new FactTable(this.#connection)
    this.#since = this.#facts.head().position
  }

  close(): void {
    this.#connection.abandon()
  }

  /** Whether that is an allow of this call, redeemed since, that is still good. */
  allows(verdict: string, call: CallKnown): boolean {
    const parts = partsInRealm(verdict, call.realm)
    if (parts?.kind !== 'verdict' || parts.address === null) return false
    const { address, place } = parts
    const [asked, said, started] = [
      nameOf(place, 'vlp', address),
      verdict,
      nameOf(place, 'ownstart', address),
    ].map((name) => this.#fresh(name))
    return (
      isOfCall(address, call) &&
      token(textAt(asked, 'sender') ?? '') === address.split('.')[0] &&
      isInput(memberAt(asked, 'payload', 'intent', 'args'), { ...call, free: freeHere() }) &&
      textAt(said, 'data', 'intent', 'address') === address &&
      textAt(said, 'data', 'outcome') === 'allow' &&
      memberAt(said, 'data', 'observed') !== true &&
      Date.parse(textAt(said, 'data', 'terms', 'useBy') ?? '') >= Date.now() &&
      textAt(started, 'data', 'verdict') === verdict &&
      textAt(started, 'via') === 'hook'
    )
  }

  /** What was bound under that name since the hook began; undefined where nothing was. */
  #fresh(name: string): unknown {
    const fact = this.#facts.named(name)
    if (fact === undefined || fact.position <= this.#since) return undefined
    return parseJson(Buffer.from(fact.bytes).toString('utf8'))
  }
}

/** Its address has the session, and the tool with the host's own name for the call. */
function isOfCall(address: string, { host, event, as, nonce }: CallKnown): boolean {
  const [agent, session, id] = address.split('.')
  return (
    (as === null || agent === token(as)) &&
    session === sessionToken(sessionOfCall(host, event)) &&
    id === token(callToken(host, event, event.callId ?? nonce))
  )
}

interface Given extends Pick<CallKnown, 'event' | 'root'> {
  /** The names that are free in the table of tools. */
  readonly free: string
}

/** Whether the arguments that were judged are all that the tool was given, in its places. */
export function isInput(args: unknown, { event, root, free }: Given): boolean {
  const cwd = memberAt(args, 'cwd')
  return (
    textAt(args, 'input', 'digest') === digestOf(givenText(event.args, { free })) &&
    textAt(args, 'root') === root &&
    (cwd === undefined || cwd === event.cwd)
  )
}

/** By the table of tools that is shipped: no other changes them. */
function freeHere(): string {
  const tools = parseJson(readFileSync(join(packageRoot(), 'seeds/hooks/tools.json'), 'utf8'))
  return textAt(tools, 'free') ?? ''
}
