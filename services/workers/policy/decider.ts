// Policy: is the intent allowed, refused, to be asked of people, or may it wait for learning. It
// holds no rule of its own: the rule chain judges, and this turns the judgement into the next fact.
import type { Draft } from '#record/event'
import { isRefusedAnyway, judge, type Judgement } from '#rules/chain/judge'
import { isObserved, isOfSeveral } from '#rules/chain/judged'
import { nameOf } from '#record/names'
import { caseOf, hasStopped, waitToAsk } from '#stages/case'
import { callbackCalls, checksOf, lookedOutside, violationsOf, type Asked } from '#stages/policies'
import { askedPolicies } from '#stages/chain/asked-policies'
import { restingOn } from '#stages/resting'
import { askedDraft, useDraft } from '#stages/rate'
import { reviewDraft, type ReviewRequest } from '#stages/review'
import { setAsideDraft } from '#stages/set-aside'
import { severalDraft } from '#stages/search/found'
import type { Inputs, Stage } from '#stages/stage'
import { verdictDraft } from '#stages/verdict'
import { unaskable } from '#stages/teachable'
import type { Context, View } from '#stages/view'
import type { GroundingData } from '#schemas/facts'

/** So often an intent is ground again, before what is left refuses. */
const attemptsMax = 32

/** After this long a hold ends, and policy denies with the gaps that are left. */
export const holdMsMax = 900_000

export const policy: Stage = {
  name: 'policy',
  kinds: ['grounding', 'withdrawal'],
  calls: (view, context, time) => {
    const found = ready(view, context)
    if (found === null || view.intent.setAside !== undefined) return []
    if (isOfSeveral(view.opening.request)) return []
    const asking = askedPolicies(view, context, found)
    if (refusedAnyway(view, context, found, asking) !== null) return []
    return callbackCalls(view, context, asking, time)
  },
  decide,
  deadline: ({ review, hold }, stopped) => {
    if (review !== null) return null
    return stopped ? 0 : (hold?.until ?? null)
  },
}

function decide(inputs: Inputs): Draft | null {
  const { view, context, answers } = inputs
  const found = ready(view, context)
  if (found === null) return null
  const aside = setAsideDraft(inputs)
  if (aside !== null) return aside
  if (isHeld(inputs)) return null
  if (isOfSeveral(view.opening.request)) return severalDraft(inputs, found)
  // Where checks were run it was not: their answers are those of the calls above.
  const asking = askedPolicies(view, context, found)
  const refused = answers.length > 0 ? null : refusedAnyway(view, context, found, asking)
  if (refused !== null) return verdictDraft(inputs, refused, [], null, checksOf(asking))
  const { message: finding, ground } = found
  const violations = violationsOf(asking, answers)
  const known = { finding, ground, violations, context }
  const of = caseOf(view, known)
  const judgement = judge(of)
  switch (judgement.outcome) {
    case 'allow':
      return useDraft(view, answers) ?? verdictDraft(inputs, judgement, answers, null)
    case 'deny':
      return holdDraft(inputs, judgement) ?? verdictDraft(inputs, judgement, answers, null)
    case 'ask':
    case 'review':
      return asked(inputs, { questions: judgement.questions, ground, violations, of })
  }
}

/**
 * The refusal that no check could change, where there are checks: then none of them is run. What
 * may wait for learning is checked, since only gaps may stand in its way.
 */
function refusedAnyway(
  view: View,
  context: Context,
  found: GroundingData,
  asking: Asked,
): Judgement | null {
  if (checksOf(asking).length === 0) return null
  const { message: finding, ground } = found
  const violations = violationsOf(asking, []).filter(({ callback }) => callback === null)
  const alone = judge(caseOf(view, { finding, ground, violations, context }))
  return isRefusedAnyway(alone, { gapsMayClose: mayWait(view, context) }) ? alone : null
}

// What people have answered beforehand they are not asked. Their attention is counted before they
// are, or one agent could take all of it.
function asked(inputs: Inputs, wanted: ReviewRequest): Draft {
  const { view, answers } = inputs
  const { of } = wanted
  const resting = restingOn(inputs, wanted)
  if (resting !== null) {
    const yes = wanted.questions.map(() => true)
    const judgement = judge({ ...of, review: { state: 'answered', answers: yes } })
    if (judgement.outcome === 'allow') {
      return useDraft(view, answers, resting) ?? verdictDraft(inputs, judgement, answers, resting)
    }
  }
  const review = reviewDraft(inputs, wanted)
  if ('cause' in review) {
    const alone = judge({ ...of, review: { state: 'no_confirmer', cause: review.cause } })
    return verdictDraft(inputs, alone, answers, null)
  }
  const rate = waitToAsk(view)
  if (rate !== null) return verdictDraft(inputs, judge({ ...of, rate }), answers, null)
  return askedDraft(view, answers) ?? review
}

// The grounding to judge by: that of the attempt that is due, and only while no one has been asked.
function ready({ intent }: View, { grounding }: Context): GroundingData | null {
  if (grounding === null || intent.review !== null) return null
  return grounding.attempt === intent.attempt ? grounding : null
}

function isHeld({ view, context, time }: Inputs): boolean {
  const { hold, attempt } = view.intent
  if (hold === null || hold.attempt !== attempt || hasStopped(view, context)) return false
  return Date.parse(time) < hold.until
}

/** Whether it may be kept waiting for what it lacks to become known. */
function mayWait(view: View, context: Context): boolean {
  const { intent, opening, catalog } = view
  if (!catalog.learning || opening.request?.onGap !== 'learn') return false
  // A hold that has ended is not opened again: the gaps that are left refuse.
  if (intent.hold !== null || isObserved(opening.request)) return false
  // Nor is it kept waiting for what no one will be asked.
  return intent.attempt <= attemptsMax && unaskable(view, context) === null
}

function holdDraft({ view, context, answers }: Inputs, judgement: Judgement): Draft<'hold'> | null {
  const { intent, now } = view
  const { grounding } = intent
  const onlyGaps = judgement.reasons.every(({ code }) => code === 'ungrounded')
  if (grounding === null || !onlyGaps || !mayWait(view, context)) return null
  return {
    kind: 'hold',
    name: nameOf(view.place, 'hold', intent.address, intent.attempt),
    data: {
      attempt: intent.attempt,
      gaps: context.grounding?.ground?.gaps ?? [],
      grounding: grounding.name,
      intent: view.ref,
      until: new Date(now + holdMsMax).toISOString(),
      ...lookedOutside(answers),
    },
  }
}
