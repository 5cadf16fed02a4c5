// What one point comes to on one side: the rule chain judges what is fixed, and each guard passes,
// stops, or does not show.
import { effective } from '#rules/chain/effective'
import { judge } from '#rules/chain/judge'
import { trigger } from '#rules/chain/violation'
import { argumentFault, patternsUnder } from '#rules/catalog/arguments'
import { rulesBuiltIn } from '#rules/catalog/catalog'
import type { ConditionInput } from '#conditions/input'
import type { Asks, Guard, RuleSide } from './guards.ts'
import { inputOf, type CallPoint } from './space.ts'

export type Effect = 'passes' | 'stops' | 'unknown'

/** Of whom it is enough that they agree, so that what asks others stops nothing. */
export type EnoughAgreed = (asks: Asks) => boolean

const sound = {
  malformed: false,
  senderMatches: true,
  issues: [],
  safetyLevel: 'safe',
  requiresHuman: false,
  unearnedConfidence: false,
  gate: 'pass',
} as const

/** Why the chain would not allow it if no guard stopped it; nothing where it would. */
export function fixedStops(side: RuleSide, { request }: CallPoint): readonly string[] {
  const { catalog, capability } = side
  const { args, justification, scope } = request
  const isRead =
    capability === undefined || argumentFault(capability, args, patternsUnder(catalog)) === null
  // Beside whether the schema takes them, the chain looks at no arguments.
  const by = `${justification ?? '-'} ${scope === undefined ? '' : 'scope'} ${String(isRead)}`
  const known = judged.get(side) ?? new Map<string, readonly string[]>()
  judged.set(side, known)
  const before = known.get(by)
  if (before !== undefined) return before
  const found = judgedNow(side, request)
  known.set(by, found)
  return found
}

const judged = new WeakMap<RuleSide, Map<string, readonly string[]>>()

function judgedNow(side: RuleSide, request: CallPoint['request']): readonly string[] {
  const { catalog, capability, principal, ground } = side
  const { tool, args, justification, scope } = request
  const { outcome, reasons } = judge({
    message: sound,
    principal: principal ?? null,
    moving: principal?.moving === true,
    capability: capability === undefined ? null : { ...capability, conditions: [], known: [] },
    builtIn: rulesBuiltIn(catalog),
    patterns: patternsUnder(catalog),
    request: { tool, args, justification, scope },
    ...(ground !== null && { grounding: { grounded: ground.grounded, gaps: ground.gaps } }),
    violations: [],
  })
  return outcome === 'allow' ? [] : reasons.map(({ code }) => code)
}

export interface GuardEffect {
  readonly guard: Guard
  readonly effect: Effect
}

export function guardEffects(
  side: RuleSide,
  guards: readonly Guard[],
  point: CallPoint,
  isEnough: EnoughAgreed = () => true,
): readonly GuardEffect[] {
  const input = inputOf(side, point.request)
  return guards.map((guard) => ({
    guard,
    effect: effectOf(guard, { side, input, point, isEnough }),
  }))
}

interface At {
  readonly side: RuleSide
  readonly input: ConditionInput
  readonly point: CallPoint
  readonly isEnough: EnoughAgreed
}

function effectOf(guard: Guard, at: At): Effect {
  if (guard.kind === 'open') return 'unknown'
  if (guard.asks !== null && !at.isEnough(guard.asks)) {
    // With the agreement of others it goes on.
    return guard.kind === 'policy' && guard.placed.policy.callback !== null ? 'unknown' : 'passes'
  }
  return guard.kind === 'condition' ? ofCondition(guard, at) : ofPolicy(guard, at)
}

function ofCondition(guard: Extract<Guard, { readonly kind: 'condition' }>, at: At): Effect {
  const { parts, stops } = guard
  const holds = parts.holds(at.input, at.point.assumed)
  if (holds === null || holds === stops) return 'stops'
  // A long list may cost more than any condition may, and then it fails.
  return parts.hasLoops ? 'unknown' : 'passes'
}

function ofPolicy(guard: Extract<Guard, { readonly kind: 'policy' }>, at: At): Effect {
  const { placed, parts, asks } = guard
  const { side, point, input } = at
  const { capability } = side
  if (capability === undefined) return 'stops'
  const { cardinality } = effective(capability, point.request)
  if (trigger([placed], cardinality).length === 0) return 'passes'
  const holds = parts === null ? true : parts.holds(input, point.assumed)
  if (holds === null) return 'stops'
  if (!holds) return parts?.hasLoops === true ? 'unknown' : 'passes'
  if (placed.policy.callback !== null) return 'unknown'
  return asks !== null || parts !== null ? 'stops' : 'passes'
}
