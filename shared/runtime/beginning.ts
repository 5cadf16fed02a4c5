// Where folding a log begins: at its first fact, or, where its first eras were taken away, at the
// snapshot that the first of the others opened with. It never passes over facts that are there.
import { readEvent } from '#core/event'
import { Fault } from '#core/fault'
import { eraOf, patternOf, type Place } from '#core/names'
import { isByPolicyAdmin } from '#core/world/change'
import { readSnapshot } from '#core/world/restore'
import { chained, chainStart } from '#core/world/snapshot'
import { newWorld, type World } from '#core/world/world'
import { SnapshotData } from '#schemas/snapshot'
import type { Log } from '#ports/log'
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
}

export interface Beginning {
  readonly world: World
  /** Null where it begins with the first fact. */
  readonly start: Start | null
  /** The position of the first fact that is there, where nothing stands for those before it. */
  readonly cutAt: number | null
}

/** What an era opened with, read back. */
export interface Opened extends Beginning {
  readonly start: Start
}

/**
 * Where the log begins. If a root key is given, only a snapshot that it signed is believed; else
 * one that a policy admin of its own catalog signed.
 */
export async function beginningOf(
  log: Pick<Log, 'read'>,
  { realm }: Pick<Place, 'realm'>,
  rootKey: string | null,
): Promise<Beginning> {
  const first = await firstOf(log)
  const era = first === undefined ? null : eraOf(first.name)
  const cutAt = first === undefined || first.position === 1 ? null : first.position
  const hasSnapshot = cutAt !== null && era !== null && era > 1
  const found = hasSnapshot ? await snapshotOf(log, { realm, era }, rootKey) : null
  return found ?? { world: newWorld({ realm, era: 1 }, rootKey), start: null, cutAt }
}

/** Where the log begins. Throws a Fault where nothing stands for what is missing before it. */
export async function soundBeginningOf(...of: Parameters<typeof beginningOf>): Promise<Beginning> {
  const beginning = await beginningOf(...of)
  if (beginning.cutAt === null) return beginning
  const fix = 'bring back the eras before it, or demand the key that signed its snapshot'
  const what = `the log begins at position ${beginning.cutAt}, and no snapshot stands for the rest`
  throw new Fault('log_cut', 'never', `${what}: ${fix}`)
}

/** The world that the era opens with, before it opens; null where nobody rightly signed for one. */
export async function snapshotOf(
  log: Pick<Log, 'read'>,
  place: Place,
  rootKey: string | null,
): Promise<Opened | null> {
  const chunks = new Map<string, Extract<SnapshotData, { readonly step: 'chunk' }>>()
  for await (const fact of log.read({}, [patternOf(place, 'snapshot', '*')])) {
    const reading = readEvent('snapshot', SnapshotData, fact)
    if (!reading.ok) continue
    const { data, written } = reading.event
    if (data.step === 'chunk') chunks.set(chained(data.after, data.text), data)
    if (data.step !== 'end') continue
    const { signature, by, digest, position } = data
    if (rootKey !== null && signature.key !== rootKey) continue
    const world = worldOf(chainedUpTo(chunks, data), place.realm, rootKey)
    if (world === null || !isByPolicyAdmin(world, fact.name, { data, written })) continue
    const isWhole = world.sealed?.digests.at(-1) === digest && world.position === position
    if (!isWhole || world.place.era !== place.era - 1) continue
    const start = { era: place.era, position, by, key: signature.key, digest }
    return { world, start, cutAt: null }
  }
  return null
}

function chainedUpTo(
  chunks: ReadonlyMap<string, { readonly after: string; readonly text: string }>,
  { digest, parts }: { readonly digest: string; readonly parts: number },
): readonly string[] {
  const texts: string[] = []
  for (let next = digest; texts.length < parts && next !== chainStart;) {
    const chunk = chunks.get(next)
    if (chunk === undefined) return []
    texts.push(chunk.text)
    next = chunk.after
  }
  return texts.toReversed()
}

// Whoever may bind a name may bind anything under it: what can not be read is no snapshot.
function worldOf(texts: readonly string[], realm: string, rootKey: string | null): World | null {
  try {
    return readSnapshot(texts, { realm, rootKey })
  } catch {
    return null
  }
}
