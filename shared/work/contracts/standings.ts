// What agents have earned: a value for each that only ended contracts and reinstatements move, in
// log order. A suspension stays until it is lifted, whatever is scored meanwhile.
import type { scoreRules } from '#schemas/work/facts'
import type { CarriedStanding } from '#schemas/work/settings'
import type { Catalog } from '#rules/catalog/catalog'
import { hasStanding, standingSettings } from '#rules/catalog/work-settings'
import { token } from '#record/names'
import { afterScore, levelOf, type StandingLevel } from '#rules/catalog/earned-standing'
import { lesserLevel } from '../levels.ts'

export interface EarnedStep {
  /** The fact that moved it. */
  readonly name: string
  readonly position: number
  readonly appendedAt: number
  readonly before: number
  readonly after: number
  /** Null for a reinstatement. */
  readonly scored: {
    readonly score: number
    readonly rule: (typeof scoreRules)[number]
    readonly alpha: number
  } | null
}

export interface EarnedStanding {
  readonly agent: string
  /** From −1 to 1. */
  readonly value: number
  /** How many tasks were scored. */
  readonly scored: number
  /** The step that suspended it. */
  readonly suspendedBy: Pick<EarnedStep, 'name' | 'position' | 'appendedAt'> | null
  /** The latest. */
  readonly steps: readonly EarnedStep[]
}

/** By the tokens of agents; replaced, and never changed in place. */
export type EarnedStandings = ReadonlyMap<string, EarnedStanding>

export const noneEarned: EarnedStandings = new Map()

/** So many steps of an agent are kept at hand. */
const stepsKeptMax = 64

/** The standing of who works again: `strict`. */
const reinstatedValue = 0.3

/** Where one stands, by the catalog. */
export interface EarnedLevel {
  readonly value: number
  readonly level: StandingLevel
  /** How many more tasks must be scored before it can be above `supervised`. */
  readonly probation: number
}

/** Of an agent that has earned nothing yet, too. */
export function earnedLevel(
  catalog: Pick<Catalog, 'work'>,
  standing: EarnedStanding | undefined,
): EarnedLevel {
  const { start, probation: needed } = standingSettings(catalog)
  const { value, scored, suspendedBy } = standing ?? { value: start, scored: 0, suspendedBy: null }
  const probation = Math.max(0, needed - scored)
  const earned = suspendedBy === null ? levelOf(value) : 'suspended'
  return { value, level: probation > 0 ? lesserLevel(earned, 'supervised') : earned, probation }
}

/** Whether that principal may do nothing until it is reinstated. */
export function isOutOfStanding(
  { catalog, standings }: { readonly catalog: Catalog; readonly standings: EarnedStandings },
  id: string,
): boolean {
  // Nearly always no one has earned anything.
  if (standings.size === 0) return false
  const isSuspended = (standings.get(token(id))?.suspendedBy ?? null) !== null
  return isSuspended && hasStanding(catalog, id)
}

type Placed = Pick<EarnedStep, 'name' | 'position' | 'appendedAt'>

/** After a contract of that agent ended with a score. */
export function withScore(
  { catalog, standings }: Known,
  of: { readonly agent: string; readonly at: Placed },
  scored: NonNullable<EarnedStep['scored']>,
): EarnedStandings {
  const { agent, at } = of
  const before = standings.get(token(agent)) ?? newStanding(catalog, agent)
  const after = afterScore(before.value, scored)
  const step = { ...at, before: before.value, after, scored }
  const hasFallen = before.suspendedBy === null && levelOf(after) === 'suspended'
  return new Map(standings).set(token(agent), {
    agent,
    value: after,
    scored: before.scored + 1,
    suspendedBy: hasFallen ? at : before.suspendedBy,
    steps: [...before.steps, step].slice(-stepsKeptMax),
  })
}

interface Known {
  readonly catalog: Pick<Catalog, 'work'>
  readonly standings: EarnedStandings
}

/** After a suspended agent may work again. */
export function withReinstated(
  standings: EarnedStandings,
  agent: string,
  at: Placed,
): EarnedStandings {
  const before = standings.get(token(agent))
  if (before === undefined) return standings
  const step = { ...at, before: before.value, after: reinstatedValue, scored: null }
  return new Map(standings).set(token(agent), {
    ...before,
    value: reinstatedValue,
    suspendedBy: null,
    steps: [...before.steps, step].slice(-stepsKeptMax),
  })
}

/** What goes along where an agent moves to another cell; null where that is nothing. */
export function carriedStanding(standings: EarnedStandings, agent: string): CarriedStanding | null {
  const standing = standings.get(token(agent))
  if (standing === undefined) return null
  const { value, scored, suspendedBy } = standing
  const by = suspendedBy && { name: suspendedBy.name, appendedAt: suspendedBy.appendedAt }
  return { value, scored, suspendedBy: by }
}

/** After an agent has come with that from another cell, by the fact at that position. */
export function withCarried(
  standings: EarnedStandings,
  of: { readonly agent: string; readonly carried: CarriedStanding; readonly position: number },
): EarnedStandings {
  const { agent, carried, position } = of
  const { suspendedBy } = carried
  return new Map(standings).set(token(agent), {
    ...carried,
    agent,
    suspendedBy: suspendedBy && { ...suspendedBy, position },
    steps: [],
  })
}

function newStanding(catalog: Pick<Catalog, 'work'>, agent: string): EarnedStanding {
  return {
    agent,
    value: standingSettings(catalog).start,
    scored: 0,
    suspendedBy: null,
    steps: [],
  }
}
