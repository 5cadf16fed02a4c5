// The case that the rule chain judges, from what is known of an intent at a view. The policy stage,
// the release of a review and a replay all judge by this.
import type { Ground, MessageFinding } from '#schemas/facts'
import { patternsUnder } from '#rules/catalog/arguments'
import { hasRules } from '#rules/catalog/rules-version'
import { limitOf, rulesBuiltIn } from '#rules/catalog/catalog'
import { hasStanding } from '#rules/catalog/work-settings'
import { cellElsewhere } from '#rules/catalog/cells'
import { evaluationCase } from '#rules/chain/judged'
import type { Case } from '#rules/chain/rule-input'
import type { Violation } from '#rules/chain/violation'
import { waitForUse } from '#state/slices/uses/uses'
import { openServedMax } from '#state/agents'
import { budgetCases } from './budgets/budget-cases.ts'
import { delegatedCase } from './chain/delegated-case.ts'
import { isUnseen } from './release.ts'
import { sceneOf } from './scene/scene.ts'
import { standingCase } from './standing-case.ts'
import { knownValues } from './values/known-values.ts'
import { capabilityOf, type Context, type View } from './view.ts'

export interface CaseFindings {
  readonly finding: MessageFinding
  readonly ground: Ground | null
  readonly violations: readonly Violation[]
  readonly context: Context
}

export function caseOf(view: View, known: CaseFindings, review?: Case['review']): Case {
  const capability = capabilityOf(view)
  const { request } = view.opening
  const { agent } = view.ref
  const { standing } = view
  const evaluation = evaluationCase(view.catalog, view.opening)
  const own = view.catalog.principals.get(agent) ?? null
  const principal = evaluation === null ? own : evaluation.subject
  const { finding, ground, violations, context } = known
  const delegated = delegatedCase(view, context, ground)
  const gaps = ground === null ? null : { grounded: ground.grounded, gaps: ground.gaps }
  return {
    message: finding,
    agent,
    moving: view.intent.moving === true || evaluation?.subject?.moving === true,
    // What an agent has open, and how often it may act, is counted in its own cell alone.
    elsewhere: elsewhereOf(view),
    block: view.block ?? context.block,
    principal,
    standing: standingCase(view.catalog, { principal: view.judged, standing, capability }),
    askerStanding: askerStanding(view),
    rules: view.catalog.conditions,
    builtIn: rulesBuiltIn(view.catalog),
    patterns: patternsUnder(view.catalog),
    argumentNames: hasRules(view.catalog, 'argumentNames'),
    input: sceneOf(view, context, ground),
    violations,
    values: knownValues(view, context),
    rate: rateOf(view),
    budgets: budgetCases(view),
    withdrawn: withdrawnHow(view),
    unseen: isUnseen(view),
    // What may be absent comes last: an object is made sooner so.
    ...(request !== null && { capability, request }),
    ...(gaps !== null && { grounding: gaps }),
    ...(view.intent.beyond && { openMax: openServedMax }),
    ...(view.intent.equalTo !== undefined && { equalTo: view.intent.equalTo }),
    ...(review !== undefined && { review }),
    ...(view.unsettled !== null && { unsettled: view.unsettled.address }),
    ...(delegated !== null && { delegated }),
    ...(evaluation !== null && { evaluation }),
  }
}

function withdrawnHow({ intent: { withdrawn, replacedBy } }: View): Case['withdrawn'] {
  if (withdrawn === 'replaced' && replacedBy !== undefined) return { replacedBy }
  return withdrawn === 'correction' ? withdrawn : withdrawn !== null
}

// Who may do nothing may not ask about others either.
function askerStanding({ catalog, ref, judged, askerStanding: earned }: View): number | null {
  const isSuspended = judged !== ref.agent && (earned?.suspendedBy ?? null) !== null
  return isSuspended && hasStanding(catalog, ref.agent) ? (earned?.value ?? null) : null
}

function elsewhereOf({ catalog, place, ref, judged }: View): Case['elsewhere'] {
  const own = cellElsewhere(catalog, place, ref.agent)
  return judged === ref.agent ? own : (own ?? cellElsewhere(catalog, place, judged))
}

/** The limit on uses of the capability by this agent; null where there is none. */
export function usesLimit(view: View): { readonly uses: number; readonly windowMs: number } | null {
  const capability = capabilityOf(view)
  if (capability === null) return null
  return limitOf(view.catalog, capability, view.catalog.principals.get(view.judged))
}

function rateOf(view: View): Case['rate'] {
  const limit = usesLimit(view)
  // The use that this intent holds already is its own; it is not counted against it.
  if (limit === null || view.intent.used) return { limited: false }
  const waitMs = waitForUse(view.uses, limit, view.now)
  return { limited: waitMs > 0, waitMs, ...limit }
}

/** How long until people may be asked for this agent again; null where that is now. */
export function waitToAsk(view: View): Case['rate'] | null {
  const limit = usesLimit(view)
  if (limit === null || view.intent.asked) return null
  const waitMs = waitForUse(view.asks, limit, view.now)
  return waitMs > 0 ? { limited: true, waitMs, ...limit } : null
}

/** Whether the agent was stopped or took it back, so that nothing else has to be waited for. */
export function hasStopped(view: View, context: Context): boolean {
  if (view.intent.withdrawn !== null || view.block !== null || context.block !== null) return true
  if (view.standing?.suspendedBy && hasStanding(view.catalog, view.judged)) return true
  if (askerStanding(view) !== null) return true
  return view.catalog.principals.get(view.ref.agent)?.suspended === true
}
