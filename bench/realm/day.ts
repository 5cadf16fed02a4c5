// A day of a realm in scaled time: who asks when, which eras rotate, who moves and what changes. It
// counts, and measures nothing; the same seed and costs give the same day.
import { cellByKey } from '#rules/catalog/cells'
import { leastMsDefault } from '#state/eras/due'

export interface Scenario {
  readonly seed: number
  readonly cells: number
  readonly agents: number
  /** Of all agents together. */
  readonly verdictsADay: number
  /** Which part of the verdicts people give, and for how long each then waits for them. */
  readonly askedPart: number
  readonly waitMs: number
  readonly movesADay: number
  readonly changesADay: number
  /** An era ends with so many facts. */
  readonly eraFacts: number
}

export interface CellDay {
  readonly agents: number
  readonly verdicts: number
  /** Of the busiest ten minutes. */
  readonly verdictsMost: number
  readonly openMost: number
  readonly turns: number
  /** The least time between two turns; null where there were not two. */
  readonly turnMsLeast: number | null
  /** Names that the server holds at most: of this era and the sealed one before it. */
  readonly namesMost: number
}

export interface Day {
  readonly cells: readonly CellDay[]
  readonly verdicts: number
  readonly turns: number
  readonly moves: number
  readonly changes: number
  /** What the heaviest hundredth of the agents asks. */
  readonly heavyPart: number
}

const stepMs = 600_000
export const stepsADay = 144
const agentsAFleet = 100

/** `factsEach`: how many facts a verdict is. */
export function dayOf(scenario: Scenario, factsEach: number): Day {
  const random = seeded(scenario.seed)
  const { weights, cellOfAgent } = placed(scenario, random)
  const all = sum(weights)
  const shares = Array.from({ length: scenario.cells }, () => ({ agents: 0, weight: 0 }))
  for (const [agent, weight] of weights.entries()) {
    const share = shares[cellOfAgent[agent] ?? 0]
    if (share === undefined) continue
    share.agents += 1
    share.weight += weight
  }
  const cells = shares.map(({ agents, weight }) => {
    const verdictsADay = (scenario.verdictsADay * weight) / all
    return cellDay(scenario, { agents, verdictsADay, factsEach }, random)
  })
  const heavy = [...weights].toSorted((a, b) => b - a).slice(0, Math.ceil(weights.length / 100))
  return {
    cells,
    verdicts: sum(cells.map(({ verdicts }) => verdicts)),
    turns: sum(cells.map(({ turns }) => turns)),
    moves: drawn(scenario.movesADay, random),
    changes: drawn(scenario.changesADay, random),
    heavyPart: sum(heavy) / all,
  }
}

/** Few ask most: weights by Pareto's law, and a fleet for each hundred of them. */
function placed({ agents, cells }: Scenario, random: () => number) {
  const weights = Float64Array.from({ length: agents }, () => Math.min(1e4, random() ** -0.9))
  const fleets = Array.from({ length: Math.ceil(agents / agentsAFleet) }, (_, fleet) => {
    return cellByKey(cells, `fleet fleet-${fleet}`)
  })
  const cellOfAgent = Uint8Array.from(
    weights,
    (_, at) => fleets[Math.floor(at / agentsAFleet)] ?? 0,
  )
  return { weights, cellOfAgent }
}

function cellDay(
  { askedPart, waitMs, eraFacts }: Scenario,
  of: { readonly agents: number; readonly verdictsADay: number; readonly factsEach: number },
  random: () => number,
): CellDay {
  let [verdicts, verdictsMost, openMost, turns, facts, before, namesMost] = [0, 0, 0, 0, 0, 0, 0]
  let [turnedAt, turnMsLeast]: [number | null, number | null] = [null, null]
  for (let step = 0; step < stepsADay; step += 1) {
    const now = drawn(of.verdictsADay * partOfDay(step), random)
    verdicts += now
    verdictsMost = Math.max(verdictsMost, now)
    openMost = Math.max(openMost, Math.round((now * askedPart * waitMs) / stepMs))
    facts += now * of.factsEach
    namesMost = Math.max(namesMost, facts + before)
    // As its keeper is held to: never sooner than the least time after the last turn.
    const at = step * stepMs
    if (facts < eraFacts || (turnedAt !== null && at - turnedAt < leastMsDefault)) continue
    if (turnedAt !== null) turnMsLeast = Math.min(turnMsLeast ?? Infinity, at - turnedAt)
    ;[turnedAt, before, facts] = [at, facts, 0]
    turns += 1
  }
  return {
    agents: of.agents,
    verdicts,
    verdictsMost,
    openMost,
    turns,
    turnMsLeast,
    namesMost,
  }
}

/** Little at night, most in the afternoon; of all steps together one. */
export function partOfDay(step: number): number {
  return (1 - 0.8 * Math.cos((2 * Math.PI * (step - 24)) / stepsADay)) / stepsADay
}

/** So many on average, as independent events come. */
function drawn(mean: number, random: () => number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal))
  }
  let [count, product] = [0, 1 - random()]
  for (; product > Math.exp(-mean); product *= 1 - random()) count += 1
  return count
}

/** Mulberry32: numbers from 0 to below 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
