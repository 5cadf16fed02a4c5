// Confirmation: did the people who must agree, agree. An approval is never a bearer grant: at
// release the grounding and the rule chain are derived again, and what has become a refusal
// refuses.
import { isSameDemands } from '#rules/catalog/people/demands'
import { nameOf } from '#record/names'
import { answererOf, countedDecisions } from '#state/decision'
import type { Draft } from '#record/event'
import { judge } from '#rules/chain/judge'
import { mayAskPeople } from '#rules/chain/judged'
import type { Case } from '#rules/chain/rule-input'
import { questionsOf } from '#rules/chain/questions'
import { groundOf } from '#stages/asked'
import { caseOf, hasStopped } from '#stages/case'
import { findingOf } from '#stages/finding'
import { askedPolicies } from '#stages/chain/asked-policies'
import { callbackCalls, violationsOf } from '#stages/policies'
import { useDraft } from '#stages/rate'
import {
  contentOf,
  digestOfContent,
  panelOf,
  reviewDraft,
  reviewsMax,
  type ReviewRequest,
} from '#stages/review'
import { setAsideDraft } from '#stages/set-aside'
import type { Inputs, Stage } from '#stages/stage'
import { verdictDraft, type ReleaseData } from '#stages/verdict'
import type { View } from '#stages/view'
import type { OpenReview } from '#state/intent'

/** Which answers to a review count, in log order. */
type Counting = (view: View, review: OpenReview) => ReturnType<typeof countedDecisions>

export const confirmationDecider = confirmationBy((view, review) => {
  return countedDecisions(view, review, view.intent.decisions)
})

/** The same, whatever counts as an answer: in a made-up case no one signs any. */
export function confirmationBy(counting: Counting): Stage {
  return {
    name: 'confirmation',
    kinds: ['review', 'decision', 'withdrawal'],
    calls: (view, context, time) => {
      const { review } = view.intent
      const { grounding } = context
      if (review === null || grounding === null || hasStopped(view, context)) return []
      if (view.intent.setAside !== undefined) return []
      if (tally(counting(view, review), review, time).state !== 'approved') return []
      const of = { ground: groundOf(view), cardinality: grounding.cardinality }
      return callbackCalls(view, context, askedPolicies(view, context, of), time)
    },
    decide: (inputs) => decide(inputs, counting),
    // One millisecond after the last moment: at the last moment a decision still counts.
    deadline: ({ review }, stopped) => {
      if (review === null) return null
      return stopped ? 0 : review.decideBy + 1
    },
  }
}

function decide(inputs: Inputs, counting: Counting): Draft | null {
  const { view, context, time } = inputs
  const { review } = view.intent
  if (review === null) return null
  const aside = setAsideDraft(inputs)
  if (aside !== null) return aside
  // The case itself says why: no one's answer matters any more.
  if (hasStopped(view, context)) return settled(inputs)
  const count = tally(counting(view, review), review, time)
  switch (count.state) {
    case 'waiting':
      return openedAgain(inputs)
    case 'expired':
      return settled(inputs, { state: 'expired' })
    case 'declined':
      return settled(inputs, { ...count.by, state: 'answered', answers: count.answers })
    case 'approved':
      return release(inputs, review, count)
  }
}

/** So often the reviews of one intent are opened again for void answers. */
const reopenedMax = 3

// What stands where a person's answer would has used that name up. The same is asked under the next
// number, until the same moment; what was answered to this one counts on.
function openedAgain(inputs: Inputs): Draft | null {
  const { view, context } = inputs
  const { intent } = view
  const { review } = context
  const { spoilt, reopened = 0, reviewNext: number } = intent
  if (spoilt === undefined || review === null) return null
  if (reopened >= reopenedMax || number > reviewsMax) {
    return settled(inputs, { state: 'stale', spoiltBy: spoilt })
  }
  const previous = intent.review?.name ?? null
  const name = nameOf(view.place, 'review', intent.address, number)
  return { kind: 'review', name, data: { ...review, number, previous, spoiltBy: spoilt } }
}

// Ended without agreement: judged by what the review was opened on, and by how it ended.
function settled(inputs: Inputs, ended?: Case['review']): Draft | null {
  const { view, context } = inputs
  const { grounding, review } = context
  if (grounding === null || review === null) return null
  const { message: finding, ground, cardinality } = grounding
  const answers = review.callbacks
  const asked = askedPolicies(view, context, { ground, cardinality })
  const known = { finding, ground, violations: violationsOf(asked, answers), context }
  const judgement = judge(caseOf(view, known, ended))
  return verdictDraft(inputs, judgement, answers, null)
}

