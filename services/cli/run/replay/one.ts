// Replays one log: that of a realm, or of one cell of it, in this thread or in one of its own.
import type { ChainHead } from '#replay/chain'
import { replay, type ReplayReport } from '#replay/replay'
import type { OnProgress } from '#runtime/reporting/progress'
import { findIntent } from '#client/reading/intent-named'
import { withDeciders } from '#cli/terminal/opening/deciders'
import { rootKeyFor, withOneLog } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'

export interface ReplayOneOptions extends GlobalOptions {
  readonly intent?: string
  readonly head?: ChainHead
  /** How many cells the realm has; null where it has one log. */
  readonly cells: number | null
}

export async function replayOne(
  options: ReplayOneOptions,
  progress: OnProgress,
): Promise<ReplayReport> {
  const { head, intent, cells } = options
  return withOneLog(options, async (log, place) => {
    const address = intent === undefined ? undefined : await findIntent(log, place, intent)
    return withDeciders(options, (deciders) => {
      const rootKey = rootKeyFor(options)
      return replay({ log, place, rootKey, ...deciders, address, head, cells, progress })
    })
  })
}
