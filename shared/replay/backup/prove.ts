// Derives every decision again from what was unpacked, as anyone who restores it would: a copy that
// was never read back is no backup.
import { readOnlySqliteLog } from '#log/sqlite/read-only'
import { threadCallbacks } from '#runtime/callbacks/thread'
import type { Stage } from '#stages/stage'
import { loadModule } from '#authoring/callback-store'
import { lastPlace } from '../eras/last-era.ts'
import { refuseOtherRoot } from '../eras/root-key.ts'
import type { ReplayOptions } from '../pass.ts'
import { replay, type ReplayReport } from '../replay.ts'
import type { OnProgress } from '#runtime/reporting/progress'
import type { Restored, RestoredLog } from './restore.ts'

export interface ProvingOptions {
  readonly rootKey: string | null
  readonly stages: readonly Stage[]
  readonly progress?: OnProgress
  /** Whether its callback modules run; they do unless it came from someone else. */
  readonly runsModules?: boolean
  /** Replays a log that was unpacked into that file; in this thread if not given. */
  readonly replayed?: (options: ReplayOptions, at: ReplayedFile) => Promise<ReplayReport>
}

export interface ReplayedFile {
  readonly file: string
  /** Where its callback modules are; null where none may run. */
  readonly folder: string | null
}

/** The report of each log that was unpacked. */
export async function proven(
  { logs, header, folder }: Restored,
  proving: ProvingOptions,
): Promise<ReadonlyMap<RestoredLog, ReplayReport>> {
  const reports = new Map<RestoredLog, ReplayReport>()
  const { runsModules = true, replayed = replay } = proving
  const callbacks = threadCallbacks((digest) =>
    runsModules ? loadModule(folder, digest) : Promise.resolve(null),
  )
  try {
    for (const one of logs) {
      const log = readOnlySqliteLog(one.file)
      try {
        await refuseOtherRoot(log, one, proving.rootKey)
        const place = await lastPlace(log, one.realm)
        const { cells } = header
        const { rootKey, stages, progress } = proving
        const of = { log, place, rootKey, stages, callbacks, cells, progress }
        const at = { file: one.file, folder: runsModules ? folder : null }
        reports.set(one, await replayed(of, at))
      } finally {
        await log.close()
      }
    }
    return reports
  } finally {
    await callbacks.close()
  }
}
