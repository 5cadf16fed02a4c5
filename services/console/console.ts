// What every route of the console stands on: the log of what is asked, who is at the browser, and
// the indexes that answer without folding anything.
import type { Context } from 'hono'
import type { Runtime } from '#runtime/engine/runtime'
import type { Buckets } from '#serving/buckets'
import type { OnlyOnce } from '#serving/people/one-time-link'
import type { AttentionKept } from '#operations/attention/kept'
import type { Broadcast } from './broadcast.ts'
import type { StageActivity } from './operating/stage-activity.ts'
import type { Enrolments } from './people/enrolments.ts'
import type { IssuerThere } from './people/issuer-there.ts'
import type { ConsolePerson, ConsoleSessions } from './people/recognised.ts'
import type { AllowsShown } from './allows-shown.ts'
import type { Inbox } from './reviews/inbox.ts'
import type { LastApproved } from './reviews/last-approved.ts'

/** A log that is served, of a realm or of one of its cells, and what is kept beside its fold. */
export interface ConsoleLog {
  readonly runtime: Runtime
  readonly inbox: Inbox
  readonly lastApproved: LastApproved
  readonly activity: StageActivity
  readonly attention: AttentionKept
  readonly allows: AllowsShown
}

/**
 * The console on the log of what is asked: of an intent the log that has it; else the first, which
 * has all that the cells share.
 */
export interface ConsoleOn extends ConsoleLog {
  /** The console on each log: on the only one, or on those of all cells in their order. */
  readonly logs: readonly ConsoleOn[]
  /** That on the log that has the intent. */
  readonly about: (intent: string) => Promise<ConsoleOn>
  /** Where browsers address it, without a slash at the end. */
  readonly url: () => string
  readonly sessions: ConsoleSessions
  readonly links: OnlyOnce
  readonly enrolments: Enrolments
  /** Where traces are shown, with `{trace}` in place of the id; null where no one said. */
  readonly traces: string | null
  /** Null where no issuer signs people in. */
  readonly issuer: IssuerThere | null
  /** Of all logs. */
  readonly broadcast: Broadcast
  /** Of each person, and of all together who are not signed in yet. */
  readonly rates: { readonly person: Buckets; readonly entering: Buckets }
  /** Aborted when the server takes no more requests. */
  readonly closing: AbortSignal
}

export interface AskedByPerson {
  readonly c: Context
  readonly person: ConsolePerson
  /** On the log of the intent that the path names, if it names one. */
  readonly on: ConsoleOn
}
