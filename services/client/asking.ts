// Publishes an intent and waits for its verdict, which is one wait for everyone who waits. It never
// answers in the place of a stage or of people: without a verdict it reports what is missing.
import type { z } from 'zod'
import { Fault } from '#core/kernel/fault'
import { jsonOf } from '#core/kernel/canonical'
import { digestOfJson } from '#core/kernel/digest'
import { addressOf, partsInRealm } from '#core/kernel/names'
import type { MessageFields } from '#core/messages/build'
import { schemaFault } from '#core/kernel/schema-fault'
import type { Waits } from '#present/story/waits'
import { requestText } from '#present/schema-text'
import { Intent } from '#schemas/intent'
import { about } from './intent-fault.ts'
import type { IntentLog } from './intent-log.ts'
import { Pending } from './pending.ts'
import { publish, senderOf } from './publishing.ts'
import type { Published, SessionHandle, Speaker } from './publishing.ts'
import { requestOf } from '#runtime/verdicts/request'
import { verdictOf, type Verdict } from '#runtime/verdicts/verdict'

export type IntentFields = z.input<typeof Intent>

export interface WaitOptions {
  /**
   * How long to wait for the verdict, people and all. If not given, 60 seconds for the stages, and
   * while people may answer or learning may close its gaps, until that ends. Before that a log on
   * servers that is out of reach or full is tried for as long.
   */
  readonly waitMs?: number
  /**
   * Called once, when people are asked: return false not to wait for them. Without it, people are
   * waited for.
   */
  readonly onReview?: (waits: Waits, intent: string) => boolean
}

export interface AskOptions extends WaitOptions {
  /** Of a session that this client opened or joined. */
  readonly session?: SessionHandle
  /** The offer that it was picked from: `routing` of what `shortlist` gave. */
  readonly routing?: string | null
  /**
   * What a repetition of this request has in common with it: the last part of the intent's
   * address. A repetition finds the intent that is there, and publishes nothing. Throws a Fault
   * `request_differs` where that is for something else.
   */
  readonly id?: string
  /** More of the message: confidence, provenance, safety, refers_to, … */
  readonly message?: Partial<MessageFields>
}

const waitMsDefault = 60_000

/** How an intent that is waited for is reported, where the caller does not want to know. */
export type OnReviewDefault = NonNullable<WaitOptions['onReview']>

interface Asking {
  readonly log: IntentLog
  readonly speaker: Speaker
  readonly onReview: OnReviewDefault
}

export async function ask(
  { log, speaker, onReview }: Asking,
  fields: IntentFields,
  { session, message, routing, id, ...given }: AskOptions = {},
): Promise<Verdict> {
  const wait = { onReview, ...given }
  const intent = parsedIntent(fields)
  if (id !== undefined) {
    const query = queryFor(intent, citing(message, routing))
    return askedOnce({ log, speaker, query, intent }, { session, id, wait })
  }
  // One approval is one run: what is open already is waited for, and nothing is published.
  const open = log.equalOpen(senderOf(speaker), session?.id ?? null, intent)
  if (open !== null) return verdictIn(log, open, wait)
  const { waitMs = waitMsDefault } = wait
  const query = queryFor(intent, citing(message, routing))
  const published = await publish(log, speaker, query, { session, waitMs })
  return verdictOrFirst(log, published.address, wait, published)
}

interface Request {
  readonly log: IntentLog
  readonly speaker: Speaker
  readonly query: Omit<MessageFields, 'sender'>
  readonly intent: Intent
}

interface Once {
  readonly session: SessionHandle | undefined
  readonly id: string
  readonly wait: WaitOptions
}

