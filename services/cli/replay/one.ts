// Replays one log: that of a realm, or of one cell of it, in this thread or in one of its own.
import { configuration } from '#runtime/wiring/config'
import { threadCallbacks } from '#adapters/callbacks/thread'
import { loadModule } from '#runtime/authoring/callback-store'
import { findLog } from '#runtime/logs/log-url'
import type { ChainHead } from '#runtime/replay/chain'
import { replay, type ReplayReport } from '#runtime/replay/replay'
import type { OnProgress } from '#runtime/reporting/progress'
import { stages } from '#services/stages'
import { findIntent } from '#services/client/reading/intent-named'
import { rootKeyFor, withOneLog } from '../opening/opened.ts'
import type { GlobalOptions } from '../opening/options.ts'

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
  const { folder } = findLog(options.log, configuration())
  const { head, intent, cells } = options
  return withOneLog(options, async (log, place) => {
    const address = intent === undefined ? undefined : await findIntent(log, place, intent)
    const callbacks = threadCallbacks((digest) =>
      folder === null ? Promise.resolve(null) : loadModule(folder, digest),
    )
    try {
      const rootKey = rootKeyFor(options)
      const replaying = { log, place, rootKey, stages, callbacks, address, head, cells, progress }
      return await replay(replaying)
    } finally {
      await callbacks.close()
    }
  })
}
