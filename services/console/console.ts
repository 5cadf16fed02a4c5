// What every route of the console stands on: the runtime, who is at the browser, and the indexes
// that answer without folding anything.
import type { Context } from 'hono'
import type { Runtime } from '#runtime/engine/runtime'
import type { Buckets } from '#runtime/serving/buckets'
import type { OnlyOnce } from '#runtime/serving/people/one-time-link'
import type { Broadcast } from './broadcast.ts'
import type { Enrolments } from './people/enrolments.ts'
import type { IssuerThere } from './people/issuer-there.ts'
import type { ConsolePerson, ConsoleSessions } from './people/recognised.ts'
import type { Inbox } from './reviews/inbox.ts'

export interface ConsoleOn {
  readonly runtime: Runtime
  /** Where browsers address it, without a slash at the end. */
  readonly url: () => string
  readonly sessions: ConsoleSessions
  readonly links: OnlyOnce
  readonly enrolments: Enrolments
  /** Null where no issuer signs people in. */
  readonly issuer: IssuerThere | null
  readonly inbox: Inbox
  readonly broadcast: Broadcast
  /** Of each person, and of all together who are not signed in yet. */
  readonly rates: { readonly person: Buckets; readonly entering: Buckets }
  /** Aborted when the server takes no more requests. */
  readonly closing: AbortSignal
}

export interface AskedByPerson {
  readonly c: Context
  readonly person: ConsolePerson
}
