// One line of `decide`, judged alone by the rule chain that the stages use. Total: a line that
// cannot be read is answered with an error, and nothing is looked up but what the line says.
import type { Graph } from '#knowledge/graph/revision'
import { ground, type GroundingAnswer } from '#knowledge/grounding/ground'
import { JsonObject, type Capability, type Principal } from '#schemas/catalog'
import type { Level } from '#schemas/graph'
import { didYouMean, nearest, quoted } from '#record/quote'
import type { ReasonCode, Recover } from '#schemas/reasons'
import { completedArguments, patternsUnder, type Patterns } from '#rules/catalog/arguments'
import { rulesBuiltIn, type Catalog } from '#rules/catalog/catalog'
import { effective, type Effective } from '#rules/chain/effective'
import { attributesOf } from '#knowledge/known/evidence/value-evidence'
import { loadSeeking, valuesSought } from '#knowledge/known/finding-values'
import { judge, type Judgement } from '#rules/chain/judge'
import type { Violation } from '#rules/chain/violation'
import { hasRules } from '#rules/catalog/rules-version'
import { evidenceAmong, saidAmong, type GivenEvidence } from '#stages/evidence/given'
import { checksOf, violationsOf, type LeftOut } from '#stages/policies'
import { callInput } from '#stages/scene/call-input'
import { resultsBy, withOwners } from '#stages/values/known-values'
import type { CallbackAnswer } from '#schemas/callbacks'
import { readDecideLine, type DecideLine, type LineRequest } from './decide-line.ts'
import { graphInLine } from './graph-in-line.ts'
import { lineRefusal, type LineRefusal } from '#cli/terminal/lines'
import { amountOfNumber, amountOfText } from '#rules/budgets/decimal'
import { maxAmount } from '#rules/catalog/budget-checks'
import type { BudgetCase } from '#rules/chain/rule-input'
import { readBudgets, type BudgetCall } from '#stages/budgets/asked-budgets'
import { budgetCase } from '#stages/budgets/budget-cases'

export interface DecidedLine {
  readonly outcome: Judgement['outcome']
  /** Each code once with each way to recover, in order of precedence. */
  readonly reasons: readonly { readonly code: ReasonCode; readonly recover: Recover }[]
  readonly constraints: JsonObject
}

export interface OfflineBase {
  readonly catalog: Catalog
  readonly graph: Graph
  /** When a line is asked that does not say it: RFC 3339, UTC; 1970 if it is not given. */
  readonly time?: string
  /** What the callback of a policy answers; where it does not, the policy has faulted. */
  readonly callbacks?: (asked: CheckAsked) => CheckReply | undefined
}

export type CheckReply = Pick<CallbackAnswer, 'passed' | 'message' | 'applies' | 'fault'>

/** A check that a line calls, and all that it may be given. */
export interface CheckAsked extends LeftOut {
  readonly agent: string
  readonly tool: string
  readonly request: LineRequest
  readonly ground: Pick<GroundingAnswer, 'resolved'> & { readonly minDepth?: Level }
  readonly session: string | null
  /** What counts of the earlier messages that the line has. */
  readonly evidence: readonly unknown[]
  /** After all of that. */
  readonly position: number
  /** Null where the line does not say it. */
  readonly now: string | null
}

/** Loads what judging calls of this catalog needs; of other capabilities, `loadSeeking` does. */
export async function loadJudging({ capabilities }: Catalog): Promise<void> {
  const isNeeded = [...capabilities.values()].some(({ known = [] }) => known.length > 0)
  if (isNeeded) await loadSeeking()
}

/** The answer to one line of `decide`. */
export function decideLine(value: unknown, base: OfflineBase): DecidedLine | LineRefusal {
  const judged = judgeLine(value, base)
  if ('error' in judged) return judged
  const { outcome, reasons, constraints } = judged.judgement
  return { outcome, reasons: reasonsOnce(reasons), constraints }
}

/** What one line comes to, and what it was judged by. */
export interface JudgedLine {
  readonly judgement: Judgement
  readonly violations: readonly Violation[]
  readonly gaps: GroundingAnswer['gaps']
}

