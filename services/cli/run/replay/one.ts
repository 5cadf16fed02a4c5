// Replays one log: that of a realm, or of one cell of it, in this thread or in one of its own.
import type { ChainHead } from '#replay/chain'
import { replay, type ReplayReport } from '#replay/replay'
import type { OnProgress } from '#runtime/reporting/progress'
import { findIntent } from '#operations/finding/intent-named'
import { withDeciders } from '#cli/terminal/opening/deciders'
import { rootKeyFor, withOneLog } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'

export interface ReplayOneOptions extends GlobalOptions {
  readonly intent?: string
  readonly head?: ChainHead
  /** How many cells the realm has; null where it has one log. */
  readonly cells: number | null
}

/** What a replay of a log came to, and why it is not what this user saw of it before. */
export interface LogReport extends ReplayReport {
  /** Absent where it goes on from there. */
  readonly rolledBack?: string
}

export async function replayOne(
  options: ReplayOneOptions,
  progress: OnProgress,
): Promise<LogReport> {
  const { head, intent, cells } = options
  return withOneLog(options, async (log, place, rolledBack) => {
    const address = intent === undefined ? undefined : await findIntent(log, place, intent)
    const rootKey = rootKeyFor(options)
    const report = await withDeciders(options, (deciders) =>
      replay({ log, place, rootKey, ...deciders, address, head, cells, progress }),
    )
    return { ...report, ...(rolledBack !== null && { rolledBack: rolledBack.message }) }
  })
}
