// The eras of a log: from which position to which the facts of each count. Outside of its span a
// fact of an era is void, so nothing is ever added to an era that was sealed.
import { eraOf, isShared, type Place } from '#record/names'

/** Facts of the era count after `from` and up to `to`; null while it goes on. */
export interface Span {
  readonly from: number
  readonly to: number | null
  /**
   * The latest time that an identifier of an intent of it states, in milliseconds since 1970, but
   * for those that the state keeps apart; absent while it goes on, and where it may be any.
   */
  readonly latest?: number | undefined
  /**
   * From when on its age counts, in milliseconds since 1970; absent where no era keeper may rotate
   * it, and once it is sealed.
   */
  readonly began?: number | undefined
}

/** The spans of all eras so far, the first first; the last is that of the current era. */
export type Eras = readonly Span[]

export const firstEra: Eras = [{ from: 0, to: null }]

/** Whether a fact of that name counts where it stands, as far as its era goes. */
export function countsIn(
  eras: Eras,
  { name, position }: { readonly name: string; readonly position: number },
): boolean {
  const span = eras[(eraOf(name) ?? 0) - 1]
  return span !== undefined && position > span.from && position <= (span.to ?? position)
}

/** The same in the log of that place: what all cells share is of no era of a cell. */
export function countsAt(
  { place, eras }: { readonly place: Place; readonly eras: Eras },
  fact: { readonly name: string; readonly position: number },
): boolean {
  return isShared(fact.name, place.realm) || countsIn(eras, fact)
}
