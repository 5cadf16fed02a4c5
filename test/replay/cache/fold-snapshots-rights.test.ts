// A snapshot of the fold can never change who may do what, or what is known: anyone who can write
// the file and its digest changes nothing of that.
import { expect, test } from 'vitest'
import type { State } from '#state/state'
import { writeSnapshot } from '#state/eras/genesis'
import { openSnapshotFile, writeSnapshotFile } from '#replay/cache/file'
import type { Principal } from '#schemas/catalog'
import { factsOf, foldAll, textOf } from '../eras/parts/fold.ts'
import { believed, keptFor, setup, snapshotOf, unhurried, written } from './fold-snapshot-scene.ts'
import type { Kept } from './fold-snapshot-scene.ts'
import { turned } from '../eras/parts/live.ts'
import { another, codes, judged, look, scene, type Scene } from '../../support/scene.ts'

const wipe = { ...look, id: 'wipe', safetyClass: 'DESTRUCTIVE' as const }
const intent = { tool: 'wipe', justification: 'the customer asked for it' }

async function begun(): Promise<Scene> {
  const { capabilities } = setup.catalog
  const on = await scene({ ...setup, catalog: { capabilities: [...capabilities, wipe] } })
  expect(codes(await judged(on, { intent, ulid: 'before' }))).toEqual(['missing_role'])
  await judged(on, { intent: { tool: 'look' }, ulid: 'more' })
  await on.watch.settled(on.log)
  return on
}

/** Replaces the file by one that says this state of the same position, its digest and all. */
async function forge({ path }: Kept & { readonly path: string }, state: State): Promise<void> {
  const file = openSnapshotFile(path)
  const { about } = file
  file.close()
  const chunks = writeSnapshot(state)
  const forged = { path, halfPath: `${path}.half`, about, chunks, ...unhurried() }
  expect(await writeSnapshotFile(forged)).not.toBe(null)
}

const bot: Principal = {
  id: 'bot',
  roles: ['writer', 'admin', 'policy-admin'],
  attributes: {},
  owner: 'olga',
  keys: [],
  suspended: false,
}

const forgeries: readonly (readonly [string, (state: State) => Partial<State>])[] = [
  [
    'a role of an agent',
    ({ catalog }) => ({
      catalog: { ...catalog, principals: new Map([...catalog.principals, ['bot', bot]]) },
    }),
  ],
  ['a graph without its rules', () => ({ graph: foldAll([]).graph })],
  ['another log and root', () => ({ log: `sha256:${'0'.repeat(64)}`, root: 'A'.repeat(16) })],
  ['revisions that are used', () => ({ catalogSequence: { next: 99, used: new Set() } })],
  [
    'revisions of an era to come that are used',
    () => ({ early: new Map([['2 catalog', new Set([2, 3])]]) }),
  ],
]

test.each(forgeries)('%s in the file has no effect', async (_, forged) => {
  const on = await begun()
  const kept = await snapshotOf(on)
  const { length } = await factsOf(on.log)
  const real = foldAll((await factsOf(on.log)).slice(0, length - 2))
  await forge(kept, { ...real, ...forged(real) })
  expect(textOf(await believed(kept.of))).toBe(textOf(real))
})

test('a process that starts from a file with an edited role denies as before', async () => {
  const on = await begun()
  const kept = await snapshotOf(on)
  const real = foldAll((await factsOf(on.log)).slice(0, -2))
  const principals = new Map([...real.catalog.principals, ['bot', bot] as const])
  await forge(kept, { ...real, catalog: { ...real.catalog, principals } })
  await on.runtime.stop()
  const { folder } = kept
  const next = await another(on, { parts: { ...on.setup.parts, snapshots: { folder } } })
  expect(codes(await judged(next, { intent, ulid: 'after' }))).toEqual(['missing_role'])
})

test('the same holds after an era has turned', async () => {
  const on = await begun()
  await turned(on)
  await on.watch.settled(on.log)
  const real = foldAll(await factsOf(on.log))
  const kept = await keptFor(on.log)
  const { path } = await written(kept.of, real)
  await forge({ ...kept, path }, { ...real, graph: foldAll([]).graph })
  const state = await believed(kept.of)
  expect(state.place.era).toBe(2)
  expect(textOf(state)).toBe(textOf(real))
})
