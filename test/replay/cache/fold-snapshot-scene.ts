// Snapshots of the fold for tests: a folder for them, what was reported about them, and logs that
// are not quite the log that they are of.
import { join } from 'node:path'
import type { State } from '#state/state'
import type { LogReader } from '#ports/log'
import { believedState, writeFoldSnapshot } from '#replay/cache/store'
import type { SnapshotsOf } from '#replay/cache/store'
import type { WrittenSnapshot } from '#runtime/engine/runtime'
import { logger } from '#runtime/reporting/logger'
import { factsOf, foldAll } from '../eras/parts/fold.ts'
import { deletion, erase, judged, look, reviewed, scene, type Scene } from '../../support/scene.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export const setup = {
  catalog: { capabilities: [look, erase], learning: true },
  graph: deletion({ name: 'ask' }),
}
export const intent = { tool: 'look' }

/** Two verdicts, and an intent that waits for people. */
export async function someLog(): Promise<Scene> {
  const on = await scene(setup)
  await judged(on, { intent, ulid: 'a' })
  await reviewed(on, { intent: { tool: 'erase' }, ulid: 'w' })
  await judged(on, { intent, ulid: 'b' })
  await on.watch.settled(on.log)
  return on
}

export interface Kept {
  readonly of: SnapshotsOf
  readonly folder: string
  /** What was reported, one object a line. */
  readonly reported: readonly Reported[]
}

interface Reported {
  readonly level: number
  readonly error?: { readonly message: string; readonly code?: string }
}

export async function keptFor(
  log: SnapshotsOf['log'],
  some: Partial<SnapshotsOf> = {},
): Promise<Kept> {
  const folder = join(await temporaryFolder(), 'snapshots')
  const reported: Reported[] = []
  const write = (line: string): void => void reported.push(JSON.parse(line))
  const of = {
    log,
    realm: 'main',
    rootKey: null,
    folder,
    logger: logger('debug', { write }),
    ...some,
  }
  return { of, folder, reported }
}

export async function written(of: SnapshotsOf, state: State): Promise<WrittenSnapshot> {
  const found = await writeFoldSnapshot(of, state, unhurried())
  if (found === null) throw new Error('it was not written')
  return found
}

/** A snapshot of all but the last two facts. */
export async function snapshotOf(on: Scene): Promise<Kept & { readonly path: string }> {
  const kept = await keptFor(on.log)
  const facts = await factsOf(on.log)
  const { path } = await written(kept.of, foldAll(facts.slice(0, -2)))
  return { ...kept, path }
}

export function unhurried(): { readonly now: number; readonly signal: AbortSignal } {
  return { now: Date.now(), signal: new AbortController().signal }
}

export async function believed(of: SnapshotsOf): Promise<State> {
  const state = await believedState(of)
  if (state === null) throw new Error('it is not believed')
  return state
}

/** The log as it was when it had so many facts. */
export function upTo(log: LogReader, last: number): LogReader {
  return {
    get: (name) => log.get(name),
    read: (range, names) => log.read({ ...range, to: Math.min(range.to ?? last, last) }, names),
    head: async () => ({ ...(await log.head()), position: last }),
  }
}
