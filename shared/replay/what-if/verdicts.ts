// The last verdicts of a log, found from its end, with what deriving them again needs. It keeps no
// bytes, so that thousands of them fit.
import { readEvent } from '#record/event'
import { partsInRealm, patternsOf, type Place } from '#record/names'
import type { Fact, LogReader } from '#ports/log'

export interface RecordedVerdict {
  readonly name: string
  readonly address: string
  /** Where the message stands that opened the intent. */
  readonly openedAt: number
  /** The position up to which everything was known when it was drawn up, and when that was. */
  readonly basis: number
  readonly time: string
  readonly outcome: 'allow' | 'deny'
  readonly reasons: readonly string[]
}

const windowMin = 4_096

/** In log order; null for one that cannot be read. */
export async function lastVerdicts(
  log: LogReader,
  place: Place,
  last: number,
): Promise<readonly (RecordedVerdict | null)[]> {
  let found: readonly (RecordedVerdict | null)[] = []
  let { position: to } = await log.head()
  for (let size = windowMin; to > 0 && found.length < last; size *= 2) {
    const from = Math.max(1, to - size + 1)
    found = [...(await lastOf(log, place, { from, to, last: last - found.length })), ...found]
    to = from - 1
  }
  return found
}

async function lastOf(
  log: LogReader,
  place: Place,
  { from, to, last }: { readonly from: number; readonly to: number; readonly last: number },
): Promise<readonly (RecordedVerdict | null)[]> {
  const found: (RecordedVerdict | null)[] = []
  for await (const fact of log.read({ from, to }, patternsOf(place, 'verdict'))) {
    found.push(recordedVerdict(fact, place))
    if (found.length >= 2 * last) found.splice(0, found.length - last)
  }
  return found.slice(-last)
}

function recordedVerdict(fact: Fact, { realm }: Place): RecordedVerdict | null {
  const address = partsInRealm(fact.name, realm)?.address ?? null
  const reading = readEvent('verdict', fact)
  if (address === null || !reading.ok) return null
  const { data, stamp } = reading.event
  const { basis, time } = stamp
  const reasons = data.reasons.map(({ code }) => code)
  const openedAt = data.message.position
  return { name: fact.name, address, openedAt, basis, time, outcome: data.outcome, reasons }
}
