// Writes all facts of the logs that are meant to one file, then reads that back, unpacks it and
// derives every verdict again. A log only grows: what it had at the beginning is a snapshot.
import { stat } from 'node:fs/promises'
import { resolve, join } from 'node:path'
import { Fault } from '#record/fault'
import { cellIn, controlPlace, eraOf, agentIn, partsInRealm } from '#record/names'
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
import { print, printJson, note } from '#cli/terminal/terminal'
import { bundleExitCode, bundleJson, bundleLines } from './print.ts'
import { tmpdir } from 'node:os'
import { systemClock as clock } from '#system/clock'
import { principalNamed } from '#rules/catalog/catalog'
import { readData } from '#record/event'
import { derivesAll, readIntent } from '#replay/backup/intent'
import { readBundle } from '#replay/backup/read'
import { stateAt } from '#replay/eras/state-at'
import { tracedIn } from '#operations/traces'
import { wrapped } from '#cli/terminal/width'
import { rolledBackIn } from './seen-before.ts'
import { intentLines } from './print-intent.ts'

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

// Checks what `export` or `backup` wrote, from the file alone: it is read whole, and every verdict
// in it derived again. Code in it runs only where the root key shows who let it in.

export async function verifyFile(file: string, options: GlobalOptions): Promise<number> {
  const header = await headerIn(file)
  return header.holds === 'intent'
    ? verifyIntent(file, header, options)
    : verifyBackup(file, options)
}

async function headerIn(file: string): Promise<BundleHeader> {
  for await (const item of readBundle(file)) if (item.is === 'header') return item.header
  // INVARIANT: the reader refuses a file that does not begin with one.
  throw new Error('a bundle has a header')
}

async function verifyBackup(file: string, options: GlobalOptions): Promise<number> {
  const began = performance.now()
  const rootKey = rootKeyFor(options)
  const runsModules = rootKey !== null
  return withProgress((progress) =>
    unpacked(
      [file],
      join(tmpdir(), 'log.db'),
      async (restored) => {
        const reports = await proven(restored, { rootKey, stages, progress, replayed, runsModules })
        const of = { restored, reports, file, ms: performance.now() - began }
        const hints = hintsFor(options, configuration())
        // An era is no whole log, which could be held against what this user saw of one.
        const isWhole = restored.header.holds === 'backup'
        const departures = isWhole ? await rolledBackIn(restored, rootKey) : []
        const isOther = departures.some(({ isShorter }) => !isShorter)
        if (options.json === true) await printJson(bundleJson(of))
        else await print(bundleLines('verified', of, hints))
        for (const { fault, isShorter, seen } of departures) {
          const older = 'it is older than its log, which this user saw up to position'
          note(`warrant: ${isShorter ? `${older} ${seen.position}` : fault.message}`)
        }
        return isOther ? exitCodes.differs : bundleExitCode(of)
      },
      progress,
    ),
  )
}

async function verifyIntent(
  file: string,
  { realm, intent, made }: Extract<BundleHeader, { readonly holds: 'intent' }>,
  options: GlobalOptions,
): Promise<number> {
  const rootKey = rootKeyFor(options)
  const read = await readIntent(file, { realm, intent }, { rootKey, stages })
  const { log, place, report, about } = read
  const tracing = { log, place, now: clock.now(), deciders: null }
  const { summary } = (await tracedIn(tracing, intent)).story
  const fact = log.facts.find(({ name }) => {
    const parts = partsInRealm(name, realm)
    return parts?.kind === 'verdict' && parts.address === intent
  })
  const { catalog } = await stateAt({ log, realm, rootKey }, { at: 'end' }, 'catalog')
  const agent = principalNamed(catalog, agentIn(intent))
  const of = {
    ...read,
    intent,
    made,
    rootKey,
    summary,
    verdict: readData('verdict', fact),
    verdictAt: fact ?? null,
    agentSigns: (agent?.keys.length ?? 0) > 0,
  }
  const derives = derivesAll(report, about)
  if (options.json === true) {
    const { root, differences, unchecked, first } = report
    const counts = { facts: log.facts.length, leftOut: log.leftOut, to: about.to }
    const checked = { derives, derived: about.derived, differences, unchecked, first }
    const { verdict, agentSigns } = of
    const rooted = { root, rootKeyGiven: rootKey !== null }
    await printJson({
      intent,
      made,
      ...counts,
      ...checked,
      ...rooted,
      agentSigns,
      verdict,
      summary,
    })
  } else {
    await print(wrapped(intentLines(of, hintsFor(options, configuration()))))
  }
  if (!derives) return exitCodes.differs
  return report.unchecked === 0 ? exitCodes.yes : exitCodes.unchecked
}
