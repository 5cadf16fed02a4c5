// Facts from the newest back, in steps that grow: for a first page that is wanted at once, and of a
// log that is long.
import type { Fact, LogReader } from '#ports/log'

export interface Backwards {
  /** The first position that is not read any more. */
  readonly before: number
  /** Patterns of names; undefined for all. */
  readonly names: readonly string[] | undefined
}

const stepMin = 512
const stepMax = 65_536

/** Each step as it was read: from where on, and what was found there, newest first. */
export async function* readBackwards(
  log: Pick<LogReader, 'read'>,
  { before, names }: Backwards,
): AsyncGenerator<{ readonly from: number; readonly facts: readonly Fact[] }> {
  let to = before - 1
  for (let step = stepMin; to >= 1; step = Math.min(step * 2, stepMax)) {
    const from = Math.max(1, to - step + 1)
    const facts: Fact[] = []
    for await (const fact of log.read({ from, to }, names)) facts.push(fact)
    yield { from, facts: facts.toReversed() }
    to = from - 1
  }
}
