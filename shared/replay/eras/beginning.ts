// Where folding a log begins: at its first fact, or, where its first eras were taken away, at the
// snapshot that the first of the others opened with. It never passes over facts that are there, and
// takes no one for a policy admin of a log that is demanded by its root key without a proof.
import { readEvent } from '#record/event'
import { Fault } from '#record/fault'
import { eraOf, patternOf, type Place } from '#record/names'
import { leadsTo, readCatalogs, type BoundChange } from '#state/fold/catalogs'
import { mayEnd } from '#state/fold/era-change'
import { readSnapshot } from '#state/eras/restore'
import { chained, chainStart } from '#state/eras/genesis'
import { newState, type State } from '#state/state'
import type { SnapshotData } from '#schemas/snapshot'
import type { LogReader } from '#ports/log'
import { firstOf } from './last-era.ts'

/** What stands for the eras that are not there. */
export interface Start {
  readonly era: number
  /** Everything up to here is in the snapshot. */
  readonly position: number
  /** Who signed it, and with which key. */
  readonly by: string
  readonly key: string
  readonly digest: string
  /**
   * Whether the key that began the log signed it, or signed change sets from that key on, which it
   * carries, let its signer.
   */
  readonly isRooted: boolean
}

export interface Beginning {
  readonly state: State
  /** Null where it begins with the first fact. */
  readonly start: Start | null
  /** The position of the first fact that is there, where nothing stands for those before it. */
  readonly cutAt: number | null
  /** The change sets that its catalog came from; null where they are not here. */
  readonly catalogs: readonly BoundChange[] | null
  /** Why a snapshot that is there does not stand for them, if one does not for the root key. */
  readonly refusal: Fault | null
}

/** What an era opened with, read back. */
export interface Opened extends Beginning {
  readonly start: Start
}

/**
 * Where the log begins. If a root key is given, only a snapshot of a log that it began is believed,
 * which it signed or let another key sign; else one that its own catalog lets its signer sign for.
 */
export async function beginningOf(
  log: LogReader,
  { realm }: Pick<Place, 'realm'>,
  rootKey: string | null,
): Promise<Beginning> {
  const first = await firstOf(log)
  const era = first === undefined ? null : eraOf(first.name)
  const cutAt = first === undefined || first.position === 1 ? null : first.position
  const hasSnapshot = cutAt !== null && era !== null && era > 1
  const { opened, refusal } = hasSnapshot
    ? await lookFor(log, { realm, era }, rootKey)
    : { opened: null, refusal: null }
  const state = newState({ realm, era: 1 }, rootKey)
  return opened ?? { state, start: null, cutAt, catalogs: cutAt === null ? [] : null, refusal }
}

/** Where the log begins. Throws a Fault where nothing stands for what is missing before it. */
export async function soundBeginningOf(...of: Parameters<typeof beginningOf>): Promise<Beginning> {
  const beginning = await beginningOf(...of)
  if (beginning.cutAt === null) return beginning
  if (beginning.refusal !== null) throw beginning.refusal
  const fix = 'bring back the eras before it'
  const what = `the log begins at position ${beginning.cutAt}, and no snapshot stands for the rest`
  throw new Fault('log_cut', `${what}: ${fix}`)
}

/** The state that the era opens with, before it opens; null where no one rightly signed for one. */
export async function snapshotOf(
  log: LogReader,
  place: Place,
  rootKey: string | null,
): Promise<Opened | null> {
  return (await lookFor(log, place, rootKey)).opened
}

interface Looked {
  readonly opened: Opened | null
  readonly refusal: Fault | null
}

type Piece = Extract<SnapshotData, { readonly step: 'chunk' | 'catalogs' }>
type End = Extract<SnapshotData, { readonly step: 'end' }>

async function lookFor(log: LogReader, place: Place, rootKey: string | null): Promise<Looked> {
  const pieces = { chunk: new Map<string, Piece>(), catalogs: new Map<string, Piece>() }
  let refusal: Fault | null = null
  for await (const fact of log.read({}, [patternOf(place, 'snapshot', '*')])) {
    const reading = readEvent('snapshot', fact)
    if (!reading.ok) continue
    const { data, written } = reading.event
    if (data.step === 'seal') continue
    if (data.step !== 'end') {
      pieces[data.step].set(chained(data.after, data.text), data)
      continue
    }
    const state = stateOf(chainedUpTo(pieces.chunk, data), place.realm, rootKey)
    if (state === null || !mayEnd(state, fact.name, { data, written })) continue
    const isWhole = state.sealed?.digests.at(-1) === data.digest
    if (!isWhole || state.position !== data.position || state.place.era !== place.era - 1) continue
    const opened = openedBy(state, data, pieces.catalogs)
    const why = rootKey === null ? null : otherRoot(opened, rootKey)
    if (why === null) return { opened, refusal: null }
    refusal ??= why
  }
  return { opened: null, refusal }
}

function openedBy(state: State, end: End, pieces: ReadonlyMap<string, Piece>): Opened {
  const { by, position, digest, signature, catalogs: chain } = end
  const carried = chain === undefined ? null : readCatalogs(chainedUpTo(pieces, chain))
  const catalogs = carried !== null && isMadeBy(state, carried) ? carried : null
  const { key } = signature
  const isRooted = key === state.root || catalogs !== null
  const start = { era: state.place.era + 1, position, by, key, digest, isRooted }
  return { state, start, catalogs, cutAt: null, refusal: null }
}

/** Why that snapshot does not stand where this key must have begun the log; null where it does. */
function otherRoot({ state, start }: Opened, rootKey: string): Fault | null {
  const { era, by, key, isRooted } = start
  if (state.root !== rootKey) {
    const what = `the key \`${rootKey}\` did not begin this log: \`${state.root}\` did`
    const where = `according to the snapshot of era ${era}`
    const fix = 'check which log it is, and that the root key is the right one'
    return new Fault('root_key_differs', `${what}, ${where}: ${fix}`)
  }
  if (isRooted) return null
  const what = `\`${by}\` opened era ${era} with the key \`${key}\``
  const why = `nothing in this log shows that the root key \`${rootKey}\` let that key`
  const fix = 'bring back the eras before it, or rotate the next one with the root key'
  return new Fault('root_key_unproven', `${what}, and ${why}: ${fix}`)
}

function chainedUpTo(
  pieces: ReadonlyMap<string, Piece>,
  { digest, parts }: { readonly digest: string; readonly parts: number },
): readonly string[] {
  const texts: string[] = []
  for (let next = digest; texts.length < parts && next !== chainStart;) {
    const piece = pieces.get(next)
    if (piece === undefined) return []
    texts.push(piece.text)
    next = piece.after
  }
  return texts.toReversed()
}

// Anyone who may bind a name may bind anything under it: what cannot be read is no snapshot.
function stateOf(texts: readonly string[], realm: string, rootKey: string | null): State | null {
  try {
    return readSnapshot(texts, { realm, rootKey })
  } catch {
    return null
  }
}

function isMadeBy(state: State, changes: readonly BoundChange[]): boolean {
  try {
    return leadsTo(state, changes)
  } catch {
    return false
  }
}
