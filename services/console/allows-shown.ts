// Why allows that a page lists count for nothing. What came while the console runs is at hand, and
// costs a decision; for the rest each log is folded once a page, as far as `warrant log` folds it.
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import {
  expiredFactsMax,
  forgedAmong,
  weighingOn,
  type AllowWeighing,
  type ForgedAllows,
} from '#replay/verdicts/forged'
import { provingOn } from '#replay/verdicts/proving'
import { stages } from '#workers/stages'

export interface AllowsShown {
  forgedAmong(facts: readonly Fact[]): Promise<ForgedAllows>
  stop(): void
}

/** What was derived is kept of so many: pages are read again whenever something comes. */
const keptMax = 4_096

export function allowsShownOn(runtime: Runtime): AllowsShown {
  const { log, follower, callbacks, clock } = runtime
  const proving = provingOn(runtime, stages, null, { observed: true })
  const kept = new Map<string, string | null>()
  const expired = { factsMax: expiredFactsMax, now: () => clock.now() }
  return {
    stop: () => proving.stop(),
    forgedAmong(facts) {
      const { place } = follower.state
      const weighing = weighingOn(log, place, { stages, callbacks, expired, proving })
      return forgedAmong(keeping(kept, weighing), facts)
    },
  }
}

/** The same, without what was found before. */
function keeping(kept: Map<string, string | null>, weighing: AllowWeighing): AllowWeighing {
  return {
    get left() {
      return weighing.left
    },
    async forged(fact) {
      const known = kept.get(fact.name)
      if (known !== undefined) return known
      const { left } = weighing
      const found = await weighing.forged(fact)
      if (weighing.left > left) return found
      const [oldest] = kept.keys()
      if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
      kept.set(fact.name, found)
      return found
    },
  }
}
