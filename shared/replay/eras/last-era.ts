// Which eras a log has, as far as their names show, for anyone who reads it without folding it.
import { eraOf, nameOf, type Place } from '#record/names'
import type { Fact, LogReader } from '#ports/log'

const erasMax = 10_000

/** Where the last era is that names show; whether it has begun, only a fold can show. */
export async function lastPlace(log: LogReader, realm: string): Promise<Place> {
  const earliest = await firstOf(log)
  let era = (earliest && eraOf(earliest.name)) ?? 1
  while (era < erasMax) {
    const first = await log.get(nameOf({ realm, era: era + 1 }, 'snapshot', 1))
    if (first === undefined) break
    era += 1
  }
  return { realm, era }
}

/** The first fact that is there. */
export async function firstOf(log: LogReader): Promise<Fact | undefined> {
  // Nearly always it has position 1, and then nothing else has to be looked for.
  for (const range of [{ to: 1 }, {}]) {
    for await (const fact of log.read(range)) return fact
  }
  return undefined
}