// However often it comes, and at which process: its address is bound once.
async function askedOnce(
  { log, speaker, query, intent }: Request,
  { session, id, wait }: Once,
): Promise<Verdict> {
  const address = addressOf(senderOf(speaker), session?.id ?? null, id)
  const repeated = async (): Promise<Verdict | null> => {
    const opening = await log.opening(address)
    if (opening === undefined) return null
    const before = digestOfJson(jsonOf(requestOf(opening, address)))
    if (before === digestOfJson(jsonOf(intent))) return verdictOrFirst(log, address, wait)
    throw new Fault('request_differs', `\`${address}\` is the address of another request`)
  }
  const found = await repeated()
  if (found !== null) return found
  try {
    const { waitMs = waitMsDefault } = wait
    const published = await publish(log, speaker, query, { session, waitMs, id })
    return await verdictOrFirst(log, address, wait, published)
  } catch (error) {
    // The same came in at another process meanwhile.
    const isThere = error instanceof Fault && error.code === 'name_taken'
    const verdict = isThere ? await repeated() : null
    if (verdict === null) throw error
    return verdict
  }
}

/** The verdict on it, or on the equal request before it that it was denied for. */
async function verdictOrFirst(
  log: IntentLog,
  address: string,
  wait: WaitOptions,
  since?: Published,
): Promise<Verdict> {
  const verdict = await verdictIn(log, address, wait, since)
  const first = firstOf(verdict)
  return first === null ? verdict : verdictIn(log, first, wait)
}

/** Throws a Fault for an intent that no one could read. */
export function parsedIntent(fields: IntentFields): Intent {
  const parsed = Intent.safeParse(fields)
  if (parsed.success) return parsed.data
  const fault = schemaFault(parsed.error.issues, fields)
  throw new Fault('intent_invalid', requestText(fault))
}

/** The message that asks for it. */
function queryFor(intent: Intent, message: AskOptions['message']): Omit<MessageFields, 'sender'> {
  const content = intent.goal ?? `use ${intent.tool}`
  return { type: 'query', content, ...message, payload: { intent } }
}

/** Where no rule reads it, and under the message's own signature. */
function citing(message: AskOptions['message'], routing: string | null = null) {
  return routing === null ? message : { ...message, _extras: { ...message?._extras, routing } }
}

/** The address of the equal request that was open: another process of the agent has asked it. */
function firstOf({ intent, name, reasons }: Verdict): string | null {
  const [reason] = reasons
  if (reason?.code !== 'duplicate_request' || reasons.length > 1) return null
  const [realm = ''] = name.split('.')
  const first = partsInRealm(reason.params.fact ?? '', realm)?.address ?? null
  const isOwn = first !== null && first.split('.')[0] === intent.split('.')[0]
  return isOwn && first !== intent ? first : null
}

/**
 * The verdict on a published intent. Throws `Pending` when none comes in time, and a Fault
 * `address_used` or `no_intent` when none ever will.
 */
export async function verdictIn(
  log: IntentLog,
  address: string,
  { waitMs, onReview }: WaitOptions,
  since?: Published,
): Promise<Verdict> {
  const asked = onReview && once((waits) => onReview(waits, address))
  const wait = { waitMs: waitMs ?? waitMsDefault, isPatient: waitMs === undefined, since }
  return about(address, async () => {
    const standing = await log.wait(address, { ...wait, onReview: asked?.call })
    asked?.rethrow()
    if (standing.state === 'verdict') return verdictOf(log, standing.fact)
    throw new Pending(address, standing, wait.waitMs)
  })
}

interface Reported {
  readonly call: (waits: Waits) => boolean
  /** Throws what it threw. */
  readonly rethrow: () => void
}

/** Calls it once. What it throws ends its own wait, and never the fold of the log. */
function once(onReview: (waits: Waits) => boolean): Reported {
  let goesOn: boolean | null = null
  let thrown: Error | null = null
  return {
    call(waits) {
      try {
        goesOn ??= onReview(waits)
      } catch (error) {
        goesOn = false
        thrown = error instanceof Error ? error : new Error('onReview threw', { cause: error })
      }
      return goesOn
    },
    rethrow() {
      if (thrown !== null) throw thrown
    },
  }
}
