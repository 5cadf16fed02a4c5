// What people would have to agree to, in a fixed order: first what the message itself asks for,
// then the policies as they are stored, then the values that are not known. Whether anyone is
// really asked is decided elsewhere.
import type { Question } from '#schemas/review'
import { builtInRules } from '#schemas/rules/built-in'
import { canonical, jsonOf } from '#record/canonical'
import { conditionResults } from './conditions.ts'
import { isJustified } from './justification.ts'
import { isKnown } from '#knowledge/known/known-value'
import { othersOf, type Case } from './rule-input.ts'

/**
 * A missing reason becomes a question only where it is the one thing to ask: it goes to the owner,
 * who may not be whom the other questions go to, and the agent can give it with its next request.
 */
export function questionsOf(of: Case): readonly Question[] {
  const questions = joined([
    ofMessage(of),
    ofStanding(of),
    ofRelease(of),
    ofUnsettled(of),
    ofPolicies(of),
    distinct(joined([ofConditions(of), ...othersOf(of).map(ofConditions)])),
    ofValues(of),
  ])
  if (questions.length > 0 || !lacksJustification(of)) return questions
  return [justification(of)]
}

/** Whether a justification is needed that the request does not give. */
export function lacksJustification({ capability, request, builtIn }: Case): boolean {
  if (capability === undefined || capability === null) return false
  const { safetyClass, sensitivity } = capability
  const { justificationFor, justificationCharacters } = builtIn ?? builtInRules
  const isNeeded = justificationFor.some((of) => of === safetyClass || of === sensitivity)
  return isNeeded && !isJustified(request?.justification, justificationCharacters)
}

// It names no confirmation: the default one asks the owner, whatever the capability's own is.
function justification({ builtIn = builtInRules }: Case): Question {
  const { justificationCharacters: characters } = builtIn
  const isUsual = characters === builtInRules.justificationCharacters
  return { kind: 'justification', ...(!isUsual && { characters }) }
}

const none: readonly Question[] = []

// Nearly always nothing is asked: then no list is made.
function joined(lists: readonly (readonly Question[])[]): readonly Question[] {
  return lists.every(({ length }) => length === 0) ? none : lists.flat()
}

function ofMessage({ message, capability }: Case): readonly Question[] {
  if (message === undefined) return none
  if (message.safetyLevel !== 'review' && !message.requiresHuman && !message.unearnedConfidence) {
    return none
  }
  const questions: Question[] = []
  if (message.safetyLevel === 'review') {
    questions.push({ kind: 'safety_review', ...confirmedBy(capability?.confirmation) })
  }
  if (message.requiresHuman) {
    questions.push({ kind: 'requires_human', ...confirmedBy(capability?.confirmation) })
  }
  if (message.unearnedConfidence) {
    questions.push({ kind: 'unearned_confidence', ...confirmedBy(capability?.confirmation) })
  }
  return questions
}

// Who has not earned it acts with someone's agreement.
function ofStanding({ standing, capability }: Case): readonly Question[] {
  if (standing === undefined || standing === null || standing.asks === null) return none
  const { level, asks } = standing
  if (level === 'suspended') return none
  const { confirmation = capability?.confirmation, quorum } = asks
  return [
    {
      kind: 'standing',
      level,
      ...(quorum !== undefined && { quorum }),
      ...confirmedBy(confirmation),
    },
  ]
}

// People added what it lacked, and no one saw what it would do with that.
function ofRelease({ unseen, capability }: Case): readonly Question[] {
  return unseen === true ? [{ kind: 'released', ...confirmedBy(capability?.confirmation) }] : none
}

// What may have been done already is not done again blindly.
function ofUnsettled({ unsettled: intent, capability }: Case): readonly Question[] {
  if (intent === undefined) return none
  return [{ kind: 'outcome_unknown', intent, ...confirmedBy(capability?.confirmation) }]
}

// A callback that passed does not answer for the person, and one that failed is shown: the person
// may overrule it. One that faulted is no question: it refuses.
function ofPolicies({ violations, capability }: Case): readonly Question[] {
  if (violations.length === 0) return none
  const questions: Question[] = []
  for (const { policy, source, target, message, callback } of violations) {
    if (!policy.requiresConfirmation) continue
    if (callback !== null && callback.fault !== undefined) continue
    questions.push({
      kind: 'policy',
      ...(message !== null && { message }),
      policy: policy.name,
      source,
      target,
      ...confirmedBy(policy.confirmation ?? capability?.confirmation),
      callback: callback === null ? null : resultOf(callback),
    })
  }
  return questions
}

// What is asked for several of those whom it acts for is asked once.
function distinct(questions: readonly Question[]): readonly Question[] {
  if (questions.length <= 1) return questions
  return [...new Map(questions.map((one) => [canonical(jsonOf(one)), one])).values()]
}

function ofConditions(of: Case): readonly Question[] {
  const results = conditionResults(of)
  if (results.length === 0) return none
  return results.flatMap(({ condition, holds }) => {
    if (condition.effect !== 'confirm' || holds !== true) return []
    const { name: rule, question: message, confirmation } = condition
    const said = message === undefined ? {} : { message }
    const by = confirmedBy(confirmation ?? of.capability?.confirmation)
    return [{ kind: 'condition' as const, ...said, rule, ...by }]
  })
}

function ofValues({ values, capability }: Case): readonly Question[] {
  if (values === undefined || values.length === 0) return none
  return values.flatMap(({ found, unknown }) => {
    if (unknown !== 'ask' || isKnown(found)) return []
    return [
      { kind: 'value_unknown', value: found, ...confirmedBy(capability?.confirmation) } as const,
    ]
  })
}

function resultOf(result: { readonly passed: boolean; readonly message?: string | undefined }) {
  const { passed, message } = result
  return message === undefined ? { passed } : { passed, message }
}

function confirmedBy(confirmation: string | undefined) {
  return confirmation === undefined ? {} : { confirmation }
}
