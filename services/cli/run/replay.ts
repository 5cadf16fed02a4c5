// Replays the log with the deciders of this version, and prints what came of it.
import { threadCallbacks } from '#adapters/callbacks/thread'
import { loadModule } from '#runtime/callback-store'
import { findLog } from '#runtime/log-url'
import { replay, type ReplayReport } from '#runtime/replay'
import { stages } from '#services/stages'
import { exitCodes } from '../exit.ts'
import type { GlobalOptions } from '../options.ts'
import { print, printJson } from '../terminal.ts'
import { hintsFor } from '../text/hint.ts'
import { replayLines } from '../text/replay-text.ts'
import { findIntent } from './intent-named.ts'
import { rootKeyFor, withLog } from './opened.ts'

export interface ReplayOptions extends GlobalOptions {
  readonly intent?: string
  /** Facts that are late or overtaken count like differences. */
  readonly strict?: boolean
}

export async function replayLog(options: ReplayOptions): Promise<number> {
  const { folder } = findLog(options.log, process.env)
  return withLog(options, async (log, place) => {
    const address =
      options.intent === undefined ? undefined : await findIntent(log, place, options.intent)
    const callbacks = threadCallbacks((digest) =>
      folder === null ? Promise.resolve(null) : loadModule(folder, digest),
    )
    try {
      const began = performance.now()
      const rootKey = rootKeyFor(options)
      const report = await replay({ log, place, rootKey, stages, callbacks, address })
      const ms = performance.now() - began
      const hints = hintsFor(options, process.env)
      if (options.json === true) await printJson({ ...report, ms: Math.round(ms) })
      else await print(replayLines(report, { ms, hints }))
      return isSound(report, options) ? exitCodes.yes : exitCodes.differs
    } finally {
      await callbacks.close()
    }
  })
}

function isSound({ differences, findings }: ReplayReport, { strict }: ReplayOptions): boolean {
  const { late, overtaken } = findings.counts
  return differences === 0 && (strict !== true || late + overtaken === 0)
}
