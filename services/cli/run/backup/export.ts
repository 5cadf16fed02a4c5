// Writes the facts that decide one intent to a file: the fewest that derive its verdict again.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { loadModule } from '#authoring/callback-store'
import { derivesAll, takeIntent } from '#replay/backup/intent'
import { writeBundle, type BundledLog } from '#replay/backup/write'
import { configuration } from '#wiring/config'
import { stages } from '#workers/stages'
import { exitCodes } from '#schemas/faults/exit'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { findIntent } from '#operations/finding/intent-named'
import { locate, rootKeyFor, withOneLog } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { hintsFor } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'
import { headerOf } from './backup.ts'
import { exportLines } from './print-intent.ts'

interface EvidenceOptions extends GlobalOptions {
  readonly intent: string
}

export async function exportIntent(file: string, options: EvidenceOptions): Promise<number> {
  const at = await cellOfIntent(options, options.intent, 'any')
  const path = resolve(file)
  const { folder } = await locate(at.options)
  const module = (digest: string) =>
    folder === null ? Promise.resolve(null) : loadModule(folder, digest)
  const callbacks = threadCallbacks(module)
  try {
    return await withOneLog(at.options, async (log, place) => {
      const intent = await findIntent(log, place, at.meant)
      const rootKey = rootKeyFor(options)
      const taken = await takeIntent(log, intent, { place, rootKey, stages, callbacks })
      const { realm } = place
      const logs = async function* (): AsyncGenerator<BundledLog, void, void> {
        yield { realm, facts: taken.parts() }
      }
      const header = headerOf({ holds: 'intent', realm, cells: null, intent })
      await writeBundle(path, { header, logs: logs(), module })
      const { size: bytes } = await stat(path)
      const of = { file: path, bytes, intent, taken }
      if (options.json === true) {
        const { differences, unchecked, root } = taken.report
        const { to, derived } = taken.about
        const { isWhole } = taken
        await printJson({
          file: path,
          bytes,
          intent,
          to,
          derived,
          isWhole,
          root,
          differences,
          unchecked,
        })
      } else await print(exportLines(of, hintsFor(options, configuration())))
      if (!derivesAll(taken.report, taken.about)) return exitCodes.differs
      return taken.report.unchecked === 0 ? exitCodes.yes : exitCodes.unchecked
    })
  } finally {
    await callbacks.close()
  }
}
