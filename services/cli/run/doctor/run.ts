// Gathers what `warrant doctor` says: of the deployment, and of the work on it.
import { systemClock } from '#system/clock'
import { configuration } from '#wiring/config'
import { realmOfCell } from '#record/names'
import { Fault } from '#record/fault'
import { examine } from '#health/doctor/examination'
import { failure, failuresIn, inProduction, ok, warning } from '#health/doctor/finding'
import type { DoctorFinding } from '#health/doctor/finding'
import { versionsFinding } from '#health/doctor/versions'
import { consoleFindings } from './console.ts'
import { observingHere } from './observing.ts'
import { findingsBeside, findingsOfWork, foldSeen } from './of-runtime.ts'
import { movingFindings, unreadableLog } from './work.ts'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { findLog, isRemote, type LogPlace } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import { originOf } from '../console/link.ts'
import { packageVersion } from '#cli/terminal/opening/package-root'
import { allStages as stages } from '#workers/all-stages'
import { exitCodes } from '#schemas/faults/exit'
import {
  faultsOf,
  logsOf,
  realmCells,
  withControl,
  type RealmCells,
} from '#cli/terminal/opening/cells/logs'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { findingLines } from './print.ts'
import { rootKeyFor, withRuntime } from '#cli/terminal/opening/opened'
import { reachFileAt } from '../reach/run.ts'

export interface DoctorOptions extends GlobalOptions {
  readonly monitor?: readonly string[]
  readonly production?: boolean
  readonly archive?: string
  /** Of a console, which alone is looked at then. */
  readonly url?: string
}

export async function doctor(options: DoctorOptions): Promise<number> {
  if (options.url !== undefined) {
    const origin = originOf(options.url)
    return sayFound(options, origin, await consoleFindings(origin))
  }
  const { url } = findLog(options.log, configuration())
  return sayFound(options, withoutSecrets(url), await findingsOf(options))
}

/** All that is found of a deployment and of what its log holds. */
export async function findingsOf(
  options: Omit<DoctorOptions, 'production' | 'url'>,
): Promise<readonly DoctorFinding[]> {
  const place = findLog(options.log, configuration())
  const cells = await cellsSeen(options)
  const about = await deploymentFindings(options, { place, cells })
  return [
    ...about,
    ...(await workOf(options, place, about)),
    ...(cells === null ? [] : placedFindings(cells)),
    ...(await cellsFindings(options, { place, cells }, (realm, found) => {
      return workOf({ ...options, realm }, place, found)
    })),
    ...(await observingHere(configuration(), systemClock.now())),
  ]
}

async function sayFound(
  { json, production }: DoctorOptions,
  about: string,
  seen: readonly DoctorFinding[],
): Promise<number> {
  const findings = production === true ? inProduction(seen) : seen
  const failed = failuresIn(findings).length
  if (json === true) await printJson({ log: about, ok: failed === 0, findings })
  else await print(findingLines(about, findings))
  return failed === 0 ? exitCodes.yes : exitCodes.fault
}

/** What a server that runs already finds of its deployment, its machine and its logs. */
export async function doctorBeside(
  runtimes: readonly Runtime[],
  options: GlobalOptions,
): Promise<readonly DoctorFinding[]> {
  const place = findLog(options.log, configuration())
  const cells = await cellsSeen(options)
  const of = { place, reachFile: reachFileAt(options), archive: null }
  const found = new Map<string, readonly DoctorFinding[]>()
  for (const runtime of runtimes) {
    found.set(runtime.place.realm, await findingsBeside(runtime, of))
  }
  const [first] = runtimes
  const ofFirst = found.get(first?.place.realm ?? '') ?? []
  const ofCells = await cellsFindings(options, { place, cells }, async (realm) => {
    return found.get(realm) ?? []
  })
  return [
    ...(await deploymentFindings(options, { place, cells })),
    ...ofFirst.filter(({ check }) => cells === null || ofAllLogs.has(check)),
    ...(cells === null ? [] : placedFindings(cells)),
    ...ofCells,
    ...(await observingHere(configuration(), systemClock.now())),
  ]
}

async function deploymentFindings(
  options: Omit<DoctorOptions, 'production' | 'url'>,
  { place, cells }: { readonly place: LogPlace; readonly cells: CellsSeen | null },
): Promise<readonly DoctorFinding[]> {
  const { realm, monitor: monitors = [] } = options
  const found = await examine({
    place,
    realm,
    rootKey: rootKeyFor(options),
    // A control log has no queues: the stages work in the cells.
    stages: cells === null ? stages : [],
    monitors,
    settings: configuration(),
  })
  return [versionsFinding(packageVersion(), process.versions.node), ...found]
}

interface CellsSeen {
  readonly known: RealmCells
  /** Why the logs of some cannot be opened, by their realms. */
  readonly lost: ReadonlyMap<string, Fault>
}

