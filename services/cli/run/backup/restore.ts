// Makes logs of a backup: unpacked beside their place, derived again, and only then moved there.
import { Fault } from '#record/fault'
import { proven } from '#replay/backup/prove'
import { moveIn, refuseTaken, targetsOf, unpacked, type Restored } from '#replay/backup/restore'
import { headOf } from '#replay/chain'
import { findLog, isRemote, logFileDefault } from '#runtime/logs/log-url'
import { configuration } from '#wiring/config'
import { stages } from '#workers/stages'
import { replayOnCores as replayed } from '../replay/on-cores.ts'
import { exitCodes } from '#schemas/faults/exit'
import { rootKeyFor } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { hintsFor } from '#cli/terminal/hint'
import { toned } from '#cli/terminal/line'
import { withProgress } from '#cli/terminal/progress'
import { note, print, printJson } from '#cli/terminal/terminal'
import { rolledBackIn } from './seen-before.ts'
import { bundleExitCode, bundleJson, bundleLines } from './print.ts'

interface RestoreOptions extends GlobalOptions {
  readonly withDifferences?: boolean
}

export async function restoreLog(
  files: readonly string[],
  options: RestoreOptions,
): Promise<number> {
  const began = performance.now()
  const hints = hintsFor(options, configuration())
  const target = targetOf(options)
  const rootKey = rootKeyFor(options)
  return withProgress((progress) =>
    unpacked(
      files,
      target,
      async (restored) => {
        refuseCut(restored)
        const targets = targetsOf(restored, target)
        refuseTaken(targets.values())
        const reports = await proven(restored, { rootKey, stages, progress, replayed })
        const code = bundleExitCode({ restored, reports })
        const departures = await rolledBackIn(restored, rootKey)
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
        for (const { fault } of isKept ? departures : []) note(`warrant: ${fault.message}`)
        return code
      },
      progress,
    ),
  )
}

/** A log in a file begins with its first fact. */
function refuseCut({ logs }: Restored): void {
  if (logs.every(({ facts, head }) => headOf(head)?.position === facts)) return
  const fix = 'give the archives of the other eras as well, or check it with `warrant verify`'
  throw new Fault('log_cut', `it holds a part of a log: ${fix}`)
}

/** Never one of a folder above: that is another log. */
function targetOf({ log }: GlobalOptions): string {
  const settings = configuration()
  const place = findLog(log ?? settings.log ?? logFileDefault, settings)
  if (!isRemote(place) && place.folder !== null) return place.url
  const what = `\`${place.url}\` stamps facts itself, so none can come back as it was`
  throw new Fault('log_unsupported', `${what}: restore to a file, as in --log restored/log.db`)
}
