// One line of `decide`, judged alone by the rule chain that the stages use. Total: a line that
// cannot be read is answered with an error, and nothing is looked up but what the line says.
import type { FaultCode } from '#schemas/faults/registry'
import { z } from 'zod'
import { Fault } from '#core/kernel/fault'
import { graphFromFile } from '#core/graph/graph'
import type { Graph } from '#core/graph/revision'
import { parseGraphFile } from '#core/authoring/seed-file'
import { ground, type GroundingAnswer } from '#core/grounding/ground'
import { Capability, JsonObject, Principal } from '#schemas/catalog'
import { Cardinality, Level } from '#schemas/graph'
import { didYouMean, nearest, quoted } from '#core/kernel/quote'
import type { ReasonCode, Recover } from '#schemas/reasons'
import { argsSchemaFault } from '#core/catalog/arguments'
import type { Catalog } from '#core/catalog/catalog'
import { firstProblem, unreadable, type Problem } from '#core/kernel/problem'
import { effective, type Effective } from '#core/rules/effective'
import { attributesOf, noEvidence, soughtValues } from '#core/known/find'
import { judge, type Judgement } from '#core/rules/judge'
import type { Violation } from '#core/rules/violation'
import { checksOf, violationsOf, type LeftOut } from '#core/stages/policies'
import { callInput } from '#core/stages/scene/scene'
import type { CallbackAnswer } from '#schemas/callbacks'

export interface DecideLineError {
  readonly error: { readonly code: FaultCode; readonly message: string }
}

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
  readonly request: z.infer<typeof Request>
  readonly ground: Pick<GroundingAnswer, 'resolved'> & { readonly minDepth?: Level }
  /** Null where the line does not say it. */
  readonly now: string | null
}

// A null is what many programs write for none. None refuses, or is the stricter reading, of each.
const Request = z.strictObject({
  args: z.json().nullish(),
  justification: z.string().nullish(),
  constraints: JsonObject.nullish(),
  scope: JsonObject.nullish(),
  cardinality: Cardinality.nullish(),
  goal: z.string().nullish(),
  concepts: z.array(z.string()).nullish(),
  minDepth: Level.nullish(),
})

const parts = {
  // An id is looked up in the catalog.
  principal: z.union([Principal, z.string().min(1)]),
  request: Request.default({}),
  graph: z.unknown().optional(),
  now: z.iso.datetime({ offset: true }).optional(),
}

const DecideLine = z.union([
  z.strictObject({
    ...parts,
    // Without a schema any arguments will do: a line on its own has no catalog to be strict for.
    capability: Capability.extend({ argsSchema: JsonObject.default({}) }),
    tool: z.undefined().optional(),
  }),
  z.strictObject({ ...parts, tool: z.string(), capability: z.undefined().optional() }),
])
type DecideLine = z.infer<typeof DecideLine>

/** The answer to one line of `decide`. */
export function decideLine(value: unknown, base: OfflineBase): DecidedLine | DecideLineError {
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
export function judgeLine(value: unknown, base: OfflineBase): JudgedLine | DecideLineError {
  const problem = unreadable(value)
  if (problem !== null) return lineError(problem)
  const parsed = DecideLine.safeParse(value)
  if (!parsed.success) return lineError(firstProblem(parsed.error.issues))
  const line = parsed.data
  const schema = line.capability === undefined ? null : argsSchemaFault(line.capability.argsSchema)
  if (schema !== null) return lineError({ at: 'capability/argsSchema', message: schema })
  const graph = line.graph === undefined || line.graph === null ? base.graph : graphIn(line.graph)
  if ('error' in graph) return graph
  const principal = principalOf(line.principal, base.catalog)
  if (typeof principal === 'string') return lineError({ at: 'principal', message: principal })
  return judgedAs(line, principal, { ...base, graph })
}

/** Or what is wrong with it. */
function principalOf(given: DecideLine['principal'], { principals }: Catalog): Principal | string {
  if (typeof given !== 'string') return given
  const found = principals.get(given)
  if (found !== undefined) return found
  return `the catalog has no ${quoted(given)}${didYouMean(nearest(principals.keys(), given))}`
}

function judgedAs(line: DecideLine, principal: Principal, base: OfflineBase): JudgedLine {
  const { request } = line
  const capability = line.capability ?? base.catalog.capabilities.get(line.tool) ?? null
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
  const grounding = groundingOf(needs, base.graph)
  const call = { capability, principal, request: asked, grounding, concepts: needs.concepts }
  const input = inputOf(call, line, base)
  const asking = { ground: grounding ?? null, cardinality: needs.cardinality, input }
  const answers = checksOf(asking).map((check) => answerOf(check, { ...call, line, needs }, base))
  const violations = violationsOf(asking, answers)
  // A line has no session: what its principal is not known to own is found nowhere.
  const values = soughtValues(capability.known ?? [], request.args ?? {}, {
    ...noEvidence,
    attributes: attributesOf([principal]),
  })
  const rules = base.catalog.conditions
  const of = { principal, capability, request: asked, rules, input, grounding, violations, values }
  return { judgement: judge(of), violations, gaps: grounding?.gaps ?? [] }
}

interface ReadLine {
  readonly capability: Capability
  readonly principal: Principal
  readonly request: { readonly args?: unknown; readonly justification?: string | undefined }
  readonly grounding: GroundingAnswer | undefined
  readonly concepts: readonly string[]
}

/** What conditions read: of a line that is judged alone no one has said anything. */
function inputOf(call: ReadLine, { request, now }: DecideLine, base: OfflineBase) {
  const { capability, principal, grounding, concepts } = call
  const { principals, now: present } = base.catalog
  const goal = request.goal ?? undefined
  return callInput({
    capability,
    request: { ...call.request, goal },
    principal,
    owner: principal.owner === undefined ? undefined : principals.get(principal.owner),
    session: null,
    ground:
      grounding === undefined ? null : { grounded: grounding.grounded, concepts: [...concepts] },
    now: Date.parse(present ?? now ?? base.time ?? epoch),
    evidence: () => [],
  })
}

const epoch = '1970-01-01T00:00:00.000Z'

function answerOf(
  check: LeftOut,
  call: ReadLine & { readonly line: DecideLine; readonly needs: Effective },
  base: OfflineBase,
): CallbackAnswer {
  const { capability, principal, grounding, line, needs } = call
  const { minDepth } = needs
  const { request } = line
  const resolved = grounding?.resolved ?? []
  const known = { resolved, ...(minDepth !== undefined && { minDepth }) }
  const asked = { agent: principal.id, tool: capability.id, request, ground: known }
  const reply = base.callbacks?.({ ...check, ...asked, now: line.now ?? null })
  return { ...check, ...reply }
}

// Without concepts nothing has to be known.
function groundingOf(needs: Effective, graph: Graph): GroundingAnswer | undefined {
  const { concepts, added, minDepth } = needs
  return concepts.length === 0
    ? undefined
    : ground(graph, { concepts, added, minDepth, profile: 'strict' })
}

function graphIn(file: unknown): Graph | DecideLineError {
  try {
    return graphFromFile(parseGraphFile(file))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}

function reasonsOnce(reasons: Judgement['reasons']): DecidedLine['reasons'] {
  const once = new Map(
    reasons.map(({ code, recover }) => [`${code} ${recover}`, { code, recover }]),
  )
  return [...once.values()]
}

export function lineError({ at, message }: Problem): DecideLineError {
  return { error: { code: 'line_invalid', message: at === '' ? message : `${at}: ${message}` } }
}