/** The same with all that it was judged by. */
export function judgeLine(value: unknown, base: OfflineBase): JudgedLine | LineRefusal {
  const { line, problem } = readDecideLine(value)
  if (problem !== undefined) return lineRefusal(problem)
  const graph = graphInLine(line.graph) ?? base.graph
  if ('error' in graph) return graph
  const stray = strayBudget(line.used, base.catalog)
  if (stray !== null) return lineRefusal({ at: 'used', message: stray })
  const principal = personIn(line.principal, base.catalog)
  if (typeof principal === 'string') return lineRefusal({ at: 'principal', message: principal })
  const owner = ownerOf(line, principal, base.catalog)
  if (typeof owner === 'string') return lineRefusal({ at: 'owner', message: owner })
  return judgedAs(line, { principal, owner }, { ...base, graph })
}

/** Or what is wrong with it. */
function personIn(given: DecideLine['principal'], { principals }: Catalog): Principal | string {
  if (typeof given !== 'string') return given
  const found = principals.get(given)
  if (found !== undefined) return found
  return `the catalog has no ${quoted(given)}${didYouMean(nearest(principals.keys(), given))}`
}

/** Null where no one is named, or one whom the catalog does not have. */
function ownerOf(
  { owner }: DecideLine,
  { owner: named }: Principal,
  catalog: Catalog,
): Principal | string | null {
  if (owner !== undefined && owner !== null) return personIn(owner, catalog)
  return named === undefined ? null : (catalog.principals.get(named) ?? null)
}

/** Who asks, and whose agent that is. */
interface Asking {
  readonly principal: Principal
  readonly owner: Principal | null
}

function judgedAs(given: DecideLine, { principal, owner }: Asking, base: OfflineBase): JudgedLine {
  const capability = given.capability ?? base.catalog.capabilities.get(given.tool) ?? null
  const line = completedLine(given, capability, patternsUnder(base.catalog))
  const { request } = line
  const asked = {
    tool: line.capability?.id ?? line.tool,
    args: request.args ?? undefined,
    justification: request.justification ?? undefined,
    constraints: request.constraints ?? undefined,
    scope: request.scope ?? undefined,
  }
  if (capability === null) {
    const judgement = judge({ principal, capability, request: asked, violations: [] })
    return { judgement, violations: [], gaps: [] }
  }
  const needs = effective(capability, {
    concepts: request.concepts ?? undefined,
    cardinality: request.cardinality ?? undefined,
    minDepth: request.minDepth ?? undefined,
  })
  const grounding = groundingOf(needs, line, base.graph)
  const said = saidIn(line, principal)
  const call = { capability, principal, owner, request: asked, grounding, needs, said, line }
  const input = inputOf(call, base)
  const asking = { ground: grounding ?? null, cardinality: needs.cardinality, input }
  const answers = checksOf(asking).map((check) => answerOf(check, call, base))
  const violations = violationsOf(asking, answers)
  const values = valuesOf(call, base)
  const rules = base.catalog.conditions
  const budgets = budgetsOf(call, base)
  const known = { rules, input, grounding, violations, values, budgets }
  const of = { principal, capability, request: asked, ...known }
  const builtIn = rulesBuiltIn(base.catalog)
  return {
    judgement: judge({ ...of, builtIn, patterns: patternsUnder(base.catalog) }),
    violations,
    gaps: grounding?.gaps ?? [],
  }
}

function completedLine(
  line: DecideLine,
  capability: Capability | null,
  patterns: Patterns,
): DecideLine {
  const args = JsonObject.safeParse(line.request.args)
  if (capability?.driver === undefined || !args.success) return line
  const completed = completedArguments(capability, args.data, patterns)
  return { ...line, request: { ...line.request, args: completed } }
}

function budgetsOf(call: ReadLine, { catalog, time }: OfflineBase) {
  const { capability, principal, owner, line } = call
  const people = owner === null ? [principal] : [owner, { ...principal, owner: owner.id }]
  const principals = new Map([
    ...catalog.principals,
    ...people.map((one) => [one.id, one] as const),
  ])
  const request = { ...call.request, goal: line.request.goal ?? undefined }
  const now = Date.parse(catalog.now ?? line.now ?? time ?? epoch)
  const session = line.session ?? null
  const of = { catalog: { ...catalog, principals }, capability, request, session, now }
  return lineBudgets({ ...of, agent: principal.id }, line.used)
}

interface ReadLine extends Asking {
  readonly line: DecideLine
  readonly capability: Capability
  readonly request: { readonly args?: unknown; readonly justification?: string | undefined }
  readonly grounding: LineGrounding | undefined
  readonly needs: Effective
  readonly said: readonly GivenEvidence[]
}

/** It has no log, so a message is called by its place in the line. */
function saidIn({ evidence }: DecideLine, { id }: Principal): readonly GivenEvidence[] {
  return (evidence ?? []).map(({ from, to = id, ...rest }, index) => {
    return { ...rest, name: `/evidence/${index}`, sender: from, receiver: to }
  })
}

