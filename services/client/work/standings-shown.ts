// Where agents stand, as it is listed and shown: by the catalog, from what the fold knows of them.
import type { Catalog } from '#rules/catalog/catalog'
import { cellElsewhere } from '#rules/catalog/cells'
import { hasStanding } from '#rules/catalog/work/work-settings'
import {
  earnedLevel,
  type EarnedLevel,
  type EarnedStanding,
  type EarnedStandings,
} from '#work/contracts/standings'
import { Fault } from '#record/fault'
import { token, type Place } from '#record/names'

export interface EarnedListed extends EarnedLevel {
  readonly agent: string
  /** How many of its tasks were scored. */
  readonly scored: number
  /** The fact that suspended it; null where none has. */
  readonly suspendedBy: string | null
  /** Whether the catalog goes by it. */
  readonly counts: boolean
}

export interface EarnedShown extends EarnedListed {
  /** The latest steps, oldest first. */
  readonly steps: readonly EarnedStepShown[]
}

export interface EarnedStepShown {
  readonly fact: string
  readonly position: number
  readonly at: string
  readonly before: number
  readonly after: number
  /** Null for a reinstatement. */
  readonly scored: EarnedStanding['steps'][number]['scored']
}

interface Known {
  readonly catalog: Catalog
  readonly standings: EarnedStandings
  readonly place: Place
}

/** Of all agents of this log with an owner, and of all who have earned anything in it, by name. */
export function earnedListed(known: Known): readonly EarnedListed[] {
  const { catalog, standings, place } = known
  const owned = [...catalog.principals.values()].filter(({ owner, id }) => {
    return owner !== undefined && hasStanding(catalog, id)
  })
  const ids = new Set([
    ...owned.map(({ id }) => id),
    ...[...standings.values()].map(({ agent }) => agent),
  ])
  // All cells have the whole catalog, and the log that an agent has left keeps what it had earned.
  const here = [...ids].filter((id) => {
    return !catalog.principals.has(id) || cellElsewhere(catalog, place, id) === null
  })
  return here.toSorted().map((id) => standingListed(known, id))
}

function standingListed({ catalog, standings }: Known, agent: string): EarnedListed {
  const standing = standings.get(token(agent))
  return {
    agent,
    ...earnedLevel(catalog, standing),
    scored: standing?.scored ?? 0,
    suspendedBy: standing?.suspendedBy?.name ?? null,
    counts: hasStanding(catalog, agent),
  }
}

/** Throws a Fault `unknown_principal` where neither the catalog nor the log knows it. */
export function earnedShown(known: Known, agent: string): EarnedShown {
  const standing = known.standings.get(token(agent))
  if (standing === undefined && !known.catalog.principals.has(agent)) {
    throw new Fault('unknown_principal', `the catalog has no principal \`${agent}\``)
  }
  const steps = (standing?.steps ?? []).map(({ name, position, appendedAt, ...step }) => {
    const at = new Date(appendedAt).toISOString()
    return { fact: name, position, at, ...step }
  })
  return { ...standingListed(known, agent), steps }
}
