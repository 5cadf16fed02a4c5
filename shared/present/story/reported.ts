// What a story is made of: the facts about an intent as they were folded, and the steps they
// become.
import type { Catalog } from '#rules/catalog/catalog'
import type { Placed } from '#record/event'
import type { NameParts } from '#record/names'
import type { Opening } from '#messages/opening'
import type { PeopleSaid } from '#messages/people/people-said'
import type { DecisionData } from '#schemas/review'
import type { OpenReview } from '#state/intent'
import type { LoggedFact } from '#state/folded'

/** A fact about the intent, with what only the fold knows of it. */
export interface Reported extends LoggedFact {
  readonly parts: NameParts
  /** Why it counts for nothing, or null. */
  readonly void: string | null
  /** The catalog right after it. */
  readonly catalog: Catalog
  /** The log's identity. */
  readonly log: string | null
  /** What people said beside their answers, right after it. */
  readonly people: PeopleSaid
}

/** `bad` and `good` are for the eye; the words say it too. */
export type StoryTone = 'plain' | 'good' | 'bad' | 'void'

export interface StoryStep {
  readonly position: number
  readonly appendedAt: number
  readonly name: string
  readonly title: string
  readonly details: readonly string[]
  readonly tone: StoryTone
  /** Why the fact counts for nothing; null where it counts. */
  readonly void: string | null
}

/** What later facts of the story need of the earlier ones. */
export interface Chapter {
  opening: Opening | null
  review: OpenReview | null
  /** What was answered to it so far. */
  decisions: readonly Placed<DecisionData>[]
  /** The ids that the agent was offered, best first; null where the intent cites no offer. */
  offered: readonly string[] | null
}
