// Numbers of dense series that were bound before their era began. Such facts are void, but their
// names are spent: a series of that era steps over them, or junk could stop it.
import type { NameParts } from '../names.ts'
import { numberOf, newSeries, spend, type Series } from './series.ts'
import { noUses, spendUse } from './uses.ts'
import type { World } from './world.ts'

/** By era and series, such as `2 rate.bot.look`. */
export type Early = Map<string, ReadonlySet<number>>

/** Keeps in mind all that another has. */
export function addEarly(early: Early, more: Early): void {
  for (const [key, numbers] of more)
    early.set(key, new Set([...(early.get(key) ?? []), ...numbers]))
}

/** Keeps in mind what a fact of an era to come has spent, if it is one of a series. */
export function noteEarly(early: Early, { place, kind, tokens }: NameParts): void {
  const isDense = kind === 'graph' || kind === 'catalog' || kind === 'snapshot' || kind === 'rate'
  const number = numberOf(tokens.at(-1))
  if (!isDense || number === null) return
  const key = `${place.era} ${[kind, ...tokens.slice(0, -1)].join('.')}`
  early.set(key, new Set(early.get(key)).add(number))
}

/**
 * Begins the series of the era that has just begun: where each has come to stays, and of the names
 * behind that only those are spent which somebody bound too early.
 */
export function beginSeries(world: World): void {
  const { early } = world
  const { era } = world.place
  const begun = (key: string, series: Series): Series => {
    const numbers = early.get(`${era} ${key}`) ?? []
    early.delete(`${era} ${key}`)
    return [...numbers].reduce(spend, { next: series.next, spent: newSeries.spent })
  }
  world.graphSeries = begun('graph', world.graphSeries)
  world.catalogSeries = begun('catalog', world.catalogSeries)
  const next = early.get(`${era + 1} snapshot`) ?? []
  early.delete(`${era + 1} snapshot`)
  world.snapshotSeries = [...next].reduce(spend, newSeries)
  for (const [key, uses] of world.uses) {
    if (uses.series.spent.size === 0) continue
    world.uses.set(key, { ...uses, series: { next: uses.series.next, spent: newSeries.spent } })
  }
  const prefix = `${era} rate.`
  for (const [key, numbers] of early) {
    if (!key.startsWith(prefix)) continue
    early.delete(key)
    const series = key.slice(prefix.length)
    const uses = world.uses.get(series) ?? noUses
    world.uses.set(series, [...numbers].reduce(spendUse, uses))
  }
}
