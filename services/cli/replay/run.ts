// Replays the log with the deciders of this version, and prints what came of it.
import { configuration } from '#runtime/wiring/config'
import { threadCallbacks } from '#adapters/callbacks/thread'
import { loadModule } from '#runtime/authoring/callback-store'
import { findLog } from '#runtime/logs/log-url'
import { replay, type ReplayReport } from '#runtime/replay/replay'
import type { ChainHead } from '#runtime/replay/chain'
import { findingKinds } from '#runtime/replay/findings'
import { stages } from '#services/stages'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '../terminal/failure.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { withProgress } from '../terminal/progress.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { isReported } from './print-finding.ts'
import { hintsFor } from '../terminal/hint.ts'
import { replayLines } from './print.ts'
import { findIntent } from '../opening/intent-named.ts'
import { rootKeyFor, withLog } from '../opening/opened.ts'

export interface ReplayCommandOptions extends GlobalOptions {
  readonly intent?: string
  readonly head?: ChainHead
  /** Facts that are late or overtaken count like differences. */
  readonly strict?: boolean
  /** What only eras or callback modules that are not here could show does not. */
  readonly allowUnchecked?: boolean
}

export async function replayLog(options: ReplayCommandOptions): Promise<number> {
  const { folder } = findLog(options.log, configuration())
  const { head } = options
  if (head !== undefined && options.intent !== undefined) {
    throw usage('`--head` is of the whole log: leave `--intent` out')
  }
  return withLog(options, async (log, place) => {
    const address =
      options.intent === undefined ? undefined : await findIntent(log, place, options.intent)
    const callbacks = threadCallbacks((digest) =>
      folder === null ? Promise.resolve(null) : loadModule(folder, digest),
    )
    try {
      const began = performance.now()
      const rootKey = rootKeyFor(options)
      const replaying = { log, place, rootKey, stages, callbacks, address, head }
      const report = await withProgress((progress) => replay({ ...replaying, progress }))
      const ms = performance.now() - began
      const hints = hintsFor(options, configuration())
      if (options.json === true) await printJson({ ...report, ms: Math.round(ms) })
      else await print(replayLines(report, { ms, hints, folder }))
      return replayExitCodeOf(report, options)
    } finally {
      await callbacks.close()
    }
  })
}

export function replayExitCodeOf(
  { differences, unchecked, findings, hasHead }: ReplayReport,
  {
    strict = false,
    allowUnchecked = false,
  }: Pick<ReplayCommandOptions, 'strict' | 'allowUnchecked'>,
): number {
  const counting = findingKinds.filter((kind) => strict || !isReported(kind))
  const found = counting.reduce((sum, kind) => sum + findings.counts[kind], 0)
  if (differences > 0 || found > 0 || hasHead === false) return exitCodes.differs
  return unchecked === 0 || allowUnchecked ? exitCodes.yes : exitCodes.unchecked
}
