// One line of `decide` or of `policy resolve`, judged alone by the rule chain that the stages use.
// Total: a line that cannot be read is answered with an error, and nothing is looked up but what
// the line says.
import type { FaultCode } from '#schemas/faults/registry'
import { z } from 'zod'
import { Fault } from '#core/kernel/fault'
import { graphFromFile } from '#core/graph/graph'
import type { Graph } from '#core/graph/revision'
import { parseGraphFile } from '#core/authoring/seed-file'
import { ground, type GroundingAnswer } from '#core/grounding/ground'
import { Capability, JsonObject, Principal } from '#schemas/catalog'
import { Cardinality, Level, type PlacedPolicy } from '#schemas/graph'
import type { ReasonCode, Recover } from '#schemas/reasons'
import { argsSchemaFault } from '#core/catalog/arguments'
import type { Catalog } from '#core/catalog/catalog'
import { firstProblem, unreadable, type Problem } from '#core/kernel/problem'
import { effective, type Effective } from '#core/rules/effective'
import { attributesOf, noEvidence, soughtValues } from '#core/known/find'
import { judge, type Judgement } from '#core/rules/judge'
import { render, trigger, type CallbackResult, type Violation } from '#core/rules/violation'

export interface DecideLineError {
  readonly error: { readonly code: FaultCode; readonly message: string }
}

export interface DecidedLine {
  readonly outcome: Judgement['outcome']
  /** Each code once with each way to recover, in order of precedence. */
  readonly reasons: readonly { readonly code: ReasonCode; readonly recover: Recover }[]
  readonly constraints: JsonObject
}

export interface ResolvedLine {
  readonly action: 'PASS' | 'BLOCK'
  /** Whether people are asked: never about what is refused whatever they say. */
  readonly asked: boolean
  readonly reason: ReasonCode | null
}

export interface OfflineBase {
  readonly catalog: Catalog
  readonly graph: Graph
  /** Answers for the callback of a policy; where it does not, the policy has faulted. */
  readonly callbacks?: (placed: PlacedPolicy, line: DecideLine) => CallbackResult | undefined
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

const parts = { principal: Principal, request: Request.default({}), graph: z.unknown().optional() }

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
  const problem = unreadable(value)
  if (problem !== null) return lineError(problem)
  const parsed = DecideLine.safeParse(value)
  if (!parsed.success) return lineError(firstProblem(parsed.error.issues))
  const line = parsed.data
  const schema = line.capability === undefined ? null : argsSchemaFault(line.capability.argsSchema)
  if (schema !== null) return lineError({ at: 'capability/argsSchema', message: schema })
  const graph = line.graph === undefined || line.graph === null ? base.graph : graphIn(line.graph)
  if ('error' in graph) return graph
  const { outcome, reasons, constraints } = judgementOf(line, { ...base, graph })
  return { outcome, reasons: reasonsOnce(reasons), constraints }
}

function judgementOf(line: DecideLine, base: OfflineBase): Judgement {
  const { principal, request } = line
  const capability = line.capability ?? base.catalog.capabilities.get(line.tool) ?? null
  const asked = {
    tool: line.capability?.id ?? line.tool,
    args: request.args ?? undefined,
    justification: request.justification ?? undefined,
    constraints: request.constraints ?? undefined,
    scope: request.scope ?? undefined,
  }
  if (capability === null) return judge({ principal, capability, request: asked, violations: [] })
  const needs = effective(capability, {
    concepts: request.concepts ?? undefined,
    cardinality: request.cardinality ?? undefined,
    minDepth: request.minDepth ?? undefined,
  })
  const grounding = groundingOf(needs, base.graph)
  const placed = trigger(grounding?.policies ?? [], needs.cardinality)
  const violations = placed.flatMap((one) => violationOf(one, line, base))
  // A line has no session: what its principal is not known to own is found nowhere.
  const values = soughtValues(capability.known ?? [], request.args ?? {}, {
    ...noEvidence,
    attributes: attributesOf([principal]),
  })
  return judge({ principal, capability, request: asked, grounding, violations, values })
}

// Without concepts nothing has to be known.
function groundingOf(needs: Effective, graph: Graph): GroundingAnswer | undefined {
  const { concepts, added, minDepth } = needs
  return concepts.length === 0
    ? undefined
    : ground(graph, { concepts, added, minDepth, profile: 'strict' })
}

function violationOf(placed: PlacedPolicy, line: DecideLine, base: OfflineBase): Violation {
  const { policy, source, target } = placed
  const message = render(policy, source)
  if (policy.callback === null) return { policy, source, target, message, callback: null }
  const callback = base.callbacks?.(placed, line) ?? { fault: { code: 'not_called', params: {} } }
  return { policy, source, target, message, callback }
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

const ResolveLine = z.strictObject({
  violations: z.array(
    z.strictObject({
      requiresConfirmation: z.boolean(),
      callback: z.strictObject({ passed: z.boolean(), message: z.string().nullish() }).nullable(),
    }),
  ),
  /** Null where no one is there to ask. What a person's program answers may be anything. */
  answers: z.unknown(),
})

/**
 * The answer to one line of `policy resolve`. `answers` has one for each violation, since people
 * see all of them; an answer that is not one boolean for each agrees to nothing.
 */
export function policyResolveLine(value: unknown): ResolvedLine | DecideLineError {
  const problem = unreadable(value)
  if (problem !== null) return lineError(problem)
  const parsed = ResolveLine.safeParse(value)
  if (!parsed.success) return lineError(firstProblem(parsed.error.issues))
  const { answers = null } = parsed.data
  const violations = parsed.data.violations.map(({ requiresConfirmation, callback }, index) => ({
    policy: { name: `violations/${index}`, requiresConfirmation },
    source: '',
    target: '',
    message: 'a policy stands against it',
    callback: callback === null ? null : { passed: callback.passed },
  }))
  const alone = judge({ violations })
  const resolved = alone.outcome === 'review' ? afterAsking(violations, answers, alone) : alone
  return {
    action: resolved.outcome === 'allow' ? 'PASS' : 'BLOCK',
    asked: alone.outcome === 'review' && answers !== null,
    reason: resolved.reasons[0]?.code ?? null,
  }
}

function afterAsking(
  violations: readonly Violation[],
  answers: unknown,
  { questions }: Judgement,
): Judgement {
  if (answers === null) return judge({ violations, review: { state: 'no_confirmer' } })
  const agreed =
    Array.isArray(answers) &&
    answers.length === violations.length &&
    answers.every((answer) => answer === true)
  const review = { state: 'answered' as const, answers: questions.map(() => agreed) }
  return judge({ violations, review })
}

function lineError({ at, message }: Problem): DecideLineError {
  return { error: { code: 'line_invalid', message: at === '' ? message : `${at}: ${message}` } }
}
