// Which allows among rows that were found in several logs count for nothing.
import type { ForgedAllows } from '#replay/verdicts/forged'
import type { ConsoleOn } from '../console.ts'
import type { FoundIn } from './newest-first.ts'

/** Names of facts state whose they are, so those of all logs stand in one map. */
export async function forgedInRows(
  { logs }: ConsoleOn,
  rows: readonly FoundIn[],
): Promise<ForgedAllows> {
  const why = new Map<string, string>()
  let left = 0
  for (const at of logs) {
    const there = rows.filter((row) => row.at === at).map(({ fact }) => fact)
    const found = await at.allows.forgedAmong(there)
    for (const [name, reason] of found.why) why.set(name, reason)
    left += found.left
  }
  return { why, left }
}
