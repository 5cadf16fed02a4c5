// Confirmation: did the people who must agree, agree. An approval is never a bearer grant: at
// release the grounding and the rule chain are derived again, and what has become a refusal
// refuses.
import type { DecisionData, Ground, ReviewData } from '#schemas/facts'
import { decisionRefusal } from '#core/stage/decision'
import type { Draft } from '#core/event'
import { judge, type Case } from '#core/judge/judge'
import { questionsOf } from '#core/judge/questions'
import { groundOf } from '#core/stage/asked'
import { caseOf, type Known } from '#core/stage/case'
import { findingOf } from '#core/stage/finding'
import { callbackCalls, violationsOf } from '#core/stage/policies'
import { rateDraft } from '#core/stage/rate'
import { contentOf, digestOfContent, panelOf } from '#core/stage/review'
import type { Inputs, Stage } from '#core/stage/stage'
import { verdictDraft } from '#core/stage/verdict'
import type { Context, View } from '#core/stage/view'
import type { Placed } from '#core/world/intent'

export const confirmation: Stage = {
  name: 'confirmation',
  kinds: ['review', 'decision', 'withdrawal'],
  calls: (view, context, time) => {
    const { review, grounding } = view.intent
    if (review === null || grounding === null) return []
    if (tally(view, review, time).state !== 'approved') return []
    const { cardinality } = grounding.data
    return callbackCalls(view, context, { ground: groundOf(view), cardinality }, time)
  },
  decide,
  // One millisecond after the last moment: at the last moment a decision still counts.
  deadline: ({ review }) => (review === null ? null : Date.parse(review.data.decideBy) + 1),
}

function decide(inputs: Inputs): Draft | null {
  const { view, time } = inputs
  const { review, withdrawnAt } = view.intent
  if (review === null) return null
  const count = tally(view, review, time)
  // The case itself says that the intent was withdrawn; nobody`s answer matters any more.
  if (withdrawnAt !== null) return settled(inputs)
  switch (count.state) {
    case 'waiting':
      return null
    case 'expired':
      return settled(inputs, { state: 'expired' })
    case 'declined':
      return settled(inputs, { state: 'answered', answers: count.answers })
    case 'approved':
      return release(inputs, review, count)
  }
}

// Ended without agreement: judged by what the review was opened on, and by how it ended.
function settled(inputs: Inputs, ended?: Case['review']): Draft | null {
  const { view } = inputs
  const { grounding, review } = view.intent
  if (grounding === null || review === null) return null
  const { message: finding, ground } = grounding.data
  const answers = review.data.callbacks
  const known = { finding, ground, violations: violationsOf(grounding.data, answers) }
  const judgement = judge(caseOf(view, known, ended))
  return verdictDraft(view, judgement, answers, null)
}

function release(inputs: Inputs, review: Placed<ReviewData>, count: Approved): Draft | null {
  const { view, context, answers } = inputs
  const { grounding } = view.intent
  if (grounding === null) return null
  const { cardinality } = grounding.data
  const ground = groundOf(view)
  const finding = findingOf(view, context)
  const known = { finding, ground, violations: violationsOf({ ground, cardinality }, answers) }
  const ended = endedAs(view, context, { known, ground, review: review.data, count })
  const judgement = judge(caseOf(view, known, ended))
  const rate = judgement.outcome === 'allow' ? rateDraft(view, answers) : null
  const released = { ground, confirmedBy: count.confirmedBy, useBy: count.useBy }
  return rate ?? verdictDraft(view, judgement, answers, released)
}

function endedAs(
  view: View,
  context: Context,
  at: {
    readonly known: Known
    readonly ground: Ground | null
    readonly review: ReviewData
    readonly count: Approved
  },
): NonNullable<Case['review']> {
  const { known, ground, review, count } = at
  // Whatever refuses now: what people would be asked is looked at by itself.
  const questions = questionsOf(caseOf(view, known))
  const content = contentOf(view, { questions, ground })
  if (digestOfContent(content) !== review.digest) return { state: 'stale' }
  // The people who agreed must be enough by the catalog of now, not only by that of then.
  const panel = panelOf(view, context, questions)
  const standing = count.confirmedBy.filter((id) => panel?.confirmers.includes(id) === true)
  if (panel === null || panel.tier !== review.tier || standing.length < panel.quorum) {
    return { state: 'stale' }
  }
  const answers = review.questions.map(() => true)
  return { state: 'answered', answers, ...(count.note !== '' && { note: count.note }) }
}

interface Approved {
  readonly state: 'approved'
  readonly confirmedBy: readonly string[]
  /** The longest note of those who agreed. */
  readonly note: string
  readonly useBy: number
}

type Tally =
  | Approved
  | { readonly state: 'waiting' | 'expired' }
  | { readonly state: 'declined'; readonly answers: readonly boolean[] }

function tally(view: View, review: Placed<ReviewData>, time: string): Tally {
  const now = Date.parse(time)
  const { decideBy, quorum, useWithinMs } = review.data
  const counted = countedDecisions(view, review)
  const refusing = counted.find(({ data }) => data.answers.includes(false))
  if (refusing !== undefined) return { state: 'declined', answers: refusing.data.answers }
  const last = counted[quorum - 1]
  if (last === undefined) {
    return { state: now > Date.parse(decideBy) ? 'expired' : 'waiting' }
  }
  const useBy = last.appendedAt + useWithinMs
  if (now > useBy) return { state: 'expired' }
  const notes = counted.map(({ data }) => data.note ?? '')
  return {
    state: 'approved',
    confirmedBy: counted.map(({ data }) => data.confirmer),
    note: notes.reduce((longest, note) => (note.length > longest.length ? note : longest), ''),
    useBy,
  }
}

function countedDecisions(view: View, review: Placed<ReviewData>): Placed<DecisionData>[] {
  return view.intent.decisions.filter(
    (decision) => decisionRefusal(view, review, decision) === null,
  )
}