/** Null too where that cannot be seen: why not is found of the connection. */
async function cellsSeen(options: GlobalOptions): Promise<CellsSeen | null> {
  try {
    const known = await realmCells(options)
    if (known === null) return null
    const all = withControl(options, logsOf(options, known))
    const faults = await faultsOf(all, known)
    const lost = all.flatMap(({ options: { realm } }, index) => {
      const fault = faults[index] ?? null
      return fault === null ? [] : [[realm, fault] as const]
    })
    return { known, lost: new Map(lost) }
  } catch {
    return null
  }
}

const ofOneLog: ReadonlySet<DoctorFinding['check']> = new Set([
  'log',
  'stream',
  'persistence',
  'replicas',
  'facts',
  'intake',
  'mirror',
  'followers',
  'queue',
  'consumers',
])

/** What follows from the catalog and this machine alone: it was found of the control log. */
const ofAllLogs: ReadonlySet<DoctorFinding['check']> = new Set([
  'apply',
  'callbacks',
  'keyless',
  'keys',
  'confirmers',
  'roles',
  'grants',
  'contracts',
  'doors',
  'evaluators',
  'reach',
])

/** Of each cell's log and the work on it. */
async function cellsFindings(
  options: GlobalOptions,
  { place, cells }: { readonly place: LogPlace; readonly cells: CellsSeen | null },
  workIn: (realm: string, about: readonly DoctorFinding[]) => Promise<readonly DoctorFinding[]>,
): Promise<readonly DoctorFinding[]> {
  if (cells === null) return []
  const findings: DoctorFinding[] = []
  for (let index = 0; index < cells.known.count; index += 1) {
    const realm = realmOfCell({ of: options.realm, index })
    const rootKey = rootKeyFor(options)
    const examining = { place, realm, rootKey, stages, monitors: [], settings: configuration() }
    const seen = (await examine(examining)).filter(({ check }) => ofOneLog.has(check))
    const why = cells.lost.get(realm)
    // Where there is nothing of it, only the catalog says that there was a log.
    const about = seen.map((one) =>
      one.check === 'log' && why !== undefined ? { ...one, fix: why.message } : one,
    )
    const found = await workIn(realm, about)
    const work = found.filter(({ check }) => !ofAllLogs.has(check))
    findings.push(
      ...about,
      ...work.map((one) => ({ ...one, about: one.about === '' ? realm : `${realm} ${one.about}` })),
    )
  }
  return findings
}

function placedFindings(seen: CellsSeen): readonly DoctorFinding[] {
  const moving = [...seen.known.catalog.principals.values()].filter((each) => each.moving === true)
  return [placedFinding(seen), ...movingFindings(moving.map(({ id }) => id))]
}

/** No advice ever moves an agent: one whose log is gone for a while is where it was. */
function placedFinding({ known: { count, catalog }, lost }: CellsSeen): DoctorFinding {
  const { cells: said } = catalog
  if (lost.size > 0) {
    const found = `of ${count} cells and what they share, ${lost.size} cannot be read`
    const why = [...lost.values()].map(({ message }) => message).join('; ')
    return failure('cells', `${found}: ${[...lost.keys()].join(', ')}`, { fix: why })
  }
  const found = `there are ${count} cells, and the catalog says ${said ?? 'nothing of cells'}`
  if (said === count) return ok('cells', `${count} cells, as the catalog says`)
  if (said !== null) {
    const fewer = `there are ${count} cells, and agents are spread over ${said}`
    const fix = `leave the others as they are, or use them: \`warrant catalog spread ${count}\``
    return warning('cells', fewer, { fix })
  }
  const fix = `give the catalog \`"cells": ${count}\`: until then no agent is in any of them`
  return failure('cells', found, { fix })
}

async function workOf(
  options: Pick<DoctorOptions, 'archive'> & GlobalOptions,
  place: LogPlace,
  about: readonly DoctorFinding[],
): Promise<readonly DoctorFinding[]> {
  // A log that is not there, or not whole, is not made nor waited for.
  const isLost = failuresIn(about).some(({ check }) => lost.has(check))
  if (isLost || place.url === 'memory:') return []
  try {
    const began = performance.now()
    // All of it is folded, whatever snapshots there are: what counts for nothing is in none.
    const seen = foldSeen(options.realm)
    const reachFile = reachFileAt(options)
    const opening = { reads: true, shows: true, foldsAll: true, onFolded: seen.listener }
    return await withRuntime(options, opening, async (runtime) => [
      ...(await findingsOfWork(runtime, {
        place,
        reachFile,
        archive: options.archive ?? null,
        seen,
        foldMs: performance.now() - began,
      })),
    ])
  } catch (error) {
    const hasRole = about.some(({ check, status }) => check === 'operator' && status === 'ok')
    const readsOwn = error instanceof Fault && error.code === 'not_permitted'
    return [unreadableLog(error, isRemote(place) && (!hasRole || readsOwn))]
  }
}

const lost: ReadonlySet<DoctorFinding['check']> = new Set([
  'connection',
  'log',
  'stream',
  'facts',
  'file',
])
