// What a search comes to: of each one that it looks at, whether an evaluation about it would be an
// allow, by the same rules and at the same basis. It asks no one, uses nothing up, and runs no
// callback: what would need one is not found.
import { searchedMax } from '#schemas/intent'
import type { Reason } from '#schemas/reasons'
import type { EvaluationResult, GroundingData, SearchFound } from '#schemas/facts'
import type { Draft } from '#record/event'
import { effective } from '#rules/chain/effective'
import { isAboutAsking, isRefusedAnyway, judge } from '#rules/chain/judge'
import { isCounted } from '#rules/chain/judged'
import { groundOf } from '../asked.ts'
import { caseOf } from '../case.ts'
import { askedPolicies } from '../chain/asked-policies.ts'
import { checksOf, violationsOf, type LeftOut } from '../policies.ts'
import type { Inputs } from '../stage.ts'
import { reasonsMax, verdictDraft } from '../verdict.ts'
import { capabilityOf, type View } from '../view.ts'
import { candidatesCount } from './searched.ts'

/** So many checks that were left out are named. */
const notRunMax = 32

const answered = { outcome: 'allow', reasons: [], questions: [], constraints: {} } as const

type Known = Pick<Inputs, 'view' | 'context'>

/** Of a search, and of several evaluations. */
export function severalDraft(inputs: Known, grounding: GroundingData): Draft<'verdict'> {
  const reasons = refusals(inputs, grounding)
  if (reasons.length > 0) {
    const denied = { outcome: 'deny', reasons, questions: [], constraints: {} } as const
    return verdictDraft(inputs, denied, [], null)
  }
  if (inputs.view.opening.request?.search === undefined) return resultsDraft(inputs, grounding)
  const { found, notRun } = foundIn(inputs, grounding)
  const draft = verdictDraft(inputs, answered, [], null, notRun)
  return { ...draft, data: { ...draft.data, found } }
}

/** Why it is not answered at all. */
function refusals(
  { view, context }: Known,
  { message: finding }: GroundingData,
): readonly Reason[] {
  const of = caseOf(view, { finding, ground: null, violations: [], context })
  // A search for actions names no capability, and of evaluations each names its own.
  const { search, evaluations } = view.opening.request ?? {}
  const isOfNone = search?.for === 'actions' || evaluations !== undefined
  const { reasons } = judge(isOfNone ? { ...of, capability: undefined } : of)
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
    const { judgement, checks } = evaluated({ view: one.view, context }, grounding)
    if (judgement.outcome === 'allow') ids.push(one.id)
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

/** Of all results together: the fact has room for so much. */
const resultsCharactersMax = 128 * 1024

// What anything else has a part in is asked by itself: people, grants, uses of limits and budgets,
// and callbacks, of which a hundred at once would be a load that no one asked for.
function resultsDraft({ view, context }: Known, grounding: GroundingData): Draft<'verdict'> {
  let characters = 0
  const results = view.searched.map((one): EvaluationResult => {
    const result = resultOf({ view: one.view, context }, grounding)
    characters += JSON.stringify(result).length
    return characters > resultsCharactersMax ? apart : result
  })
  const draft = verdictDraft({ view, context }, answered, [], null)
  return { ...draft, data: { ...draft.data, results } }
}

const apart: EvaluationResult = { outcome: 'alone' }

function resultOf(known: Known, grounding: GroundingData): EvaluationResult {
  const { catalog, opening } = known.view
  const { judgement, isChecked } = evaluated(known, grounding)
  if (isChecked || isCounted(catalog, opening, false)) return apart
  const { outcome, reasons, constraints } = judgement
  if (outcome === 'allow') return { outcome, constraints: { ...constraints } }
  const isWhole = outcome === 'deny' && reasons.length <= reasonsMax
  return isWhole ? { outcome, reasons: [...reasons] } : apart
}

/** What an evaluation of it comes to, as far as it is known without callbacks. */
function evaluated({ view, context }: Known, grounding: GroundingData) {
  const { ground, cardinality } = groundedAs(view, grounding)
  const asked = askedPolicies(view, context, { ground, cardinality })
  const violations = violationsOf(asked, [])
  const of = caseOf(view, { finding: grounding.message, ground, violations, context })
  const judgement = judge(of)
  const checks = checksOf(asked)
  if (checks.length === 0) return { judgement, checks, isChecked: false }
  const alone = violations.filter(({ callback }) => callback === null)
  const isRefused = isRefusedAnyway(judge({ ...of, violations: alone }), { gapsMayClose: false })
  return { judgement, checks: isRefused ? [] : checks, isChecked: true }
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
