// Gathers what `warrant doctor` says: of the deployment, and of the work on it.
import { systemClock } from '#adapters/system/clock'
import type { FoldListener } from '#runtime/engine/follower'
import { configuration } from '#runtime/wiring/config'
import type { Catalog } from '#core/catalog/catalog'
import { decidesForOthers } from '#core/catalog/duties'
import { keylessIn } from '#core/catalog/keyless'
import { partsInRealm, patternOf, realmOfCell } from '#core/kernel/names'
import { readEvent } from '#core/kernel/event'
import { Fault } from '#core/kernel/fault'
import { waitsOf, waitsJson } from '#present/story/waits'
import { examine } from '#runtime/operations/doctor/examination'
import { failure, failuresIn, inProduction, ok, warning } from '#runtime/operations/doctor/finding'
import type { DoctorFinding } from '#runtime/operations/doctor/finding'
import { versionsFinding } from '#runtime/operations/doctor/versions'
import { catalogFindings } from './catalog.ts'
import { callbacksFindings } from './callbacks.ts'
import { doorFindings } from './doors.ts'
import { evaluatorFindings } from './evaluators.ts'
import { grantFindings } from './grants.ts'
import { reachFindings } from './reach.ts'
import { observedCount, observedFindings, observingHere } from './observing.ts'
import { voidCount, voidFinding } from './void.ts'
import { movingFindings, unreadableLog, workFindings, type KeySeen, type WorkSeen } from './work.ts'
import { keyPlaces, readableKeys } from '#runtime/keys/key-files'
import { holderOf } from '#runtime/keys/keys'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { cellsAt } from '#runtime/logs/cells'
import { findLog, isRemote, type LogPlace } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import { packageVersion } from '../opening/package-root.ts'
import { stages } from '#services/stages'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '../opening/options.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { findingLines } from './print.ts'
import { rootKeyFor, withRuntime } from '../opening/opened.ts'
import { reachFileAt } from '../reach/run.ts'

export interface DoctorOptions extends GlobalOptions {
  readonly monitor?: readonly string[]
  readonly production?: boolean
}

const faultsMax = 1_000

export async function doctor(options: DoctorOptions): Promise<number> {
  const place = findLog(options.log, configuration())
  const cells = await cellsSeen(place, options.realm)
  const about = await examine({
    place,
    realm: options.realm,
    rootKey: rootKeyFor(options),
    // A control log has no queues: the stages work in the cells.
    stages: cells === null ? stages : [],
    monitors: options.monitor ?? [],
    settings: configuration(),
  })
  const seen = [
    versionsFinding(packageVersion(), process.versions.node),
    ...about,
    ...(await workOf(options, place, about, cells)),
    ...(await cellsFindings(options, { place, cells })),
    ...(await observingHere(configuration(), systemClock.now())),
  ]
  const findings = options.production === true ? inProduction(seen) : seen
  const failed = failuresIn(findings).length
  const log = withoutSecrets(place.url)
  if (options.json === true) await printJson({ log, ok: failed === 0, findings })
  else await print(findingLines(log, findings))
  return failed === 0 ? exitCodes.yes : exitCodes.fault
}

/** Null too where that cannot be seen: why not is found of the connection. */
async function cellsSeen(place: LogPlace, realm: string): Promise<number | null> {
  try {
    return await cellsAt(place, realm)
  } catch {
    return null
  }
}

const ofOneLog: ReadonlySet<DoctorFinding['check']> = new Set([
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
  'callbacks',
  'keyless',
  'keys',
  'confirmers',
  'roles',
  'grants',
  'doors',
  'evaluators',
  'reach',
])

/** Of each cell's log and the work on it. */
async function cellsFindings(
  options: GlobalOptions,
  { place, cells }: { readonly place: LogPlace; readonly cells: number | null },
): Promise<readonly DoctorFinding[]> {
  if (cells === null) return []
  const findings: DoctorFinding[] = []
  for (let index = 0; index < cells; index += 1) {
    const realm = realmOfCell({ of: options.realm, index })
    const rootKey = rootKeyFor(options)
    const examining = { place, realm, rootKey, stages, monitors: [], settings: configuration() }
    const about = (await examine(examining)).filter(({ check }) => ofOneLog.has(check))
    const found = await workOf({ ...options, realm }, place, about)
    const work = found.filter(({ check }) => !ofAllLogs.has(check))
    findings.push(
      ...about,
      ...work.map((one) => ({ ...one, about: one.about === '' ? realm : `${realm} ${one.about}` })),
    )
  }
  return findings
}

