// Publishes an intent and waits for its verdict. Waiting in vain says which stage, or which people,
// it waits for; it never answers in their place.
import type { z } from 'zod'
import { Fault } from '#core/kernel/fault'
import type { MessageFields } from '#core/messages/build'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { schemaFault } from '#core/kernel/schema-fault'
import { requestText } from '#present/schema-text'
import { Intent } from '#schemas/intent'
import { publish, type SessionHandle, type Speaker } from './publishing.ts'
import { refuseRepeated } from './repeated.ts'
import { sayingOn } from './saying.ts'
import { verdictOf, type Verdict } from './verdict.ts'
import type { Waiting } from './waiting.ts'

export type IntentFields = z.input<typeof Intent>

export interface AskOptions {
  /** Of a session that this client opened or joined. */
  readonly session?: SessionHandle
  /** How long to wait for the verdict; 60 seconds if not said. */
  readonly waitMs?: number
  /** More of the message: confidence, provenance, safety, refers_to, … */
  readonly message?: Partial<MessageFields>
}

export interface Asking {
  readonly runtime: Runtime
  readonly speaker: Speaker
  readonly waiting: Waiting
}

const waitMsDefault = 60_000

export async function ask(
  asking: Asking,
  fields: IntentFields,
  { session, waitMs, message }: AskOptions = {},
): Promise<Verdict> {
  const query = queryFor(fields, message)
  const { runtime, speaker } = asking
  const { address } = await publish(sayingOn(runtime), speaker, query, session)
  return verdictIn(asking, address, waitMs)
}

/** The message that asks for it. Throws a Fault for an intent that nobody could read. */
export function queryFor(
  fields: IntentFields,
  message: AskOptions['message'],
): Omit<MessageFields, 'sender'> {
  const parsed = Intent.safeParse(fields)
  if (!parsed.success) {
    const fault = schemaFault(parsed.error.issues, fields)
    throw new Fault('intent_invalid', requestText(fault))
  }
  const payload = { intent: parsed.data }
  const content = fields.goal ?? `use ${fields.tool}`
  return { type: 'query', content, ...message, payload }
}

/**
 * The verdict on a published intent. Throws a Fault `no_verdict` when none comes in time, and
 * `address_used` when none ever will.
 */
export async function verdictIn(
  { runtime, waiting }: Asking,
  address: string,
  waitMs = waitMsDefault,
): Promise<Verdict> {
  const { log } = runtime
  const awaited = waiting.verdict(address, waitMs)
  try {
    const bound = await factAbout(runtime, 'verdict', address)
    if (bound === undefined) await refuseRepeated(runtime, address)
    const fact = bound ?? (await awaited.come)
    if (fact !== null) return await verdictOf(log, fact)
    await refuseRepeated(runtime, address)
    throw new Fault('no_verdict', whoIsMissing(runtime, address))
  } finally {
    awaited.cancel()
  }
}

function whoIsMissing(runtime: Runtime, address: string): string {
  const intent = runtime.follower.world.intents.get(address)
  if (intent === undefined) return `no verdict in time, and no open intent \`${address}\``
  const { review, hold, withdrawn } = intent
  const now = runtime.clock.now()
  if (review !== null) {
    const { confirmers, quorum } = review
    const isOver = now > review.decideBy || withdrawn !== null
    const decideBy = new Date(review.decideBy).toISOString()
    if (isOver || intent.decisions.length >= quorum) return silent('confirmation')
    return `no verdict in time: ${confirmers.join(', ')} may answer until ${decideBy}`
  }
  if (hold !== null && now < hold.until && withdrawn === null) {
    return 'no verdict in time: it is held until learning ends'
  }
  return silent(intent.grounding === null ? 'grounding' : 'policy')
}

function silent(stage: string): string {
  return `no verdict in time: the ${stage} stage has not answered; is it running?`
}
