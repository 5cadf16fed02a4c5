// What a candidate would do before anyone agrees to it: the last intents as if they were asked
// again today, and those that wait for it as if they went on. It binds nothing.
import type { Candidate } from '#schemas/learning'
import { applyChange } from '#core/graph/change'
import { operationsOf } from '#core/learning/candidate'
import type { ShownRelease } from '#runtime/learning/releases'
import type { Waiting } from '#runtime/learning/waiting'
import type { Runtime } from '#runtime/open'
import { whatIfToday, type TodayReport } from '#runtime/what-if/today'

export interface Previewed {
  readonly candidate: Candidate
  /** So many of the last intents; none, and nothing is previewed. */
  readonly last: number
  readonly waiting: readonly Pick<Waiting, 'intent'>[]
  readonly releases: readonly ShownRelease[]
}

const heldMax = 100

/** Null where none is wanted, or the graph does not take it. */
export async function previewOf(
  { log, callbacks, follower, clock }: Runtime,
  { candidate, last, waiting, releases }: Previewed,
): Promise<TodayReport | null> {
  const { world } = follower
  const change = applyChange(world.graph, operationsOf(world.graph, candidate, null))
  if (last === 0 || 'refused' in change) return null
  const { stages } = await import('#services/stages')
  const digests = new Map(releases.map(({ intent, digest }) => [intent, digest]))
  const held = waiting.slice(0, heldMax).map(({ intent }) => {
    return { intent, digest: digests.get(intent) ?? null }
  })
  const time = new Date(clock.now()).toISOString()
  return whatIfToday({ log, world, stages, callbacks, time, after: change.graph, last, held })
}
