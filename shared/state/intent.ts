// One open intent as the log has it up to a position: an immutable value, replaced by each fact
// about it and forgotten with its verdict. It keeps only what deciding needs of those facts; the
// rest is read by name when it is needed, since every process holds all that is open.
import type { GroundingData } from '#schemas/facts'
import type { Placed } from '#record/event'
import type { AnswerDemands } from '#schemas/people/demands'
import type { DecisionData, ReviewData } from '#schemas/review'
import type { IdentifierCause } from '#schemas/vlp'
import type { TakenGrant } from '#rules/grants/book'
import type { TakenBudget } from './slices/budgets/budgets.ts'

/** Of the latest grounding. */
export interface OpenGrounding {
  readonly name: string
  readonly position: number
  readonly attempt: number
  /** Whether all that had to be known was; true where nothing had to be. */
  readonly grounded: boolean
}

/** Of the latest review. */
export interface OpenReview {
  readonly name: string
  readonly position: number
  readonly appendedAt: number
  readonly number: number
  readonly digest: string
  readonly tier: ReviewData['tier']
  readonly confirmers: readonly string[]
  readonly quorum: number
  /** How many questions it asks, and whether one of them asks for a reason. */
  readonly questions: number
  readonly asksReason: boolean
  /** Milliseconds since 1970. */
  readonly decideBy: number
  readonly useWithinMs: number
  /** What it demands of answers, and who may be no deputy; absent where nothing is demanded. */
  readonly demands?: AnswerDemands | undefined
  readonly side?: readonly string[] | undefined
  /** The reviews of the same before it: what counts for one of them counts for it, too. */
  readonly reopens?: ReopenedReviews | undefined
}

export interface ReopenedReviews {
  readonly names: readonly string[]
  /** Of the first of them: from there on people could answer. */
  readonly position: number
}

/** One who may answer the latest review asks another who may. */
export interface Handover {
  readonly from: string
  readonly to: string
  readonly name: string
}

export interface OpenIntent {
  /** `<agent>.<session>.<ulid>` as tokens. */
  readonly address: string
  /** The id that the opening message gives itself; null where it cannot be believed. */
  readonly id: string | null
  /** The name of the opening message. */
  readonly name: string
  readonly position: number
  readonly appendedAt: number
  /** Whether its agent had as many open intents as are served. */
  readonly beyond: boolean
  /** The earlier eras that may have its address; absent where all may. */
  readonly lookIn?: readonly number[] | undefined
  /** What is wrong with the time that its identifier states; absent where nothing is. */
  readonly untimely?: IdentifierCause | undefined
  /** Whether its agent was on its way to another cell. */
  readonly moving?: true | undefined
  /** By which equal requests are recognised; absent where it may stand beside them. */
  readonly request?: string | undefined
  /** The message of the equal request that was open when it came. */
  readonly equalTo?: string | undefined
  /** The catalog revision under which it came without the reason that it needs. */
  readonly unreasoned?: number | undefined
  /** Whose rights it is judged by, as a token; absent where by its agent's own. */
  readonly judged?: string | undefined
  readonly grounding: OpenGrounding | null
  /** Until when policy holds the attempt of `grounding`; null where it does not. */
  readonly hold: { readonly attempt: number; readonly until: number } | null
  /** The attempt that learning has asked for; 1 until it did. */
  readonly attempt: number
  /** The digest of what a person saw of it while it was held; null where no one did. */
  readonly shown: string | null
  /** Whether it has taken its use of the capability, and its use of people's attention. */
  readonly used: boolean
  readonly asked: boolean
  /** What it has taken of budgets; absent where nothing. */
  readonly budgets?: readonly TakenBudget[] | undefined
  /** What it has taken of grants; absent where nothing. */
  readonly grants?: readonly TakenGrant[] | undefined
  readonly review: OpenReview | null
  /** The number of the next review. */
  readonly reviewNext: number
  /** On the latest review, in log order; void ones are not here. */
  readonly decisions: readonly Placed<DecisionData>[]
  /** The void fact under the name of someone who may answer the latest review. */
  readonly spoilt?: string | undefined
  /** How often a review was opened again for such a fact. */
  readonly reopened?: number | undefined
  /** Names of void facts where answers to reviews to come would stand. */
  readonly taken?: readonly string[] | undefined
  /** Whom people have asked to look at it instead; absent where no one has. */
  readonly handovers?: readonly Handover[] | undefined
  /** How its agent has taken it back; null where it has not. */
  readonly withdrawn: 'withdrawal' | 'correction' | 'replaced' | null
  /** The fault for which it is denied without being looked at. */
  readonly setAside?: string | undefined
  /** The message of the request that has taken its place. */
  readonly replacedBy?: string | undefined
}

export function openIntent(
  address: string,
  fact: { readonly name: string; readonly position: number; readonly appendedAt: number },
  of: Pick<
    OpenIntent,
    | 'id'
    | 'beyond'
    | 'lookIn'
    | 'untimely'
    | 'moving'
    | 'request'
    | 'equalTo'
    | 'unreasoned'
    | 'judged'
  >,
): OpenIntent {
  const { id, beyond, lookIn, untimely, moving, request, equalTo, unreasoned, judged } = of
  return {
    address,
    id,
    name: fact.name,
    position: fact.position,
    appendedAt: fact.appendedAt,
    beyond,
    grounding: null,
    hold: null,
    attempt: 1,
    shown: null,
    used: false,
    asked: false,
    review: null,
    reviewNext: 1,
    decisions: [],
    withdrawn: null,
    // What may be absent comes last: an object is made sooner so.
    ...(request !== undefined && { request }),
    ...(lookIn !== undefined && { lookIn }),
    ...(untimely !== undefined && { untimely }),
    ...(moving === true && { moving }),
    ...(equalTo !== undefined && { equalTo }),
    ...(unreasoned !== undefined && { unreasoned }),
    ...(judged !== undefined && { judged }),
  }
}

interface At {
  readonly name: string
  readonly position: number
  readonly appendedAt: number
}

export function openGrounding({ name, position }: At, data: GroundingData): OpenGrounding {
  return { name, position, attempt: data.attempt, grounded: data.ground?.grounded ?? true }
}

/** The review with those before it, where it is only opened again. */
export function succeeding(
  before: OpenReview | null,
  review: OpenReview,
  { spoiltBy, previous }: Pick<ReviewData, 'spoiltBy' | 'previous'>,
): OpenReview {
  if (before === null || spoiltBy === undefined) return review
  if (before.name !== previous || before.digest !== review.digest) return review
  const { names, position } = before.reopens ?? { names: [], position: before.position }
  return { ...review, reopens: { names: [...names, before.name], position } }
}

/** `known` gives the catalog's own text of an id, which many reviews then share. */
export function openReview(
  { name, position, appendedAt }: At,
  data: ReviewData,
  known: (id: string) => string = (id) => id,
): OpenReview {
  const { number, digest, tier, confirmers, quorum, questions, decideBy, terms } = data
  const { demands, side } = data
  return {
    name,
    position,
    appendedAt,
    number,
    digest,
    tier,
    confirmers: confirmers.map(known),
    quorum,
    questions: questions.length,
    asksReason: questions.some(({ kind }) => kind === 'justification'),
    decideBy: Date.parse(decideBy),
    useWithinMs: terms.useWithinMs,
    ...(demands !== undefined && { demands }),
    ...(side !== undefined && { side }),
  }
}
