// Writes the facts that decide one intent to a file: the fewest that derive its verdict again.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { threadCallbacks } from '#adapters/callbacks/thread'
import { loadModule } from '#runtime/authoring/callback-store'
import { derivesAll, takeIntent } from '#runtime/backup/intent'
import { writeBundle, type BundledLog } from '#runtime/backup/write'
import { configuration } from '#runtime/wiring/config'
import { stages } from '#services/stages'
import { exitCodes } from '#schemas/faults/exit'
import { cellOfIntent } from '../opening/cells/intent-cell.ts'
import { findIntent } from '#services/client/reading/intent-named'
import { locate, rootKeyFor, withOneLog } from '../opening/opened.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { hintsFor } from '../terminal/hint.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { headerOf } from './backup.ts'
import { exportLines } from './print-intent.ts'

export interface EvidenceOptions extends GlobalOptions {
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
