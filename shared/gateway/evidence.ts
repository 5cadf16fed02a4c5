// What a gateway publishes of a result, in its own name: the frame that the agent got, and a digest
// of each value in it, so that later calls of the session may rest on it. Never the result itself.
import { randomBytes } from 'node:crypto'
import type { ToFrame } from '#firewall/framed'
import type { JsonMap } from '#record/canonical'
import { addressOf } from '#record/names'
import { writeLine } from '#record/ndjson'
import { buildMessage } from '#messages/build'
import { signMessage } from '#messages/signed-message'
import { bindInEra } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { attributesOf } from '#knowledge/known/evidence/value-evidence'
import { withOwners } from '#stages/values/known-values'
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

/** Publishes it into the session of the intent; that it could not is logged. */
export async function publishEvidence(
  runtime: Runtime,
  ...of: readonly [GatewaySpeaker, CallResult, JsonMap]
): Promise<void> {
  try {
    await published(runtime, ...of)
  } catch (error) {
    // It was carried out: later calls that would rest on this evidence are asked about instead.
    const [{ principal }, { intent }] = of
    const fields = { intent: intent.address, principal, error }
    runtime.logger.error(fields, 'what a tool answered could not be published')
  }
}

async function published(
  runtime: Runtime,
  { principal, privateKey }: GatewaySpeaker,
  { intent, verdict, capability }: CallResult,
  payload: JsonMap,
): Promise<void> {
  if (intent.session === null) return
  const now = runtime.logClock.now()
  const ulid = runtime.ids.next(now)
  const message = buildMessage(
    {
      type: 'evidence',
      sender: principal,
      receiver: intent.agent,
      content: `${capability.id} answered`,
      confidence,
      session_id: intent.session,
      provenance: [{ ref: verdict.name, kind: 'log' }],
      refers_to: verdict.name,
      payload,
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

/** What the payload is made of; null outside of a session, where no one would look for it. */
export function evidenceGiven(runtime: Runtime, result: CallResult): ToFrame['evidence'] {
  const { capability, args, intent } = result
  if (intent.session === null) return null
  const { capabilities, principals } = runtime.follower.state.catalog
  const known = [...capabilities.values()].flatMap((one) => one.known ?? [])
  const agent = principals.get(intent.agent)
  const people = agent === undefined ? [] : withOwners(principals, agent)
  return {
    tool: capability.id,
    args,
    kinds: [...new Set(known.map(({ kind }) => kind))],
    distrust: {
      parts: capability.untrusted ?? null,
      also: [],
      own: attributesOf(people).map((one) => one.value),
    },
    salt: randomBytes(saltBytes).toString('base64url'),
  }
}
