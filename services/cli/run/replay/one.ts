// Replays one log: that of a realm, or of one cell of it.
import type { ChainHead } from '#replay/chain'
import type { ReplayedFile } from '#replay/backup/prove'
import type { OnProgress } from '#runtime/reporting/progress'
import { findIntent } from '#operations/finding/intent-named'
import { withDeciders } from '#cli/terminal/opening/deciders'
import { locate, rootKeyFor, withOneLog } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { isRemote } from '#runtime/logs/log-url'
import type { LogReport } from './in-thread.ts'
import { replayOnCores, type OnCores } from './on-cores.ts'

export interface ReplayOneOptions extends GlobalOptions, OnCores {
  readonly intent?: string
  readonly head?: ChainHead
  /** How many cells the realm has; null where it has one log. */
  readonly cells: number | null
}

export async function replayOne(
  options: ReplayOneOptions,
  progress: OnProgress,
): Promise<LogReport> {
  const { head, intent, cells } = options
  return withOneLog(options, async (log, place, rolledBack) => {
    const address = intent === undefined ? undefined : await findIntent(log, place, intent)
    const rootKey = rootKeyFor(options)
    const at = await fileOf(options)
    const report = await withDeciders(options, (deciders) => {
      const of = { log, place, rootKey, ...deciders, address, head, cells, progress }
      return replayOnCores(of, at, options)
    })
    return { ...report, ...(rolledBack !== null && { rolledBack: rolledBack.message }) }
  })
}

/** Null for a log that is not in a file. */
async function fileOf(options: GlobalOptions): Promise<ReplayedFile | null> {
  const at = await locate(options)
  const { url: file, folder } = at
  return folder === null || isRemote(at) ? null : { file, folder }
}
