// Writes all facts of the logs that are meant to one file, then reads that back, unpacks it and
// derives every verdict again. A log only grows: what it had at the beginning is a snapshot.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Fault } from '#record/fault'
import { cellIn, controlPlace, eraOf } from '#record/names'
import type { Fact } from '#ports/log'
import { loadModule } from '#authoring/callback-store'
import { bundleFormat, type BundleHeader } from '#replay/backup/format'
import { proven } from '#replay/backup/prove'
import { unpacked } from '#replay/backup/restore'
import { writeBundle, type BundledLog } from '#replay/backup/write'
import { snapshotOf } from '#replay/eras/beginning'
import { firstOf } from '#replay/eras/last-era'
import type { OnProgress } from '#runtime/reporting/progress'
import { configuration } from '#wiring/config'
import { exitCodes } from '#schemas/faults/exit'
import { stages } from '#workers/stages'
import { replayOnCores as replayed } from '../replay/on-cores.ts'
import { realmCells, withWholeLogs, type WholeLogs } from '#cli/terminal/opening/cells/logs'
import { locate, rootKeyFor, withLogs, type OpenedToRead } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { packageVersion } from '#cli/terminal/opening/package-root'
import { hintsFor } from '#cli/terminal/hint'
import { withProgress } from '#cli/terminal/progress'
import { print, printJson } from '#cli/terminal/terminal'
import { bundleExitCode, bundleJson, bundleLines } from './print.ts'

/** What is whole is backed up; where something is not, it fails in the end and names it. */
export function backupLog(file: string, options: GlobalOptions): Promise<number> {
  return withWholeLogs(options, (logs) => backupWhole(resolve(file), options, logs))
}

async function backupWhole(path: string, options: GlobalOptions, logs: WholeLogs): Promise<number> {
  const began = performance.now()
  const hints = hintsFor(options, configuration())
  const rootKey = rootKeyFor(options)
  const found = await withProgress(async (progress) => {
    const isRolledBack = await write(path, { options, logs, progress })
    return unpacked(
      [path],
      path,
      async (restored) => {
        const reports = await proven(restored, { rootKey, stages, progress, replayed })
        return { restored, reports, isRolledBack }
      },
      progress,
    )
  })
  const { size: bytes } = await stat(path)
  const of = { ...found, file: path, bytes, ms: performance.now() - began }
  if (options.json === true) await printJson(bundleJson(of))
  else await print(bundleLines('backed up', of, hints))
  return found.isRolledBack ? exitCodes.differs : bundleExitCode(of)
}

/** Whether one of the logs is not what this user saw of it before. */
async function write(
  file: string,
  {
    options,
    logs,
    progress,
  }: {
    readonly options: GlobalOptions
    readonly logs: WholeLogs
    readonly progress: OnProgress
  },
): Promise<boolean> {
  const { folder } = await locate(options)
  const control = { ...options, realm: controlPlace(options.realm).realm }
  const known = cellIn(options.realm) === null ? logs.known : await realmCells(control)
  const cells = known?.count ?? null
  return withLogs(
    logs.all.map((each) => each.options),
    async (opened) => {
      const rest = await restOf(opened, cells)
      const { realm } = options
      await writeBundle(file, {
        header: headerOf(
          rest === null
            ? { holds: 'backup', realm, cells }
            : { holds: 'era', realm, cells, era: rest.era },
        ),
        logs: bundledLogs(opened, { progress, rest }),
        module: (digest) => (folder === null ? Promise.resolve(null) : loadModule(folder, digest)),
      })
      return opened.some(({ rolledBack }) => rolledBack !== null)
    },
  )
}

type HeaderOf<H> = H extends BundleHeader ? Omit<H, 'is' | 'format' | 'version' | 'made'> : never

export function headerOf(of: HeaderOf<BundleHeader>): BundleHeader {
  const made = new Date().toISOString()
  return { is: 'header', format: bundleFormat, version: packageVersion(), made, ...of }
}

/** What a log begins with whose first eras were taken away. */
interface Rest {
  readonly era: number
  readonly from: number
  readonly module: string | null
}

/** Null where all are whole. With archives of the eras before it, such a one can be restored. */
async function restOf(opened: readonly OpenedToRead[], cells: number | null): Promise<Rest | null> {
  for (const { log, place } of opened) {
    const first = await firstOf(log)
    if (first === undefined || first.position === 1) continue
    const { position: from } = first
    const era = eraOf(first.name)
    const begun = era === null ? null : await snapshotOf(log, { ...place, era }, null)
    if (cells === null && era !== null && begun !== null) {
      return { era, from, module: begun.state.catalog.callbacks }
    }
    const what = `the log of \`${place.realm}\` begins at position ${from}`
    throw new Fault('log_cut', `${what}: bring back the eras before it to back it up`)
  }
  return null
}

async function* bundledLogs(
  opened: readonly OpenedToRead[],
  { progress, rest }: { readonly progress: OnProgress; readonly rest: Rest | null },
): AsyncGenerator<BundledLog, void, void> {
  for (const { log, place } of opened) {
    const { position: to } = await log.head()
    const facts = async function* (): AsyncGenerator<Fact, void, void> {
      if (to === 0) return
      for await (const fact of log.read({ to })) {
        progress({ doing: 'backing up', of: 'facts', done: fact.position, total: to })
        yield fact
      }
    }
    yield { realm: place.realm, facts: facts(), ...(rest !== null && { opening: rest }) }
  }
}
