// Makes logs of a backup: unpacked beside their place, derived again, and only then moved there.
import { Fault } from '#core/kernel/fault'
import { proven } from '#runtime/backup/prove'
import { moveIn, refuseTaken, targetsOf, unpacked } from '#runtime/backup/restore'
import { findLog, isRemote, logFileDefault } from '#runtime/logs/log-url'
import { configuration } from '#runtime/wiring/config'
import { stages } from '#services/stages'
import { exitCodes } from '#schemas/faults/exit'
import { rootKeyFor } from '../opening/opened.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { hintsFor } from '../terminal/hint.ts'
import { toned } from '../terminal/line.ts'
import { withProgress } from '../terminal/progress.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { bundleExitCode, bundleJson, bundleLines } from './print.ts'

export interface RestoreOptions extends GlobalOptions {
  readonly withDifferences?: boolean
}

export async function restoreLog(file: string, options: RestoreOptions): Promise<number> {
  const began = performance.now()
  const hints = hintsFor(options, configuration())
  const target = targetOf(options)
  const rootKey = rootKeyFor(options)
  return withProgress((progress) =>
    unpacked(
      file,
      target,
      async (restored) => {
        const targets = targetsOf(restored, target)
        refuseTaken(targets.values())
        const reports = await proven(restored, { rootKey, stages, progress })
        const code = bundleExitCode(reports)
        const isKept = code !== exitCodes.differs || options.withDifferences === true
        if (isKept) await moveIn(restored, targets)
        const of = { restored, reports, file: target, ms: performance.now() - began, targets }
        if (options.json === true) await printJson({ ...bundleJson(of), isKept })
        else {
          const refused = '  nothing was restored: --with-differences restores it all the same'
          await print([
            ...bundleLines(isKept ? 'restored' : 'not restored', of, hints),
            ...(isKept ? [] : [toned('bad', refused)]),
          ])
        }
        return code
      },
      progress,
    ),
  )
}

/** Never one of a folder above: that is another log. */
function targetOf({ log }: GlobalOptions): string {
  const settings = configuration()
  const place = findLog(log ?? settings.log ?? logFileDefault, settings)
  if (!isRemote(place) && place.folder !== null) return place.url
  const what = `\`${place.url}\` stamps facts itself, so none can come back as it was`
  throw new Fault('log_unsupported', `${what}: restore to a file, as in --log restored/log.db`)
}
