// Gathers what `warrant doctor` says: of the deployment, and of the work on it.
import { systemClock } from '#system/clock'
import { asCalled } from '#wiring/called'
import { configuration } from '#wiring/config'
import { realmOfCell } from '#record/names'
import { Fault } from '#record/fault'
import { examine } from '#health/doctor/examination'
import {
  failure,
  failuresIn,
  inProduction,
  ok,
  warning,
  type DoctorFinding,
  type Status,
} from '#health/doctor/finding'
import { versionsFinding } from '#health/doctor/versions'
import { observingHere } from './observing.ts'
import { findingsBeside, findingsOfWork, foldSeen } from './of-runtime.ts'
import { movingFindings, unreadableLog } from './work.ts'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { findLog, isRemote, type LogPlace } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import { originOf } from '../console/enrol.ts'
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
import { rootKeyFor, withRuntime } from '#cli/terminal/opening/opened'
import { reachFileAt } from '../reach/run.ts'
import { counted } from '#present/wording'
import { toned, type Line, type Tone } from '#cli/terminal/line'
import { tableBlocks } from '#cli/terminal/table'
import { consoleApi, consoleRoutes } from '#schemas/console/routes'
import { isLoopback } from '#serving/loopback'
import { headersAt } from '#console/page-answers'
import { answerOf, filesHere, filesThere, type FileThere } from '../console/served.ts'

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

// What `warrant doctor` found, for people: a table of all checks, and below it what to do.

const tones: Readonly<Record<Status, Tone>> = { ok: 'good', warning: 'warn', failure: 'bad' }

export function findingLines(log: string, findings: readonly DoctorFinding[]): readonly Line[] {
  const together = alike(findings)
  const rows = together.map(({ status, check, about, found }) => [status, check, about, found])
  const { top, blocks } = tableBlocks(['', 'check', 'of', 'found'], rows)
  const painted = blocks.flatMap((lines, index) =>
    lines.map((line) => toned(tones[together[index]?.status ?? 'ok'], line)),
  )
  return [...top, ...painted, ...fixLines(together), '', verdictLine(log, findings)]
}

/**
 * What was found alike of several is one line: of what is well with the first and a count, of all
 * else with every name.
 */
function alike(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const groups = new Map<string, DoctorFinding[]>()
  for (const finding of findings) {
    const { check, status, found, fix } = finding
    const key = JSON.stringify([check, status, found, fix])
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const names = group.map(({ about }) => about).filter((about) => about !== '')
    const isCounted = first.status === 'ok' && names.length > namesMax
    const about = isCounted ? `${names[0]} and ${names.length - 1} more` : names.join(', ')
    return [{ ...first, about }]
  })
}

/** So many names are shorter than a count. */
const namesMax = 2

function fixLines(findings: readonly DoctorFinding[]): readonly Line[] {
  const toFix = findings.flatMap(({ check, about, fix }) => {
    const of = about === '' ? check : `${check} of ${about}`
    return fix === null ? [] : [`  ${of}: ${asCalled(fix)}`]
  })
  return toFix.length === 0 ? [] : ['', toned('strong', 'To fix'), ...toFix]
}

function verdictLine(log: string, findings: readonly DoctorFinding[]): Line {
  const failed = failuresIn(findings).length
  const warned = findings.filter(({ status }) => status === 'warning').length
  if (failed > 0) return toned('bad', `${log}: ${failed} failed, ${counted(warned, 'warning')}`)
  if (warned > 0) return toned('warn', `${log}: nothing failed, ${counted(warned, 'warning')}`)
  return toned('good', `${log}: all checks passed`)
}

// Whether a console gives the page that this release has, and tells browsers what protects it. Look
// from elsewhere than from its own machine: a captured server could say what is wanted.

/** Throws a Fault `server_unreachable` where nothing answers. */
async function consoleFindings(origin: string): Promise<readonly DoctorFinding[]> {
  const files = await filesThere(origin, await filesHere())
  const session = `${consoleApi}${consoleRoutes.session.path}`
  const { headers } = await answerOf(origin, session)
  return [
    addressFinding(origin),
    filesFinding(origin, files),
    headersFinding(origin, [...files, { path: session, headers }]),
  ]
}

/** Browsers use no passkey elsewhere, and anyone on the way could change the page. */
export function addressFinding(origin: string): DoctorFinding {
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'https:') return ok('console', 'it is addressed by https', origin)
  if (isLoopback(hostname)) return ok('console', 'it is on this machine alone', origin)
  const fix = 'give it a certificate (`--tls-cert`), or a proxy that ends TLS and `--url https://…`'
  return failure('console', 'it is addressed without TLS', { about: origin, fix })
}

function filesFinding(origin: string, files: readonly Omit<FileThere, 'headers'>[]): DoctorFinding {
  const others = files.filter(({ digest, there }) => there !== digest)
  if (others.length === 0) {
    const found = `${counted(files.length, 'file')} of the page as this release has them`
    return ok('console', found, origin)
  }
  const what = others.map(({ path, there }) => (there === null ? `${path} (not there)` : path))
  const found = `${others.length} of ${counted(files.length, 'file')} differ: ${some(what)}`
  const release = 'look whether it runs this release (`warrant --version`)'
  const fix = `${release}; else sign nothing there, and find out who changed them`
  return failure('console', found, { about: origin, fix })
}

export function headersFinding(
  origin: string,
  answers: readonly Pick<FileThere, 'path' | 'headers'>[],
): DoctorFinding {
  const wrong = new Map<string, string[]>()
  for (const { path, headers } of answers) {
    for (const [name, value] of Object.entries(headersAt(path, origin))) {
      if (headers.get(name) === value) continue
      wrong.set(name, [...(wrong.get(name) ?? []), path])
    }
  }
  if (wrong.size === 0) {
    return ok('console', 'browsers are told all that protects the page', origin)
  }
  const what = [...wrong].map(([name, [first = '', ...more]]) => {
    return `${name} at ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`
  })
  const found = `not as this release sends them: ${some(what)}`
  const fix =
    'have the proxy before it pass these headers as they are, none added and none left out'
  return failure('console', found, { about: origin, fix })
}

const namedMax = 6

function some(names: readonly string[]): string {
  const more = names.length - namedMax
  return `${names.slice(0, namedMax).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}