function release(inputs: Inputs, review: OpenReview, count: Approved): Draft | null {
  const { view, context, answers } = inputs
  const { grounding } = context
  if (grounding === null) return null
  const { cardinality } = grounding
  const ground = groundOf(view)
  const violations = violationsOf(askedPolicies(view, context, { ground, cardinality }), answers)
  const known = { finding: findingOf(view, context), ground, violations, context }
  const { confirmedBy, deputies, useBy } = count
  const released = { ground, confirmedBy, deputies, useBy }
  const of = caseOf(view, known)
  // Whatever refuses now: what people would be asked is looked at by itself.
  const wanted = { questions: questionsOf(of), ground, violations, of }
  const state = stillAgreed(inputs, wanted, { review, count }) ? answered(review, count) : null
  if (state === null) return askedAgain(inputs, wanted, released)
  const judgement = judge({ ...of, review: state })
  const use = judgement.outcome === 'allow' ? useDraft(view, answers) : null
  return use ?? verdictDraft(inputs, judgement, answers, released)
}

// What people would be asked now is not what they agreed to. What refuses, or needs no one any
// more, is a verdict; the rest is asked again, with what has changed.
function askedAgain(inputs: Inputs, wanted: ReviewRequest, released: ReleaseData): Draft {
  const { view, answers } = inputs
  const alone = judge(wanted.of)
  if (alone.outcome === 'allow') {
    return useDraft(view, answers) ?? verdictDraft(inputs, alone, answers, released)
  }
  if (alone.outcome === 'deny') return verdictDraft(inputs, alone, answers, released)
  const review = reviewDraft(inputs, wanted)
  if (!('cause' in review)) return review
  const stale = judge({ ...wanted.of, review: { state: 'stale' } })
  return verdictDraft(inputs, stale, answers, released)
}

/** Whether the people who agreed are enough by the catalog of now, and agreed to just this. */
function stillAgreed(
  { view, context }: Inputs,
  wanted: ReviewRequest,
  { review, count }: { readonly review: OpenReview; readonly count: Approved },
): boolean {
  if (!mayAskPeople(view.catalog, view.opening)) return false
  const panel = panelOf(view, context, wanted.questions)
  if (typeof panel === 'string' || panel.tier !== review.tier) return false
  // What is demanded now was not demanded of those answers.
  if (!isSameDemands(panel.demands, review.demands)) return false
  if (count.deputies.some(({ by }) => panel.side.includes(by))) return false
  const standing = count.confirmedBy.filter((id) => panel.confirmers.includes(id))
  if (standing.length < panel.quorum) return false
  return digestOfContent(contentOf({ view, context }, wanted, panel)) === review.digest
}

function answered({ questions }: OpenReview, { note }: Approved): NonNullable<Case['review']> {
  const answers = Array.from({ length: questions }, () => true)
  return { state: 'answered', answers, ...(note !== '' && { note }) }
}

interface Approved {
  readonly state: 'approved'
  /** Those whose answers they are, and who gave one for another. */
  readonly confirmedBy: readonly string[]
  readonly deputies: readonly { readonly by: string; readonly for: string }[]
  /** The longest note of those who agreed. */
  readonly note: string
  readonly useBy: number
}

type Tally =
  | Approved
  | { readonly state: 'waiting' | 'expired' }
  | {
      readonly state: 'declined'
      readonly answers: readonly boolean[]
      readonly by: { readonly declinedBy: string; readonly declinedNote?: string }
    }

function tally(counted: ReturnType<Counting>, review: OpenReview, time: string): Tally {
  const now = Date.parse(time)
  const { decideBy, quorum, useWithinMs } = review
  const refusing = counted.find(({ data }) => data.answers.includes(false))
  if (refusing !== undefined) {
    const { answers, confirmer, note } = refusing.data
    const by = { declinedBy: confirmer, ...(note !== undefined && { declinedNote: note }) }
    return { state: 'declined', answers, by }
  }
  const last = counted[quorum - 1]
  if (last === undefined) {
    return { state: now > decideBy ? 'expired' : 'waiting' }
  }
  const useBy = last.appendedAt + useWithinMs
  if (now > useBy) return { state: 'expired' }
  const notes = counted.map(({ data }) => data.note ?? '')
  return {
    state: 'approved',
    confirmedBy: counted.map(({ data }) => answererOf(data)),
    deputies: counted.flatMap(({ data: { confirmer: by, for: of } }) => {
      return of === undefined ? [] : [{ by, for: of }]
    }),
    note: notes.reduce((longest, note) => (note.length > longest.length ? note : longest), ''),
    useBy,
  }
}
