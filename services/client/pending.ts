// What a program gets where no verdict came in time: the intent stands in the log, and what it
// waits for may still come. It is no refusal, and nothing has run.
import { Fault } from '#record/fault'
import { asCalled } from '#wiring/called'
import { pendingModelText } from '#present/story/for-model'
import { type Waits, undecidedText } from '#present/story/waits'
import type { IntentStanding } from './intent-log.ts'

/** Thrown where no verdict came in time. The intent is redeemed later by its address. */
export class Pending extends Fault {
  /** The address of the intent. */
  readonly intent: string
  /** What it waits for, as data. */
  readonly waits: Waits

  constructor(
    intent: string,
    { waits, cause }: Extract<IntentStanding, { state: 'waits' }>,
    waitMs: number,
  ) {
    const text = asCalled(undecidedText(intent, waits, waitMs))
    const why = cause === undefined ? '' : ` (${cause.message})`
    super('no_verdict', `${text}${why}`, { cause })
    this.intent = intent
    this.waits = waits
  }

  /** For the language model that called the tool: that it waits, and what it may do now. */
  forModel(): string {
    return pendingModelText(this.waits)
  }
}
