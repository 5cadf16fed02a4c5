// Compares what a projection says of itself, and how many of everything there are.
import { canonical, type JsonMap } from '#record/canonical'
import type { Census } from './projection/held.ts'
import type { Eras } from '#state/eras'
import type { State } from '#state/state'
import type { HeldCell } from './driver/cells/mark.ts'
import type { HeldMark } from './driver/mark.ts'
import { numberValueOf, objectOf, strangeLabels } from './driver/values.ts'
import { compareTexts, noteDifference, type Found } from './found.ts'

/** The last fact that was folded. */
export interface LastFact {
  readonly name: string
  readonly digest: string
}

/** What numbers were given at most. */
export interface Numbered {
  readonly place: number
  readonly order: number
}

export function compareMark(
  found: Found,
  { mark, labels, properties }: HeldMark,
  expected: {
    readonly state: Pick<State, 'place' | 'position' | 'graphRevision' | 'catalogRevision' | 'eras'>
    readonly last: LastFact | null
    readonly numbered: Numbered
  },
): void {
  const { state, last, numbered } = expected
  const { place, position, graphRevision, catalogRevision, eras } = state
  const there: JsonMap = objectOf(properties)
  const here = {
    only: true,
    realm: place.realm,
    reached: position,
    position,
    graphRevision,
    catalogRevision,
    from: isBeginning(mark.from, eras) ? mark.from : 0,
    // Where it was written from a snapshot alone, it names no fact.
    fact: position === mark.from ? undefined : last?.name,
    digest: position === mark.from ? undefined : last?.digest,
    // How far they were numbered depends on how the writing was divided.
    places: Math.max(numberValueOf(there['places']), numbered.place + 1),
    orders: Math.max(numberValueOf(there['orders']), numbered.order + 1),
  }
  const said = { ...there, ...strangeLabels(labels, 'Projection') }
  compareTexts(found, { of: 'mark', name: 'Projection' }, canonical(here), canonical(said))
}

/** The same of one cell, whose graph is that of all. */
export function compareCellMark(
  found: Found,
  { mark, labels, properties }: HeldCell,
  expected: {
    readonly state: Pick<State, 'place' | 'position' | 'eras'>
    readonly last: LastFact | null
    readonly cell: number
  },
): void {
  const { state, last, cell } = expected
  const { place, position, eras } = state
  const here = {
    cell,
    realm: place.realm,
    reached: position,
    position,
    from: isBeginning(mark.from, eras) ? mark.from : 0,
    fact: position === mark.from ? undefined : last?.name,
    digest: position === mark.from ? undefined : last?.digest,
  }
  const said = { ...objectOf(properties), ...strangeLabels(labels, 'Cell') }
  compareTexts(found, { of: 'mark', name: `Cell ${cell}` }, canonical(here), canonical(said))
}

/** A log begins with its first fact, or with what an era opened with. */
function isBeginning(position: number, eras: Eras): boolean {
  return position === 0 || eras.some(({ to }) => to === position)
}

/** `here` says it by the log; what is not in it should not be there at all. */
export function compareCensus(found: Found, here: Census, there: Census): void {
  for (const [name, count] of Object.entries(there)) {
    const expected = here[name] ?? 0
    if (count === expected) continue
    const [one, other] = [String(expected), String(count)]
    noteDifference(found, { of: 'count', name, what: 'differs', here: one, there: other })
  }
}
