// Where in a log a time begins, found by halving and not by reading: the times of facts never
// decrease, but where an era opened with a clock that was set back.
import { patternOf, type Place } from '#record/names'
import type { Fact, LogReader } from '#ports/log'

/** The first position whose fact was appended at that time or later; behind the end if none was. */
export async function positionSince(log: LogReader, place: Place, time: number): Promise<number> {
  const { position: end } = await log.head()
  const starts = [1, ...(await openingsOf(log, place))]
  for (const [index, from] of starts.entries()) {
    const to = (starts[index + 1] ?? end + 1) - 1
    const found = await firstSince(log, { from, to }, time)
    if (found <= to) return found
  }
  return end + 1
}

/** Where each era but the first opened: with the last of its snapshot. */
async function openingsOf(log: LogReader, { realm, era }: Place): Promise<readonly number[]> {
  const openings: number[] = []
  for (let of = 2; of <= era; of += 1) {
    let last: number | null = null
    const names = [patternOf({ realm, era: of }, 'snapshot', '*')]
    for await (const { position } of log.read({}, names)) last = position
    if (last !== null) openings.push(last)
  }
  return openings
}

async function firstSince(
  log: LogReader,
  { from, to }: { readonly from: number; readonly to: number },
  time: number,
): Promise<number> {
  let low = from
  let high = to + 1
  // Each round halves what is left.
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const at = (await factAtPosition(log, middle))?.appendedAt
    if (at === undefined || at < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Undefined where that fact is gone with its era, or has not come yet. */
export async function factAtPosition(
  log: Pick<LogReader, 'read'>,
  position: number,
): Promise<Fact | undefined> {
  for await (const fact of log.read({ from: position, to: position })) return fact
  return undefined
}
