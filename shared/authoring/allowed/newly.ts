// What a change of rules could let through that was stopped before: found by trying every kind of
// call of every tool by every kind of agent. It finds candidates; who shows one has the stages
// judge it on both sides first.
import { differenceOf } from '#knowledge/graph/graph-difference'
import type { Catalog } from '#rules/catalog/catalog'
import { ownersOf } from '#rules/catalog/confirmers'
import type { ConditionParts } from '#conditions/atoms'
import type { JsonValue } from '#schemas/catalog'
import {
  inputOf,
  guardParts,
  spaceOf,
  type CallPoint,
  type Space,
  type TriedRequest,
} from './space.ts'
import {
  actsSeenBy,
  sideKey,
  sideOf,
  type Guard,
  type OpenCause,
  type Rules,
  type RuleSide,
} from './guards.ts'
import { fixedStops, guardEffects, type EnoughAgreed } from './weighing.ts'

/** Calls that are alike in what stopped them before. */
export interface WayCandidate {
  readonly tool: string
  /** One kind of agents; the first one is tried. */
  readonly agents: readonly string[]
  /** What stopped them: names of rules and policies, codes of reasons. */
  readonly stoppedBy: readonly string[]
  /** Whether nothing but the call itself decides. */
  readonly isCertain: boolean
  /** Those that are worth a trial, first the certain ones. */
  readonly requests: readonly TriedRequest[]
  /** By place: the values with which it is let through, where others are not. */
  readonly values: Readonly<Record<string, readonly (JsonValue | null)[]>>
  /** So often it was called before, where only a limit stopped it. */
  readonly uses?: number
  /** What else may decide. */
  readonly unclear: readonly Unclear[]
}

export type UnclearCause =
  | OpenCause
  | 'condition'
  | 'time'
  | 'schema'
  | 'setting'
  | 'too_many_agents'
  | 'too_many_calls'

/** What is not decided. */
export interface Unclear {
  /** Null where it is about all of them. */
  readonly tool: string | null
  readonly cause: UnclearCause
  /** The rule, the place of the arguments, the setting. */
  readonly of: string
}

export interface Searched {
  readonly candidates: readonly WayCandidate[]
  readonly cannotTell: readonly Unclear[]
  /** So many calls were tried. */
  readonly calls: number
}

/** So many calls of one tool by one kind of agent are tried, and so many of all. */
export const callsMax = 20_000
const callsInAllMax = 200_000
/** So many kinds of agents are looked at for one tool. */
const agentsMax = 64

/** What is looked for: calls that are let through on one side and were stopped on the other. */
interface Sought {
  readonly before: RuleSide | null
  readonly after: RuleSide
  /** On a property: only calls for which it holds. */
  readonly when?: ConditionParts
  readonly isEnough?: EnoughAgreed
}

export function newlyAllowed(before: Rules, after: Rules): Searched {
  const candidates: WayCandidate[] = []
  const cannotTell: Unclear[] = [...settingsOf(before.catalog, after.catalog)]
  let calls = 0
  const isTouched = touchedBy(before, after)
  for (const tool of after.catalog.capabilities.keys()) {
    const kinds = kindsOf(before, after, { tool, isTouched })
    if (kinds.length > agentsMax) {
      cannotTell.push({ tool, cause: 'too_many_agents', of: String(kinds.length) })
    }
    for (const { sides, agents } of kinds.slice(0, agentsMax)) {
      const left = Math.min(callsMax, callsInAllMax - calls)
      const found = soughtAmong({ before: sides.before, after: sides.after }, agents, left)
      candidates.push(...found.candidates)
      cannotTell.push(...found.cannotTell)
      calls += found.calls
    }
  }
  return { candidates: together(candidates), cannotTell: eachOnce(cannotTell), calls }
}

/** What is alike for several kinds of agents is one: nothing but the call decides it. */
function together(all: readonly WayCandidate[]): readonly WayCandidate[] {
  const known = new Map<string, WayCandidate>()
  for (const one of all) {
    const { tool, stoppedBy, values, isCertain, agents } = one
    const alike = JSON.stringify([tool, stoppedBy, values, isCertain || agents])
    const before = known.get(alike)
    known.set(alike, before ? { ...before, agents: [...before.agents, ...agents] } : one)
  }
  return [...known.values()]
}

