// What a gateway publishes of a result, in its own name: the frame that the agent got, and a digest
// of each value in it, so that later calls of the session may rest on it. Never the result itself.
import { randomBytes } from 'node:crypto'
import type { Frame } from '#core/firewall/frame'
import { resultEvidence } from '#core/firewall/result-evidence'
import type { Json } from '#core/kernel/canonical'
import { addressOf } from '#core/kernel/names'
import { writeLine } from '#core/kernel/ndjson'
import { buildMessage } from '#core/messages/build'
import { signMessage } from '#core/messages/signed'
import { bindInEra } from '../engine/binding.ts'
import type { Runtime } from '../engine/runtime.ts'
import { attributesOf } from '#core/known/find'
import { withOwners } from '#core/stages/values/known-values'
import type { CallResult } from './gateway.ts'

/** Under which name a gateway says what tools answered; the catalog trusts it for that, or not. */
export interface GatewaySpeaker {
  readonly principal: string
  /** PEM of its Ed25519 private key, where the catalog has keys of it. */
  readonly privateKey?: string
}

/** As sure as a message may be without a proof. */
const confidence = 0.8
const saltBytes = 16

/** Publishes it into the session of the intent; outside of a session no one would look for it. */
export async function publishEvidence(
  runtime: Runtime,
  { principal, privateKey }: GatewaySpeaker,
  result: CallResult,
  frame: Frame,
): Promise<void> {
  const { intent, verdict } = result
  if (intent.session === null) return
  const now = runtime.logClock.now()
  const ulid = runtime.ids.next(now)
  const message = buildMessage(
    {
      type: 'evidence',
      sender: principal,
      receiver: intent.agent,
      content: `${result.capability.id} answered`,
      confidence,
      session_id: intent.session,
      provenance: [{ ref: verdict.name, kind: 'log' }],
      refers_to: verdict.name,
      payload: payloadOf(runtime, result, frame),
    },
    { now, id: `MSG-${ulid}` },
  )
  const { log } = runtime.follower.state
  await bindInEra(runtime, {
    kind: 'vlp',
    tokens: [addressOf(principal, intent.session, ulid)],
    bytes: (name) => {
      const signed =
        privateKey === undefined ? message : signMessage({ log, name }, message, privateKey)
      return Buffer.from(writeLine(signed).trimEnd(), 'utf8')
    },
  })
}

function payloadOf(runtime: Runtime, result: CallResult, frame: Frame) {
  const { capability, args, value, intent } = result
  const { capabilities, principals } = runtime.follower.state.catalog
  const known = [...capabilities.values()].flatMap((one) => one.known ?? [])
  const agent = principals.get(intent.agent)
  const people = agent === undefined ? [] : withOwners(principals, agent)
  const json: Json = value
  return resultEvidence({
    tool: capability.id,
    args,
    value: json,
    frame,
    kinds: [...new Set(known.map(({ kind }) => kind))],
    distrust: {
      parts: capability.untrusted ?? null,
      also: [],
      own: attributesOf(people).map((one) => one.value),
    },
    salt: randomBytes(saltBytes).toString('base64url'),
  })
}
