// Policy: is the intent allowed, refused, to be asked of people, or may it wait for learning. It
// holds no rule of its own: the rule chain judges, and this turns the judgement into the next fact.
import type { Draft } from '#core/event'
import { judge, type Judgement } from '#core/judge/judge'
import { nameOf } from '#core/names'
import { caseOf } from '#core/stage/case'
import { callbackCalls, lookedOutside, violationsOf } from '#core/stage/policies'
import { rateDraft } from '#core/stage/rate'
import { reviewDraft } from '#core/stage/review'
import type { Inputs, Stage } from '#core/stage/stage'
import { verdictDraft } from '#core/stage/verdict'
import { unaskable } from '#core/stage/teachable'
import type { View } from '#core/stage/view'

/** So often an intent is ground again, before what is left refuses. */
const attemptsMax = 32

/** After this long a hold ends, and policy denies with the gaps that are left. */
export const holdMsMax = 900_000

export const policy: Stage = {
  name: 'policy',
  kinds: ['grounding', 'withdrawal'],
  calls: (view, context, time) => {
    const found = ready(view)
    return found === null ? [] : callbackCalls(view, context, found.data, time)
  },
  decide,
  deadline: ({ review, hold }) => (review === null ? (hold?.until ?? null) : null),
}

function decide(inputs: Inputs): Draft | null {
  const { view, answers, time } = inputs
  const found = ready(view)
  if (found === null || isHeld(view, time)) return null
  const { message: finding, ground } = found.data
  const known = { finding, ground, violations: violationsOf(found.data, answers) }
  const judgement = judge(caseOf(view, known))
  switch (judgement.outcome) {
    case 'allow':
      return rateDraft(view, answers) ?? verdictDraft(view, judgement, answers, null)
    case 'deny':
      return holdDraft(inputs, judgement) ?? verdictDraft(view, judgement, answers, null)
    case 'ask':
    case 'review': {
      const review = reviewDraft(inputs, { questions: judgement.questions, ground })
      if (review !== null) return review
      const alone = judge(caseOf(view, known, { state: 'no_confirmer' }))
      return verdictDraft(view, alone, answers, null)
    }
  }
}

// The grounding to judge by: that of the attempt that is due, and only while nobody has been asked.
function ready(view: View): View['intent']['grounding'] {
  const { grounding, attempt, review } = view.intent
  return grounding !== null && grounding.data.attempt === attempt && review === null
    ? grounding
    : null
}

function isHeld(view: View, time: string): boolean {
  const { hold, attempt, withdrawnAt } = view.intent
  if (hold === null || hold.attempt !== attempt || withdrawnAt !== null) return false
  return Date.parse(time) < hold.until
}

function holdDraft({ view, answers }: Inputs, judgement: Judgement): Draft<'hold'> | null {
  const { intent, opening, catalog, now } = view
  const { grounding } = intent
  const onlyGaps = judgement.reasons.every(({ code }) => code === 'ungrounded')
  if (!catalog.learning || opening.request?.onGap !== 'learn' || !onlyGaps) return null
  // A hold that has ended is not opened again: the gaps that are left refuse.
  if (grounding === null || intent.hold !== null || opening.request.observe === true) return null
  // Nor is anybody kept waiting for what nobody will be asked.
  if (intent.attempt > attemptsMax || unaskable(view) !== null) return null
  return {
    kind: 'hold',
    name: nameOf(view.place, 'hold', intent.address, intent.attempt),
    data: {
      attempt: intent.attempt,
      gaps: grounding.data.ground?.gaps ?? [],
      grounding: grounding.name,
      intent: view.ref,
      until: new Date(now + holdMsMax).toISOString(),
      ...lookedOutside(answers),
    },
  }
}
