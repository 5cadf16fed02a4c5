// Publishes an intent and waits for its verdict, which is one wait for everyone who waits. It never
// answers in the place of a stage or of people: without a verdict it reports what is missing.
import type { z } from 'zod'
import { Fault } from '#record/fault'
import { partsInRealm } from '#record/names'
import type { MessageFields } from '#messages/build'
import { forPresent } from '#record/present-members'
import { schemaFault } from '#record/schema-fault'
import type { Waits } from '#present/story/waits'
import { requestText } from '#present/schema-text'
import { Intent } from '#schemas/intent'
import { about } from './intent-fault.ts'
import type { IntentLog, Wait } from './intent-log.ts'
import { Pending } from './pending.ts'
import { publish, senderOf, withdraw } from './publishing.ts'
import type { Published, SessionHandle, Speaker } from './publishing.ts'
import type { Verdict } from '#replay/verdicts/verdict'

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
   * waited for. `known` is what is known of what it is about, as text; null where the log cannot be
   * read.
   */
  readonly onReview?: OnAsked | undefined
  /**
   * The same where it is held since people may close its gaps: they are among `proposals()`. An
   * agent that reads only its own is not notified of that.
   */
  readonly onLearn?: OnAsked | undefined
  /** Ends the wait, which then throws the reason of the signal; the intent stands. */
  readonly signal?: AbortSignal
}

export type OnAsked = (waits: Waits, intent: string, known: string | null) => boolean

export interface AskOptions extends WaitOptions {
  /** Of a session that this client opened or joined. */
  readonly session?: SessionHandle
  /**
   * What the caller itself calls this request, such as by the id of a tool call: asked again under
   * it, in the same session and any process, it is the same intent, open or decided. For another
   * tool or other arguments it throws a Fault `request_differs`.
   */
  readonly key?: string
  /**
   * How often it is asked again, as a new intent and after a growing pause, where it was denied
   * since too many of this agent's intents were open, `too_many_open`, or since the clock here is
   * ahead of the log, `clock_ahead`: 3 if not given, 10 at most, and 0 for never. One with a key
   * never is.
   */
  readonly retries?: number
  /** The offer that it was picked from: `routing` of what `shortlist` gave. */
  readonly routing?: string | null
  /** More of the message: confidence, provenance, safety, refers_to, … */
  readonly message?: Partial<MessageFields>
}

const waitMsDefault = 60_000

/** How an intent that is waited for is reported, where the caller does not want to know. */
export type OnReviewDefault = (...asked: Parameters<OnAsked>) => boolean

interface Asking {
  readonly log: IntentLog
  readonly speaker: Speaker
  readonly onReview: OnReviewDefault
}

export async function ask(
  { log, speaker, onReview }: Asking,
  fields: IntentFields,
  options: AskOptions = {},
): Promise<Verdict> {
  const { session, key, message, routing } = options
  const wait: AskOptions = { onReview, ...options }
  const intent = parsedIntent(fields)
  const open = log.equalOpen(senderOf(speaker), session?.id ?? null, intent)
  if (open?.givesWay === 'once_withdrawn') {
    const ended = await takenBack({ log, speaker }, open.address, options)
    // It was decided before it was taken back: that is the one run.
    if (ended.outcome === 'allow') return ended
  } else if (open?.givesWay === null && key === undefined) {
    // One approval is one run: what is open already is waited for, and nothing is published. What
    // has a key is, so that it is found under it: it is then denied as equal to the first.
    return verdictIn(log, open.address, wait)
  }
  const { waitMs = waitMsDefault } = wait
  const query = queryFor(intent, citing(message, routing))
  const published = await publish(log, speaker, query, { session, key, waitMs })
  const since = published.appended ? published : undefined
  return verdictOrFirst(log, published.address, wait, since)
}

/** The verdict on an open request once it is taken back for one that brings what it lacks. */
async function takenBack(
  { log, speaker }: Pick<Asking, 'log' | 'speaker'>,
  address: string,
  { waitMs, signal }: WaitOptions,
): Promise<Verdict> {
  await withdraw(log, speaker, address, 'asked again with the reason that it lacks')
  return verdictIn(log, address, {
    ...(waitMs !== undefined && { waitMs }),
    ...(signal !== undefined && { signal }),
  })
}

/** The verdict on it, or on the equal request that it was denied for. */
async function verdictOrFirst(
  log: IntentLog,
  address: string,
  wait: WaitOptions,
  since?: Published,
): Promise<Verdict> {
  let verdict = await verdictIn(log, address, wait, since)
  const seen = new Set([address])
  for (let next = equalTo(verdict); next !== null && !seen.has(next); next = equalTo(verdict)) {
    seen.add(next)
    verdict = await verdictIn(log, next, wait)
  }
  return verdict
}

/** Throws a Fault for an intent that no one could read. */
export function parsedIntent(fields: IntentFields): Intent {
  const parsed = forPresent(Intent, fields).safeParse(fields)
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

/**
 * The address of the equal request that is decided in its place: the one that was open before, or a
 * later one that brought the reason. Another process of the agent may have asked it.
 */
function equalTo({ intent, name, reasons }: Verdict): string | null {
  const reason = reasons.at(-1)
  const isReplaced = reason?.code === 'withdrawn' && reason.params.cause === 'replaced'
  const isRepeated = reason?.code === 'duplicate_request' && reasons.length === 1
  if (reason === undefined || !(isReplaced || isRepeated)) return null
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
  { waitMs, onReview, onLearn, signal }: WaitOptions,
  since?: Published,
): Promise<Verdict> {
  const asked = reporting(address, { onReview, onLearn })
  const wait = { waitMs: waitMs ?? waitMsDefault, isPatient: waitMs === undefined, since }
  return about(address, async () => {
    const standing = await unlessAborted(signal, () =>
      log.wait(address, { ...wait, onAsked: asked.call, signal }),
    )
    asked.rethrow()
    if (standing.state === 'verdict') return standing.verdict
    throw new Pending(address, standing, wait.waitMs)
  })
}

/** What it comes to; throws the reason of the signal as soon as that is aborted. */
export async function unlessAborted<T>(
  signal: AbortSignal | undefined,
  act: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return act()
  signal.throwIfAborted()
  let leave = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(reasonOf(signal))
    signal.addEventListener('abort', leave)
  })
  try {
    return await Promise.race([act(), aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the wait was aborted', { cause: reason })
}

interface Reporting {
  readonly call: Wait['onAsked']
  /** Throws what one of them threw. */
  readonly rethrow: () => void
}

/** Calls each once. What it throws ends its own wait, and never the fold of the log. */
function reporting(
  intent: string,
  { onReview, onLearn }: Pick<WaitOptions, 'onReview' | 'onLearn'>,
): Reporting {
  const goesOn = new Map<Waits['for'], boolean>()
  let thrown: Error | null = null
  const call: Wait['onAsked'] = (waits, known) => {
    const before = goesOn.get(waits.for)
    if (before !== undefined) return before
    const report = waits.for === 'people' ? onReview : onLearn
    let now = true
    try {
      now = report?.(waits, intent, known()) ?? true
    } catch (error) {
      now = false
      thrown = error instanceof Error ? error : new Error('onReview threw', { cause: error })
    }
    goesOn.set(waits.for, now)
    return now
  }
  return {
    call: onReview === undefined && onLearn === undefined ? undefined : call,
    rethrow() {
      if (thrown !== null) throw thrown
    },
  }
}
