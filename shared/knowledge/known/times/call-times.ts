// The times of a call, held against people's own words: with the thing that the call changes, and
// with each other.
import type { ListedThing } from '#schemas/values'
import type { Formed } from '../together/call-parts.ts'
import { thingsIn } from '../listed-things.ts'
import type { SaidParts } from '../said-parts.ts'
import type { ValueWanted } from '../values-wanted.ts'
import { timeForm } from './time-form.ts'
import { canMean } from './times-meant.ts'

interface Listening {
  readonly texts: readonly string[]
  readonly sources: readonly SaidParts[]
  readonly lists: (tool: string) => readonly ListedThing[]
  readonly today: string | null
  /** Whether words speak of what the call is about, by another of its values. */
  readonly speaksOf: (words: string) => boolean
}

/** Null where people's words leave it open; else whether they can mean the time. */
export function isTimeMeant(
  of: Pick<Formed, 'form' | 'also'>,
  wanted: readonly ValueWanted[],
  { texts, sources, lists, today, speaksOf }: Listening,
): boolean | null {
  const now = presentOf(wanted, { sources, lists })
  const isEnd = of.also.part === 'to'
  const begin = wanted.find(({ kind, also }) => kind === 'time' && also.part !== 'to')
  const start = isEnd ? (begin?.form ?? now.begins) : null
  return canMean(of.form, { texts, speaksOf, today, now, start })
}

/** When the thing that the call changes begins and ends, as it was shown last. */
function presentOf(
  wanted: readonly ValueWanted[],
  { sources, lists }: Pick<Listening, 'sources' | 'lists'>,
) {
  const thing = wanted.find((one) => one.thing !== undefined)
  const shown = sources.flatMap((source) => {
    const listed = lists(source.tool ?? '').filter((one) => one.thing === thing?.thing)
    return thingsIn(source, listed).filter(({ id }) => id === thing?.form)
  })
  const { time = null, ends = null } = shown.at(-1) ?? {}
  return {
    begins: time === null ? null : timeForm(time),
    ends: ends === null ? null : timeForm(ends),
  }
}