function placedFindings(catalog: Catalog, cells: number): readonly DoctorFinding[] {
  const moving = [...catalog.principals.values()].filter((each) => each.moving === true)
  return [placedFinding(catalog, cells), ...movingFindings(moving.map(({ id }) => id))]
}

function placedFinding({ cells: said }: Pick<Catalog, 'cells'>, cells: number): DoctorFinding {
  const found = `there are ${cells} cells, and the catalog says ${said ?? 'nothing of cells'}`
  if (said === cells) return ok('cells', `${cells} cells, as the catalog says`)
  if (said !== null && said < cells) {
    const fewer = `there are ${cells} cells, and agents are spread over ${said}`
    return warning('cells', fewer, { fix: `spread them: \`warrant catalog spread ${cells}\`` })
  }
  const fix = `give the catalog \`"cells": ${cells}\`: until then no agent is in any of them`
  return failure('cells', found, { fix })
}

async function workOf(
  options: GlobalOptions,
  place: LogPlace,
  about: readonly DoctorFinding[],
  /** Of a control log: how many cells there are. */
  cells: number | null = null,
): Promise<readonly DoctorFinding[]> {
  // A log that is not there, or not whole, is not made nor waited for.
  const isLost = failuresIn(about).some(({ check }) => lost.has(check))
  if (isLost || place.url === 'memory:') return []
  try {
    const began = performance.now()
    // All of it is folded, whatever snapshots there are: what counts for nothing is in none.
    const voids = voidCount(options.realm)
    const observed = observedCount(options.realm, systemClock.now())
    const onFolded: FoldListener = (fact, folded, state) => {
      voids.count(fact, folded, state)
      observed.count(fact, folded, state)
    }
    const opening = { reads: true, foldsAll: true, onFolded }
    return await withRuntime(options, opening, async (runtime) => [
      ...workFindings(await seenIn(runtime, performance.now() - began)),
      voidFinding(voids.read()),
      ...(await callbacksFindings(place, runtime.follower.state.catalog.callbacks)),
      ...catalogFindings(runtime.follower.state),
      ...doorFindings(runtime.follower.state),
      ...evaluatorFindings(runtime.follower.state),
      ...grantFindings(runtime.follower.state, runtime.clock.now()),
      ...(await reachFindings(runtime, reachFileAt(options))),
      ...observedFindings(runtime.follower.state, observed.read()),
      ...(cells === null ? [] : placedFindings(runtime.follower.state.catalog, cells)),
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

async function seenIn(runtime: Runtime, foldMs: number): Promise<WorkSeen> {
  const { follower, clock } = runtime
  const { position, intents, log, root } = follower.state
  const now = clock.now()
  const openIntents = [...intents.values()].map((intent) => ({
    address: intent.address,
    ageMs: Math.max(0, now - intent.appendedAt),
    waits: waitsJson(waitsOf(follower.state, intent, now)),
  }))
  const keyless = keylessIn(follower.state.catalog)
  const faults = await openFaults(runtime)
  const keys = await keysOfDeciders(runtime)
  return { position, foldMs, log, root, openIntents, faults, keyless, keys }
}

async function keysOfDeciders({ follower, folder }: Runtime): Promise<readonly KeySeen[]> {
  const { catalog } = follower.state
  const keys = await readableKeys(keyPlaces(folder, configuration()))
  return keys.flatMap(({ file, publicKey, isSealed }) => {
    const principal = holderOf(catalog, publicKey)?.id
    const decides = principal !== undefined && decidesForOthers(catalog, principal)
    return decides ? [{ file, principal, isSealed }] : []
  })
}

/** The addresses of intents that are open, and of which a job was set aside. */
async function openFaults({ log, follower, place }: Runtime): Promise<readonly string[]> {
  const { intents, position } = follower.state
  const addresses: string[] = []
  if (position === 0) return addresses
  for await (const fact of log.read({ to: position }, [patternOf(place, 'fault', '>')])) {
    const reading = readEvent('fault', fact)
    if (!reading.ok) continue
    const address = partsInRealm(reading.event.data.name, place.realm)?.address ?? ''
    if (intents.has(address)) addresses.push(address)
    if (addresses.length >= faultsMax) break
  }
  return addresses
}