function listenerOf({ principal, capability }: ReadLine, { catalog }: OfflineBase) {
  return { catalog, agent: principal.id, capability: capability.id, callback: null }
}

function valuesOf(call: ReadLine, base: OfflineBase) {
  const { capability, principal, owner, request, said } = call
  const { capabilities, principals } = base.catalog
  const owners = owner === null ? [] : withOwners(principals, owner)
  return valuesSought(capability.known ?? [], request.args ?? {}, {
    attributes: attributesOf([principal, ...owners]),
    messages: saidAmong(listenerOf(call, base), said),
    ...resultsBy(capabilities),
    acts: [],
    confirmed: [],
    heedsBars: hasRules(base.catalog, 'barredValues'),
    readsNumbers: hasRules(base.catalog, 'numberWords'),
    readsNotes: false,
  })
}

/** What conditions read. */
function inputOf(call: ReadLine, base: OfflineBase) {
  const { capability, principal, owner, grounding, needs, line, said } = call
  const { now: present } = base.catalog
  const { concepts } = needs
  return callInput({
    catalog: base.catalog,
    capability,
    request: { ...call.request, goal: line.request.goal ?? undefined },
    principal,
    owner: owner ?? undefined,
    session: line.session ?? null,
    ground:
      grounding === undefined ? null : { grounded: grounding.grounded, concepts: [...concepts] },
    now: Date.parse(present ?? line.now ?? base.time ?? epoch),
    evidence: () => evidenceAmong(listenerOf(call, base), said),
  })
}

const epoch = '1970-01-01T00:00:00.000Z'

function answerOf(check: LeftOut, call: ReadLine, base: OfflineBase): CallbackAnswer {
  const { capability, principal, grounding, line, needs, said } = call
  const { minDepth } = needs
  const resolved = grounding?.resolved ?? []
  const known = { resolved, ...(minDepth !== undefined && { minDepth }) }
  const { callback } = check
  const reply = base.callbacks?.({
    ...check,
    agent: principal.id,
    tool: capability.id,
    request: line.request,
    ground: known,
    session: line.session ?? null,
    evidence: evidenceAmong({ ...listenerOf(call, base), callback }, said),
    position: said.length + 1,
    now: line.now ?? null,
  })
  return { ...check, ...reply }
}

type LineGrounding = Pick<GroundingAnswer, 'grounded' | 'gaps' | 'resolved' | 'policies'>

// Without concepts nothing has to be known.
function groundingOf(
  { concepts, added, minDepth }: Effective,
  { grounding }: DecideLine,
  graph: Graph,
): LineGrounding | undefined {
  if (grounding !== undefined && grounding !== null) {
    return { grounded: grounding.grounded, gaps: [], resolved: [], policies: [] }
  }
  return concepts.length === 0
    ? undefined
    : ground(graph, { concepts, added, minDepth, profile: 'strict' })
}

function reasonsOnce(reasons: Judgement['reasons']): DecidedLine['reasons'] {
  const once = new Map(
    reasons.map(({ code, recover }) => [`${code} ${recover}`, { code, recover }]),
  )
  return [...once.values()]
}

// The budgets of a line of `decide`: what the call would take, and what the line says was used.

type Used = DecideLine['used']

/** A name that the catalog does not have, as a problem; null where there is none. */
function strayBudget(used: Used, { budgets }: Catalog): string | null {
  const names = budgets.map(({ name }) => name)
  const stray = Object.keys(used ?? {}).find((name) => !names.includes(name))
  if (stray === undefined) return null
  return `the catalog has no budget ${quoted(stray)}${didYouMean(nearest(names, stray))}`
}

/** Of what the line does not say, nothing is used. */
function lineBudgets(call: BudgetCall, used: Used): readonly BudgetCase[] {
  return readBudgets(call).map((one) => {
    const { name } = one.budget
    const said = used !== undefined && Object.hasOwn(used, name) ? (used[name] ?? 0) : 0
    const amount = typeof said === 'string' ? amountOfText(said) : amountOfNumber(said)
    const before = typeof amount === 'string' ? 0n : amount
    if ('fault' in one) return budgetCase(one, before, 0)
    const max = maxAmount(one.budget)
    // A line does not say when something was used.
    const waitMs = one.amount > max ? null : before + one.amount > max ? undefined : 0
    return budgetCase(one, before, waitMs)
  })
}
