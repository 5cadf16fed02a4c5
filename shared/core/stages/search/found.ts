// What a search comes to: of each one that it looks at, whether an evaluation about it would be an
// allow, by the same rules and at the same basis. It asks no one, uses nothing up, and runs no
// callback: what would need one is not found.
import { searchedMax } from '#schemas/intent'
import type { Reason } from '#schemas/reasons'
import type { SearchFound, GroundingData } from '#schemas/facts'
import type { Draft } from '../../kernel/event.ts'
import { effective } from '../../rules/effective.ts'
import { isAboutAsking, isRefusedAnyway, judge } from '../../rules/judge.ts'
import { groundOf } from '../asked.ts'
import { caseOf } from '../case.ts'
import { askedPolicies } from '../chain/asked-policies.ts'
import { checksOf, violationsOf, type LeftOut } from '../policies.ts'
import type { Inputs } from '../stage.ts'
import { verdictDraft } from '../verdict.ts'
import { capabilityOf, type View } from '../view.ts'
import { candidatesCount } from './searched.ts'

/** So many checks that were left out are named. */
const notRunMax = 32

type Known = Pick<Inputs, 'view' | 'context'>

export function searchDraft(inputs: Known, grounding: GroundingData): Draft<'verdict'> {
  const reasons = refusals(inputs, grounding)
  if (reasons.length > 0) {
    const denied = { outcome: 'deny', reasons, questions: [], constraints: {} } as const
    return verdictDraft(inputs, denied, [], null)
  }
  const { found, notRun } = foundIn(inputs, grounding)
  const answered = { outcome: 'allow', reasons: [], questions: [], constraints: {} } as const
  const draft = verdictDraft(inputs, answered, [], null, notRun)
  return { ...draft, data: { ...draft.data, found } }
}

/** Why it is not answered at all. */
function refusals(
  { view, context }: Known,
  { message: finding }: GroundingData,
): readonly Reason[] {
  const of = caseOf(view, { finding, ground: null, violations: [], context })
  // A search for actions names no capability.
  const isOfActions = view.opening.request?.search?.for === 'actions'
  const { reasons } = judge(isOfActions ? { ...of, capability: undefined } : of)
  return reasons.filter(isAboutAsking)
}

interface Looked {
  readonly found: SearchFound
  readonly notRun: readonly LeftOut[]
}

function foundIn({ view, context }: Known, grounding: GroundingData): Looked {
  const { from = 0, limit = searchedMax } = view.opening.request?.search ?? {}
  const ids: string[] = []
  const notRun = new Map<string, LeftOut>()
  let searched = 0
  for (const one of view.searched) {
    if (ids.length >= limit) break
    searched += 1
    const { isAllowed, checks } = evaluated({ view: one.view, context }, grounding)
    if (isAllowed) ids.push(one.id)
    for (const check of checks) {
      if (notRun.size < notRunMax) notRun.set(JSON.stringify(check), check)
    }
  }
  const next = from + searched
  const isAll = next >= candidatesCount(view.catalog, view.opening)
  return {
    found: { ids, searched, ...(!isAll && { next }) },
    notRun: [...notRun.values()],
  }
}

/** Whether an evaluation of it would be an allow, as far as it is known without callbacks. */
function evaluated({ view, context }: Known, grounding: GroundingData) {
  const { ground, cardinality } = groundedAs(view, grounding)
  const asked = askedPolicies(view, context, { ground, cardinality })
  const violations = violationsOf(asked, [])
  const of = caseOf(view, { finding: grounding.message, ground, violations, context })
  const isAllowed = judge(of).outcome === 'allow'
  const checks = checksOf(asked)
  if (checks.length === 0) return { isAllowed, checks }
  const alone = violations.filter(({ callback }) => callback === null)
  const isRefused = isRefusedAnyway(judge({ ...of, violations: alone }), { gapsMayClose: false })
  return { isAllowed, checks: isRefused ? [] : checks }
}

// The grounding is of the capability that the message names; actions have one each.
function groundedAs(
  view: View,
  grounding: GroundingData,
): Pick<GroundingData, 'ground' | 'cardinality'> {
  const { request } = view.opening
  const capability = capabilityOf(view)
  if (capability?.id === grounding.capability || request === null || capability === null) {
    return grounding
  }
  return { ground: groundOf(view), cardinality: effective(capability, request).cardinality }
}
