// A log is divided into ranges, which are derived again each by itself and at the same time.
import { firstOf } from '../eras/last-era.ts'
import { aheadIn, type ReplayOptions, type ReplaySpan } from '../pass.ts'
import { replay, reported, type ReplayReport } from '../replay.ts'
import { joinedRanges } from './joined.ts'
import type { WalkedRange } from './range.ts'

/** What it costs to find out the state behind a fact, where deriving from it costs 1. */
const skimCost = 0.14

export type RangeEnds = Pick<ReplaySpan, 'after' | 'through'>

interface LogEnds {
  readonly first: number
  readonly last: number
  readonly readAhead: number
}

/**
 * Ranges that take equally long, the first one the longest, since the state before each of the
 * others has to be found out. Their ends are where a walk over the whole reads its next facts.
 */
export function rangesOf({ first, last, readAhead }: LogEnds, count: number): readonly RangeEnds[] {
  const length = last - first + 1
  const share = skimCost / (1 - (1 - skimCost) ** count)
  const ends: number[] = []
  for (let at = 0, index = 1; index < count; index += 1) {
    at = at * (1 - skimCost) + share
    const end = first - 1 + Math.round((at * length) / readAhead) * readAhead
    if (end > (ends.at(-1) ?? first) && end < last) ends.push(end)
  }
  const starts = [first - 1, ...ends]
  return starts.map((after, index) => ({ after, through: ends[index] ?? null }))
}

/**
 * The same report as that of a replay of the whole. Where the ranges do not prove each other the
 * whole is replayed.
 */
export async function replayInRanges(
  options: ReplayOptions,
  count: number,
  walked: (range: RangeEnds) => Promise<WalkedRange>,
): Promise<ReplayReport> {
  const { position: last } = await options.log.head()
  const first = (await firstOf(options.log))?.position ?? 1
  const ranges = rangesOf({ first, last, readAhead: aheadIn(options) }, count)
  if (ranges.length === 1) return replay(options)
  const all = await Promise.all(ranges.map(walked))
  const whole = joinedRanges(all)
  const head = all.at(-1)?.head ?? null
  return whole === null || head === null ? replay(options) : reported(options, whole, head)
}
