// The one rule chain: what an intent comes to, from what is known of it. The stages, a release, a
// replay and the offline commands all judge by this function. Total: it never throws, and what is
// missing refuses or is not asked.
import type { JsonObject } from '#schemas/catalog'
import type { Question } from '#schemas/review'
import type { ValueFound } from '#schemas/values'
import { isDerived } from '#knowledge/known/known-value'
import { reasonCodes, type Reason, type ReasonCode, type Recover } from '#schemas/reasons'
import { conditionResults } from './conditions.ts'
import { constraintsOf } from './constraints.ts'
import { questionsOf } from './questions.ts'
import { rules } from './rules.ts'
import { ofOthers } from './delegated.ts'
import type { Case } from './rule-input.ts'

/**
 * `ask`: a reason is all that is missing, and the one question asks for it. `review`: people must
 * answer the questions. Both only while no one has been asked; afterwards there is only yes or no.
 */
export interface Judgement {
  readonly outcome: 'allow' | 'deny' | 'ask' | 'review'
  /** In order of precedence, all that can be known. Empty for `allow` and `review`. */
  readonly reasons: readonly Reason[]
  /** What people are to be asked: nothing where it is refused anyway. */
  readonly questions: readonly Question[]
  /** What an allow is bound to; empty for everything else. */
  readonly constraints: JsonObject
  /** Of an allow: where values come from that no one whose word counts has said as they are. */
  readonly derived?: readonly ValueFound[]
}

const checked = reasonCodes.indexOf('policy_faulted')

/**
 * Whether a case that was judged without what its checks say is refused whatever they would say.
 * `gapsMayClose`: its gaps alone may still be waited out, and then the checks matter.
 */
export function isRefusedAnyway(
  { outcome, reasons }: Judgement,
  { gapsMayClose }: { readonly gapsMayClose: boolean },
): boolean {
  if (outcome !== 'deny') return false
  return reasons.some(({ code }) => {
    if (rules[code].isLimit === true) return true
    if (code === 'ungrounded' && gapsMayClose) return false
    return reasonCodes.indexOf(code) < checked
  })
}

const capabilityNamed = reasonCodes.indexOf('capability_suspended')

/** Whether it refuses the message, who sent it or the capability, whatever else is asked. */
export function isAboutAsking({ code }: Reason): boolean {
  return reasonCodes.indexOf(code) <= capabilityNamed || code === 'withdrawn'
}

export function judge(of: Case): Judgement {
  const questions = questionsOf(of)
  const reasons = reasonsOf(of, questions)
  if (reasons.length > 0) return refused(of, reasons, questions)
  if (questions.length > 0 && of.review === undefined) {
    return { outcome: 'review', reasons, questions, constraints: {} }
  }
  const allowed = {
    outcome: 'allow',
    reasons,
    questions: [],
    constraints: constraintsOf(of),
  } as const
  return { ...allowed, ...derivedOf(of) }
}

const noneDerived: Pick<Judgement, 'derived'> = {}

function derivedOf({ values }: Case): Pick<Judgement, 'derived'> {
  if (values === undefined || values.length === 0) return noneDerived
  const derived = values.flatMap(({ found }) => (isDerived(found) ? found : []))
  return derived.length === 0 ? {} : { derived }
}

function reasonsOf(of: Case, questions: readonly Question[]): readonly Reason[] {
  const reasons: Reason[] = []
  for (const code of reasonCodes) {
    const { recover, find } = rules[code]
    const own = find(of, questions)
    const others = ofOthers(of, own, find, questions)
    // Of nearly every code nothing is found.
    if (own.length + others.length === 0) continue
    for (const params of [...own, ...others]) {
      reasons.push({ code, recover: recoverBy(of, code, params) ?? recover, params })
    }
  }
  return reasons
}

/** Where it depends on more than the code; of a condition its author knows. */
function recoverBy(of: Case, code: ReasonCode, params: Reason['params']): Recover | undefined {
  const { rule, cause, fault } = params
  if (code === 'policy_faulted' && fault?.code === 'condition_sessionless') return 'fix'
  if (code === 'budget_exceeded' && cause === 'alone') return 'never'
  if (code === 'budget_invalid' && cause === 'tenant_missing') return 'never'
  if (code !== 'policy_blocked' || rule === undefined) return undefined
  const found = conditionResults(of).find(({ condition }) => condition.name === rule)
  return found === undefined || found.condition.effect === 'confirm'
    ? undefined
    : found.condition.recover
}

function refused(of: Case, reasons: readonly Reason[], questions: readonly Question[]): Judgement {
  const [reason] = reasons
  const reasonIsAll =
    reasons.length === 1 &&
    reason?.code === 'insufficient_justification' &&
    questions[0]?.kind === 'justification'
  if (!reasonIsAll) return { outcome: 'deny', reasons, questions: [], constraints: {} }
  const asked = [{ ...reason, recover: 'ask' as const }]
  if (of.review !== undefined) {
    return { outcome: 'deny', reasons: asked, questions: [], constraints: {} }
  }
  return { outcome: 'ask', reasons: asked, questions, constraints: {} }
}