/** Each of those that are alike once. */
export function eachOnce<One>(all: readonly One[]): readonly One[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

interface Kind {
  readonly agents: readonly string[]
  readonly sides: { readonly before: RuleSide; readonly after: RuleSide }
}

type Touched = (tool: string, agent: string) => boolean

/** Agents for which a tool's calls are judged alike, on both sides; none that nothing concerns. */
function kindsOf(
  before: Rules,
  after: Rules,
  { tool, isTouched }: { readonly tool: string; readonly isTouched: Touched },
): readonly Kind[] {
  const kinds = new Map<string, { agents: string[]; sides: Kind['sides'] }>()
  for (const { id } of agentsFirst(after.catalog)) {
    if (!isTouched(tool, id)) continue
    const sides = { before: sideOf(before, tool, id), after: sideOf(after, tool, id) }
    const key = [sides.before, sides.after].map(sideKey).join('\n')
    const kind = kinds.get(key)
    if (kind === undefined) kinds.set(key, { agents: [id], sides })
    else kind.agents.push(id)
  }
  return [...kinds.values()].filter(({ sides }) => isConcerned(sides))
}

/** Whether anything that decides about calls of a tool by an agent is not as it was. */
function touchedBy(before: Rules, after: Rules): Touched {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const [was, is] = [before.catalog, after.catalog]
  const isAllOne =
    same(sharedIn(was), sharedIn(is)) && differenceOf(before.graph, after.graph).length === 0
  const agents = new Map<string, boolean>()
  const tools = new Map<string, boolean>()
  const isAgentSame = (id: string): boolean => {
    const known = agents.get(id)
    if (known !== undefined) return known
    const chain = (of: Catalog) => [id, ...ownersOf(of, id)].map((one) => of.principals.get(one))
    const isSame = same(chain(was), chain(is))
    agents.set(id, isSame)
    return isSame
  }
  const isToolSame = (id: string): boolean => {
    const known = tools.get(id)
    if (known !== undefined) return known
    const isSame = same(was.capabilities.get(id), is.capabilities.get(id))
    tools.set(id, isSame)
    return isSame
  }
  return (tool, agent) => !isAllOne || !isToolSame(tool) || !isAgentSame(agent)
}

/** What may decide about calls of every tool. */
function sharedIn(of: Catalog): unknown {
  const { rules, conditions, defaults, budgets, trustedEvidence, now, callbacks, work } = of
  return [
    { rules, conditions, defaults, budgets, trustedEvidence, now, callbacks, work },
    [...of.limits.values(), ...of.resources.values()],
    trustedEvidence.map(({ sender }) => of.principals.get(sender)),
    [...of.capabilities.values()].map(({ id, untrusted, lists }) => [id, untrusted, lists]),
    actsSeenBy(of),
  ]
}

/** Those that have an owner, and then the others. */
export function* agentsFirst({ principals }: Catalog) {
  for (const one of principals.values()) if (one.owner) yield one
  for (const one of principals.values()) if (!one.owner) yield one
}

function isConcerned({ before, after }: Kind['sides']): boolean {
  return before.fixed !== after.fixed || goneOf(before, after).length > 0
}

/** The guards that are no more, or are others. */
function goneOf(before: RuleSide | null, after: RuleSide): readonly Guard[] {
  const kept = new Set(after.guards.map(({ key }) => key))
  return (before?.guards ?? []).filter((one) => {
    return !kept.has(one.key) && !after.guards.some((other) => isAsStrict(other, one))
  })
}

function isAsStrict(one: Guard, other: Guard): boolean {
  if (one.kind !== 'open' || other.kind !== 'open') return false
  if (one.limit === undefined || other.limit === undefined) return false
  return one.limit.uses <= other.limit.uses && one.limit.windowMs >= other.limit.windowMs
}

/** Settings that decide in ways that are not looked into. */
function settingsOf(before: Catalog, after: Catalog): readonly Unclear[] {
  const seen = (of: Catalog): Readonly<Record<string, unknown>> => ({
    rules: of.rules,
    cells: of.cells,
    resources: [...of.resources.values()],
    knownConstraints: of.knownConstraints,
    evaluates: evaluatorsIn(of),
  })
  const [was, is] = [seen(before), seen(after)]
  return Object.keys(is).flatMap((name) => {
    const isSame = JSON.stringify(was[name]) === JSON.stringify(is[name])
    return isSame ? [] : [{ tool: null, cause: 'setting' as const, of: name }]
  })
}

function evaluatorsIn({ principals }: Catalog): readonly unknown[] {
  const found: unknown[] = []
  for (const { id, evaluates } of principals.values()) {
    if (evaluates !== undefined) found.push([id, evaluates])
  }
  return found
}

/** Calls of one tool by one kind of agents. */
function soughtAmong(sought: Sought, agents: readonly string[], max: number): Searched {
  const { before, after } = sought
  const tool = after.capability?.id ?? ''
  const gone = goneOf(before, after)
  const { space, open } = spaceFor(sought, gone, max)
  if (space === null) return { candidates: [], cannotTell: [], calls: 0 }
  const groups = new Map<string, Group>()
  const free = new Values()
  let first: CallPoint | null = null
  let calls = 0
  for (const point of space.points(max)) {
    calls += 1
    const found = foundAt(sought, gone, point)
    if (found === null) continue
    free.take(point)
    first ??= point
    if (found.stoppedBy.length === 0 && before !== null) continue
    const key = found.stoppedBy.join('\n')
    const group = groups.get(key) ?? new Group(found.stoppedBy)
    groups.set(key, group)
    group.take(point, found)
  }
  const raised = first === null ? [] : gone.flatMap((one) => limitCandidate(one, first, agents))
  const candidates = [...groups.values()].map((one) => one.candidate(tool, agents, free))
  return {
    candidates: [...candidates, ...raised],
    cannotTell: open.map((one) => ({ ...one, tool })),
    calls,
  }
}

/** Of too many calls, those parts that did not change are taken for unknown. */
function spaceFor(
  { before, after, when }: Sought,
  gone: readonly Guard[],
  max: number,
): { readonly space: Space | null; readonly open: readonly Omit<Unclear, 'tool'>[] } {
  const sides = before?.capability === undefined ? [after] : [before, after]
  const was = new Set(before?.guards.map(({ key }) => key))
  const changed = [...gone, ...after.guards.filter(({ key }) => !was.has(key))]
  const asked = when === undefined ? [] : [when]
  const whole = spaceOf(sides, [...gone, ...after.guards], asked)
  const space = whole === null || whole.size <= max ? whole : spaceOf(sides, changed, asked)
  if (space === null) return { space, open: [] }
  const hasMore = gone.some((one) => !isLimit(one)) || before?.fixed !== after.fixed
  const open = (hasMore ? space.open : []).map((of) => ({ cause: 'schema' as const, of }))
  if (space.size <= max) return { space, open }
  return { space, open: [...open, { cause: 'too_many_calls', of: String(space.size) }] }
}

function isLimit(guard: Guard): boolean {
  return guard.kind === 'open' && guard.limit !== undefined
}

/** Calls that are let through on one side, whatever was before. */
export function soughtSide(
  sought: Omit<Sought, 'before'>,
  agents: readonly string[],
  max: number,
): Searched {
  return soughtAmong({ ...sought, before: null }, agents, max)
}

interface Found {
  /** Nothing where nothing did. */
  readonly stoppedBy: readonly string[]
  readonly isCertain: boolean
  readonly unclear: readonly Omit<Unclear, 'tool'>[]
}

/** Null where it is stopped all the same. */
function foundAt(
  { before, after, when, isEnough }: Sought,
  gone: readonly Guard[],
  point: CallPoint,
): Found | null {
  if (fixedStops(after, point).length > 0) return null
  // One call by itself is within any limit.
  const asked = after.guards.filter((one) => !isLimit(one))
  const now = guardEffects(after, asked, point, isEnough)
  if (now.some(({ effect }) => effect === 'stops')) return null
  const holds = when === undefined ? true : when.holds(inputOf(after, point.request), point.assumed)
  if (holds !== true) return null
  const open = now.filter(({ effect }) => effect === 'unknown')
  const hasAssumed = point.assumed.size > 0
  const assumed = hasAssumed ? [...asked, ...gone].filter(hasUndecided(point)) : []
  const whole =
    when !== undefined && hasAssumed ? [{ cause: 'condition', of: 'when' } as const] : []
  const unclear = [
    ...open.map(({ guard }) => unclearOf(guard)),
    ...assumed.map(unclearOf),
    ...whole,
  ]
  if (before === null) {
    return { stoppedBy: [], isCertain: open.length === 0 && !hasAssumed, unclear }
  }
  const fixed = before.fixed === after.fixed ? [] : fixedStops(before, point)
  const then = guardEffects(
    before,
    gone.filter((one) => !isLimit(one)),
    point,
  )
  const stops = then.filter(({ effect }) => effect === 'stops').map(({ guard }) => guard.name)
  const maybe = then.filter(({ effect }) => effect === 'unknown').map(({ guard }) => guard)
  const certain = [...fixed, ...stops]
  const stoppedBy = certain.length > 0 ? certain : maybe.map(({ name }) => name)
  const isCertain = certain.length > 0 && open.length === 0 && !hasAssumed
  return { stoppedBy, isCertain, unclear: [...unclear, ...maybe.map(unclearOf)] }
}

function hasUndecided({ assumed }: CallPoint) {
  return (guard: Guard): boolean => {
    return guardParts(guard).some(({ atoms }) => atoms.some(({ key }) => assumed.has(key)))
  }
}

function unclearOf(guard: Guard): Omit<Unclear, 'tool'> {
  if (guard.kind === 'open') return { cause: guard.cause, of: guard.name }
  const isCallback = guard.kind === 'policy' && guard.placed.policy.callback !== null
  if (isCallback) return { cause: 'callback', of: guard.name }
  const readsTime = guard.parts?.reads.has('now') === true
  return { cause: readsTime ? 'time' : 'condition', of: guard.name }
}

const usesMax = 100

/** A call that is the next one after so many, where the limit was raised. */
function limitCandidate(
  guard: Guard,
  { request }: CallPoint,
  agents: readonly string[],
): readonly WayCandidate[] {
  if (guard.kind !== 'open' || guard.limit === undefined) return []
  const { tool } = request
  const { uses } = guard.limit
  const base = { tool, agents, stoppedBy: [guard.name], requests: [request], values: {} }
  const unclear = [{ tool, cause: guard.cause, of: guard.name }]
  return [{ ...base, isCertain: false, unclear, ...(uses <= usesMax && { uses }) }]
}

/** What was chosen at each place, over many points. */
class Values {
  readonly #by = new Map<string, Map<string, JsonValue | null>>()

  take({ chosen }: CallPoint): void {
    for (const [place, value] of chosen) {
      const some = this.#by.get(place) ?? new Map<string, JsonValue | null>()
      this.#by.set(place, some)
      some.set(value === undefined ? '' : JSON.stringify(value), value ?? null)
    }
  }

  /** Of the places where the others have more. */
  within(others: Values): WayCandidate['values'] {
    const parted = [...this.#by].filter(([place, some]) => {
      return some.size < (others.#by.get(place)?.size ?? 0)
    })
    return Object.fromEntries(parted.map(([place, some]) => [place, [...some.values()]]))
  }
}

const firstKept = 16

/** Points that are alike in what stopped them. */
class Group {
  readonly #stoppedBy: readonly string[]
  readonly #certain: TriedRequest[] = []
  readonly #maybe: TriedRequest[] = []
  readonly #values = { certain: new Values(), maybe: new Values() }
  readonly #unclear = new Map<string, Omit<Unclear, 'tool'>>()
  #taken = 0

  constructor(stoppedBy: readonly string[]) {
    this.#stoppedBy = stoppedBy
  }

  take(point: CallPoint, { isCertain, unclear }: Found): void {
    this.#taken += 1
    // The first ones, and then ever fewer of the others.
    const isKept = this.#taken <= firstKept || (this.#taken & (this.#taken - 1)) === 0
    if (isKept) (isCertain ? this.#certain : this.#maybe).push(point.request)
    else if (isCertain && this.#certain.length === 0) this.#certain.push(point.request)
    this.#values[isCertain ? 'certain' : 'maybe'].take(point)
    for (const one of unclear) this.#unclear.set(JSON.stringify(one), one)
  }

  candidate(tool: string, agents: readonly string[], free: Values): WayCandidate {
    const isCertain = this.#certain.length > 0
    return {
      tool,
      agents,
      stoppedBy: this.#stoppedBy,
      isCertain,
      requests: [...this.#certain, ...this.#maybe],
      values: this.#values[isCertain ? 'certain' : 'maybe'].within(free),
      unclear: [...this.#unclear.values()].map((one) => ({ ...one, tool })),
    }
  }
}
