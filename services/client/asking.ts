// Publishes an intent and waits for its verdict, which is one wait for everyone who waits. It never
// answers in the place of a stage or of people: without a verdict it reports what is missing.
import type { z } from 'zod'
import { Fault } from '#core/kernel/fault'
import type { MessageFields } from '#core/messages/build'
import { schemaFault } from '#core/kernel/schema-fault'
import { type Waits, timedOutText } from '#present/story/waits'
import { requestText } from '#present/schema-text'
import { Intent } from '#schemas/intent'
import type { IntentLog, IntentStanding } from './intent-log.ts'
import { publish, type Published, type SessionHandle, type Speaker } from './publishing.ts'
import { verdictOf, type Verdict } from './verdict.ts'

export type IntentFields = z.input<typeof Intent>

export interface WaitOptions {
  /**
   * How long to wait for the verdict; 60 seconds if not given. Before that a log on servers that is
   * out of reach or full is tried for as long.
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
  /** More of the message: confidence, provenance, safety, refers_to, … */
  readonly message?: Partial<MessageFields>
}

const waitMsDefault = 60_000

/** Thrown where no verdict came in time: what the intent waits for, as data. */
export class NoVerdict extends Fault {
  /** The address of the intent. */
  readonly intent: string
  readonly waits: Waits

  constructor(
    intent: string,
    { waits, cause }: Extract<IntentStanding, { state: 'waits' }>,
    waitMs: number,
  ) {
    const text = timedOutText(intent, waits, waitMs)
    const why = cause === undefined ? '' : ` (${cause.message})`
    super('no_verdict', `${text}${why}`, { cause })
    this.intent = intent
    this.waits = waits
  }
}

export async function ask(
  log: IntentLog,
  speaker: Speaker,
  fields: IntentFields,
  { session, message, ...wait }: AskOptions = {},
): Promise<Verdict> {
  const { waitMs = waitMsDefault } = wait
  const published = await publish(log, speaker, queryFor(fields, message), { session, waitMs })
  return verdictIn(log, published.address, wait, published)
}

/** The message that asks for it. Throws a Fault for an intent that no one could read. */
function queryFor(
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
 * The verdict on a published intent. Throws `NoVerdict` when none comes in time, and a Fault
 * `address_used` or `no_intent` when none ever will.
 */
export async function verdictIn(
  log: IntentLog,
  address: string,
  { waitMs = waitMsDefault, onReview }: WaitOptions,
  since?: Published,
): Promise<Verdict> {
  const asked = onReview && once((waits) => onReview(waits, address))
  const standing = await log.wait(address, { waitMs, since, onReview: asked?.call })
  asked?.rethrow()
  if (standing.state === 'verdict') return verdictOf(log, standing.fact)
  throw new NoVerdict(address, standing, waitMs)
}

interface Once {
  readonly call: (waits: Waits) => boolean
  /** Throws what it threw. */
  readonly rethrow: () => void
}

/** Calls it once. What it throws ends its own wait, and never the fold of the log. */
function once(onReview: (waits: Waits) => boolean): Once {
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
