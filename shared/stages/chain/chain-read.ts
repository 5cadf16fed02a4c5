// What is read of the log about the delegation that an intent cites: the messages, from the one
// that is cited up, and what their senders said beside them.
import type { SessionMessage } from '#messages/session'

export interface ChainRead {
  /** The delegation that is cited, then the one that it hands on, as far as they are there. */
  readonly cited: readonly SessionMessage[]
  /** All that their senders said in the session. */
  readonly said: readonly SessionMessage[]
  /** Whether they said more there than is ever read. */
  readonly overlong: boolean
  /** Those of the senders, as tokens, who spoke in another session before it was blocked. */
  readonly blocked: readonly string[]
}
