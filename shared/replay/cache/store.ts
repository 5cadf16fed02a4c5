// The snapshots of one log's fold in their folder: which there are, the newest that the log bears
// out, and a new one beside them. What the log does not bear out is never believed.
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import { cellIn, patternOf, partsInRealm } from '#record/names'
import { readSnapshot } from '#state/eras/restore'
import { writeWork } from '#state/eras/genesis'
import type { State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import { factAtPosition } from '#runtime/logs/seek'
import { soundBeginningOf } from '../eras/beginning.ts'
import { openSnapshotFile, writeSnapshotFile, type About, type KnownFact } from './file.ts'
import { beginFold, foldVersion } from './fold-version.ts'
import type { WrittenSnapshot } from '#runtime/engine/runtime'
import { firstOf } from '../eras/last-era.ts'
import { isRemote, type LogPlace } from '#runtime/logs/log-url'
import type { Logger } from '#runtime/reporting/logger'
import { kinds, kindsAbout } from '#schemas/kinds'
import { evolve } from '#state/fold/evolve'

// What a snapshot of the fold can never say: who may do what, and what is known. Catalog, graph,
// learning and eras are folded from the log's own facts, which are signed and few; only the work
// that is under way comes from the file.

const settledKinds = kindsAbout('knowledge', 'question', 'era')

interface SettledOf {
  readonly log: LogReader
  readonly realm: string
  readonly rootKey: string | null
}

/** The state at the last of those facts, without intents and uses. */
async function settledState(
  { log, realm, rootKey }: SettledOf,
  { era, last }: { readonly era: number; readonly last: Pick<Fact, 'position' | 'appendedAt'> },
): Promise<State> {
  const { state: begun } = await soundBeginningOf(log, { realm }, rootKey)
  const state: State = { ...begun, isPartial: true, intents: new Map(), uses: new Map() }
  const first = state.place.era
  // Of the next era someone may have bound what is too early.
  const eras = Array.from({ length: era + 2 - first }, (_, index) => first + index)
  const names = eras.flatMap((one) =>
    settledKinds.map((kind) => patternOf({ realm, era: one }, kind)),
  )
  for await (const fact of log.read({ from: state.position + 1, to: last.position }, names)) {
    const parts = partsInRealm(fact.name, realm)
    const opensEra = parts !== null && kinds[parts.kind].about === 'era'
    if (opensEra) await bringForward(log, state, fact)
    evolve(state, fact)
  }
  const { position, appendedAt } = last
  return { ...state, isPartial: false, position, appendedAt }
}

// Where the clock is set back, it is set back from the fact before, whatever its kind.
async function bringForward(log: LogReader, state: State, { position }: Fact): Promise<void> {
  const before = { from: position - 1, to: position - 1 }
  for await (const { appendedAt } of log.read(before)) state.appendedAt = appendedAt
}

/** The settled state with the work of the other. */
function withWork(settled: State, work: State): State {
  const { isPartial, place, eras, sealed, snapshotSequence, log, root } = settled
  const { catalog, catalogRevision, catalogSequence } = settled
  const { graph, graphRevision, graphSequence, learning, grants } = settled
  return {
    ...work,
    isPartial,
    place,
    eras,
    sealed,
    snapshotSequence,
    log,
    root,
    catalog,
    catalogRevision,
    catalogSequence,
    graph,
    graphRevision,
    graphSequence,
    learning,
    grants,
    early: earlyOf(settled, work),
  }
}

/** Of other sequences, and of eras too far ahead, only the work knows what was bound too early. */
function earlyOf({ early, place }: State, work: State): State['early'] {
  const others = [...work.early].filter(([key]) => {
    const [era = '', sequence = ''] = key.split(' ')
    return Number(era) > place.era + 1 || !settledKinds.some((kind) => kind === sequence)
  })
  return new Map([...early, ...others])
}

/** Whose snapshots these are. */
export interface SnapshotsOf {
  readonly log: LogReader
  readonly realm: string
  readonly rootKey: string | null
  readonly folder: string
  readonly logger: Logger
}

export interface Snapshot {
  readonly path: string
  readonly about: About
}

const keptMax = 2
/** Files of one realm and root key that are looked at. */
const lookedAtMax = 16

/** Where the snapshots of the log of that place lie; null for a log in memory. */
export function snapshotsFolder(place: LogPlace): string | null {
  if (place.folder === null) return null
  const name = isRemote(place) ? hexOf(place.url) : basename(place.url)
  return join(place.folder, 'snapshots', name)
}

function hexOf(text: string): string {
  return digestOf(text).slice('sha256:'.length, 'sha256:'.length + 16)
}

/** The state of the newest snapshot that is believed; null where there is none. */
export async function believedState(of: SnapshotsOf): Promise<State | null> {
  beginFold()
  for (const path of await pathsOf(of)) {
    try {
      return await stateIn(of, path)
    } catch (error) {
      report(of.logger, { snapshot: basename(path), error }, error)
    }
  }
  return null
}

// A file of another version is no trouble: it is there after each upgrade.
function report(logger: Logger, fields: object, error: unknown): void {
  const isExpected = error instanceof Fault && error.code === 'snapshot_outdated'
  logger[isExpected ? 'debug' : 'warn'](fields, 'snapshot of the fold ignored')
}

async function stateIn(of: SnapshotsOf, path: string): Promise<State> {
  const file = openSnapshotFile(path)
  try {
    await refuseStrange(of, file.about)
    const work = readSnapshot(file.text(), of)
    const { era, last } = file.about
    const isSame = work.position === last.position && work.appendedAt === last.appendedAt
    const settled = await settledState(of, { era, last })
    const isOpen = settled.sealed === null && settled.place.era === era
    if (isSame && isOpen) return withWork(settled, work)
    throw unusable('its head says another state than the log')
  } finally {
    file.close()
  }
}

/** The newest that is of this log and this fold, whatever its state says. */
export async function newestSnapshot(of: SnapshotsOf): Promise<Snapshot | null> {
  for (const path of await pathsOf(of)) {
    try {
      const file = openSnapshotFile(path)
      const { about } = file
      file.close()
      await refuseStrange(of, about)
      return { path, about }
    } catch (error) {
      report(of.logger, { snapshot: basename(path), error }, error)
    }
  }
  return null
}

/**
 * Those that fold this log, as it begins, further than it goes now: what they were made of is not
 * there any more.
 */
export async function snapshotsBeyond(
  of: Omit<SnapshotsOf, 'logger'>,
): Promise<readonly Snapshot[]> {
  const { log, realm, rootKey } = of
  const { position: end } = await log.head()
  const first = await firstOf(log)
  if (first === undefined) return []
  const beyond: Snapshot[] = []
  for (const path of await pathsOf(of)) {
    if (positionIn(basename(path)) <= end) continue
    const about = aboutIn(path)
    if (about === null || about.realm !== realm || about.rootKey !== rootKey) continue
    if (isAt(about.first, first) && about.last.position > end) beyond.push({ path, about })
  }
  return beyond
}

/** Null where its head cannot be read. */
function aboutIn(path: string): About | null {
  try {
    const file = openSnapshotFile(path)
    file.close()
    return file.about
  } catch {
    return null
  }
}

async function refuseStrange(of: SnapshotsOf, about: About): Promise<void> {
  const { log, realm, rootKey } = of
  if (about.fold !== foldVersion()) {
    throw new Fault('snapshot_outdated', 'another version wrote it')
  }
  if (about.realm !== realm) throw unusable('it is of another realm')
  if (about.rootKey !== rootKey) throw unusable('another root key was demanded for it')
  const head = await log.head()
  if (head.position < about.last.position) throw unusable('the log ends before it')
  const last = await factAtPosition(log, about.last.position)
  if (last === undefined || !isAt(about.last, last))
    throw unusable('the log has another fact there')
  const first = await firstOf(log)
  if (first !== undefined && first.position > about.first.position) {
    // Its first eras were taken away since. What now stands for them must still be sound.
    await soundBeginningOf(log, { realm }, rootKey)
    return
  }
  if (first === undefined || !isAt(about.first, first)) throw unusable('the log begins otherwise')
}

function isAt(standing: KnownFact, fact: Fact): boolean {
  const { position, name, appendedAt, digest } = standingOf(fact)
  const isSame = standing.position === position && standing.name === name
  return isSame && standing.appendedAt === appendedAt && standing.digest === digest
}

function standingOf({ position, name, appendedAt, bytes }: Fact): KnownFact {
  return { position, name, appendedAt, digest: digestOf(bytes) }
}

/**
 * Writes the state as it is at this moment, however it goes on. Null where there is nothing to
 * write, where another process is at it, or where the signal aborts.
 */
export async function writeFoldSnapshot(
  of: SnapshotsOf,
  state: State,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<WrittenSnapshot | null> {
  const fold = foldVersion()
  // Between two eras the state is more than its text says.
  if (state.sealed !== null || state.position === 0 || fold === null) return null
  const still = stillOf(state)
  const { log, realm, rootKey, folder } = of
  const [first, last] = [await firstOf(log), await factAtPosition(log, still.position)]
  if (first === undefined || last === undefined) return null
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // A folder that was there already keeps its mode.
  await chmod(folder, 0o700)
  const { era } = still.place
  const [firstFact, lastFact] = [standingOf(first), standingOf(last)]
  const about = { format: 1, fold, realm, rootKey, era, first: firstFact, last: lastFact } as const
  const path = join(folder, `${prefixOf(of)}${era}.${still.position}${ending}`)
  const halfPath = join(folder, `${prefixOf(of)}half`)
  const chunks = writeWork(still)
  const written = await writeSnapshotFile({ path, halfPath, about, chunks, now, signal })
  if (written === null) return null
  await keepLatest(of)
  return { path, position: still.position, bytes: written.bytes }
}

/** The state as it is now: what is changed in place is copied, and all else is only replaced. */
function stillOf(state: State): State {
  const parts: readonly (readonly [string, unknown])[] = Object.entries(state)
  const maps = parts.flatMap(([key, value]) => {
    return value instanceof Map ? [[key, new Map(value)] as const] : []
  })
  return Object.assign({ ...state }, Object.fromEntries(maps))
}

/**
 * Removes all of the realm and of its cells, whichever root key was demanded; and says how many
 * there were.
 */
export async function removeSnapshots({ realm, folder }: Pick<SnapshotsOf, 'realm' | 'folder'>) {
  const names = (await namesIn(folder)).filter((name) => {
    const of = name.slice(0, name.indexOf('.'))
    return of === realm || cellIn(of)?.of === realm
  })
  for (const name of names) await rm(join(folder, name), { force: true })
  return names.filter((name) => name.endsWith(ending)).length
}

const ending = '.ndjson'

/** No realm has a dot in its name. */
function prefixOf({ realm, rootKey }: Pick<SnapshotsOf, 'realm' | 'rootKey'>): string {
  return `${realm}.${rootKey === null ? 'any' : hexOf(rootKey)}.`
}

/** The newest first. */
async function pathsOf(of: Omit<SnapshotsOf, 'logger' | 'log'>): Promise<readonly string[]> {
  const { folder } = of
  const names = (await namesIn(folder)).filter((name) => isOf(of, name))
  const sorted = names.toSorted((one, other) => positionIn(other) - positionIn(one))
  return sorted.slice(0, lookedAtMax).map((name) => join(folder, name))
}

function isOf(of: Pick<SnapshotsOf, 'realm' | 'rootKey'>, name: string): boolean {
  return name.startsWith(prefixOf(of)) && name.endsWith(ending)
}

function positionIn(name: string): number {
  return Number(name.split('.')[3])
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => [])
}

// By when they were written, since a log that was made again under the same path begins at 1 again.
async function keepLatest(of: SnapshotsOf): Promise<void> {
  const { folder } = of
  const found: { readonly path: string; readonly at: number }[] = []
  for (const name of await namesIn(folder)) {
    if (!isOf(of, name)) continue
    const path = join(folder, name)
    const at = (await stat(path).catch(() => null))?.mtimeMs
    if (at !== undefined) found.push({ path, at })
  }
  const late = found.toSorted((one, other) => other.at - one.at).slice(keptMax)
  for (const { path } of late) await rm(path, { force: true })
}

function unusable(why: string): Fault {
  return new Fault('snapshot_unusable', why)
}
