// The identity of a log, for tests that sign what no client would.
import { evolve } from '#state/fold/evolve'
import type { LogReader } from '#ports/log'
import { beginningOf } from '#replay/eras/beginning'

/** The digest of the first catalog change set that counts; null before there is one. */
export async function logIdOf(log: LogReader): Promise<string | null> {
  const { state } = await beginningOf(log, { realm: 'main' }, null)
  if (state.log !== null) return state.log
  for await (const fact of log.read({}, ['main.1.catalog.*'])) {
    evolve(state, fact)
    if (state.log !== null) return state.log
  }
  return null
}
