// A runtime that starts goes on from the newest snapshot of its fold, and writes others as it goes,
// neither often nor in anyone's way.
import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Log } from '#ports/log'
import { writeFoldSnapshot } from '#replay/cache/store'
import type { Pace } from '#runtime/engine/runtime'
import { logger } from '#runtime/reporting/logger'
import { foldPackages, packageVersions, stampsOf, versionOf } from '#replay/cache/fold-version'
import { factsOf, foldAll, textOf } from '../eras/parts/fold.ts'
import { settled } from '../eras/parts/live.ts'
import { believed, keptFor, unhurried, upTo, written } from './fold-snapshot-scene.ts'
import {
  another,
  deletion,
  judged,
  look,
  scene,
  type Scene,
  type SceneSetup,
} from '../../support/scene.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { sourcesOf } from '../../house/tidy/source.ts'
import { readTree } from '../../house/tidy/tree.ts'
import { logOf } from '../../support/wrapped-log.ts'

const intent = { tool: 'look' }
const never: Pace = { startFactsMin: 1e9, factsMin: 1e9, msMin: 0 }

interface Begun {
  readonly setup: SceneSetup
  readonly folder: string
  /** From where the log was followed, start by start. */
  readonly from: number[]
}

async function keeping(pace: Pace): Promise<Begun> {
  const folder = join(await temporaryFolder(), 'snapshots')
  const from: number[] = []
  const wrap = (log: Log): Log => ({
    ...logOf(log),
    follow: (first, signal) => {
      from.push(first)
      return log.follow(first, signal)
    },
  })
  const setup = {
    catalog: { capabilities: [look] },
    graph: deletion(),
    parts: { snapshots: { folder, pace } },
    wrap,
  }
  return { setup, folder, from }
}

/** Stops it when all is folded, and says which positions have a snapshot. */
async function ended(on: Scene, folder: string): Promise<readonly number[]> {
  await on.watch.settled(on.log)
  await settled(on)
  await on.runtime.stop()
  const names = await readdir(folder).catch(() => [])
  return names.map((name) => Number(name.split('.')[3])).toSorted((one, two) => one - two)
}

test('a start that folds few facts writes no snapshot, and one that folds more writes one', async () => {
  const begun = await keeping(never)
  const on = await scene(begun.setup)
  await judged(on, { intent })
  expect(await ended(on, begun.folder)).toEqual([])
  const { position } = await on.store.open().head()
  const pace = { ...never, startFactsMin: position + 1 }
  const few = await another(on, paced(begun, pace))
  expect(await ended(few, begun.folder)).toEqual([])
  const enough = await another(on, paced(begun, { ...pace, startFactsMin: position }))
  expect(await ended(enough, begun.folder)).toEqual([position])
  // From there on it begins, and has folded nothing that is worth another.
  expect(begun.from.at(-1)).toBe(1)
  const next = await another(on, paced(begun, { ...pace, startFactsMin: 1 }))
  expect(begun.from.at(-1)).toBe(position + 1)
  expect(await ended(next, begun.folder)).toEqual([position])
})

function paced({ setup, folder }: Begun, pace: Pace): SceneSetup {
  return { ...setup, parts: { ...setup.parts, snapshots: { folder, pace } } }
}

test('who starts from a snapshot answers as anyone who has folded it all, and replays', async () => {
  const begun = await keeping({ ...never, startFactsMin: 1 })
  const on = await scene({ ...begun.setup, parts: {} })
  const open = await on.bot.publish({ type: 'query', content: 'x', payload: { intent } })
  await on.bot.verdict(open.address)
  await ended(on, begun.folder)
  const first = await another(on, begun.setup)
  await ended(first, begun.folder)
  const next = await another(on, begun.setup)
  expect(begun.from.at(-1)).toBeGreaterThan(6)
  expect((await judged(next, { intent })).outcome).toBe('allow')
  await next.watch.settled(next.log)
  await settled(next)
  expect(textOf(next.runtime.follower.state)).toBe(textOf(foldAll(await factsOf(next.log))))
})

test('while it runs one is written every so many facts, and none before its time', async () => {
  const begun = await keeping({ startFactsMin: 1e9, factsMin: 4, msMin: 60_000 })
  let isWritten = (): void => undefined
  const first = new Promise<void>((resolve) => void (isWritten = resolve))
  const write = (line: string): void => {
    if (line.includes('fold written')) isWritten()
  }
  const notifying = logger('debug', { write })
  const on = await scene({ ...begun.setup, parts: { ...begun.setup.parts, logger: notifying } })
  for (let n = 0; n < 4; n += 1) await judged(on, { intent })
  await first
  on.time.pass(59_999)
  for (let n = 0; n < 4; n += 1) await judged(on, { intent })
  await on.watch.settled(on.log)
  await settled(on)
  const { position } = on.runtime.follower.state
  on.time.pass(1)
  await judged(on, { intent })
  expect(await ended(on, begun.folder)).toEqual([4, position + 1])
})

test('without a folder no snapshot is written, and a runtime in memory has none', async () => {
  const on = await scene()
  expect(on.runtime.snapshots).toBe(null)
})

test('a folder that cannot be written to holds no one up', async () => {
  const folder = join(await temporaryFolder(), 'file')
  await writeFile(folder, 'no folder')
  const { setup } = await keeping({ startFactsMin: 1, factsMin: 1, msMin: 0 })
  const on = await scene({ ...setup, parts: { snapshots: { folder, pace: paceOften } } })
  expect((await judged(on, { intent })).outcome).toBe('allow')
  await on.runtime.stop()
})

const paceOften: Pace = { startFactsMin: 1, factsMin: 1, msMin: 0 }

test('of several processes one writes, and what a dead one left half written is taken away', async () => {
  const on = await scene(await keeping(never).then(({ setup }) => setup))
  await judged(on, { intent })
  const { of, folder } = await keptFor(on.log)
  const state = foldAll(await factsOf(on.log))
  await mkdir(folder)
  const half = join(folder, 'main.any.half')
  await writeFile(half, 'half')
  expect(await writeFoldSnapshot(of, state, unhurried())).toBe(null)
  const now = Date.now()
  await utimes(half, now / 1_000, now / 1_000 - 599)
  expect(await writeFoldSnapshot(of, state, { ...unhurried(), now })).toBe(null)
  expect(await readdir(folder)).toEqual(['main.any.half'])
  const late = { ...unhurried(), now: now + 2_000 }
  expect(await writeFoldSnapshot(of, state, late)).toMatchObject({ position: state.position })
  expect((await readdir(folder)).length).toBe(1)
})

test('a process that is stopped while it writes leaves nothing half written', async () => {
  const on = await scene(await keeping(never).then(({ setup }) => setup))
  const { of, folder } = await keptFor(on.log)
  const state = foldAll(await factsOf(on.log))
  const stopping = AbortSignal.abort()
  expect(await writeFoldSnapshot(of, state, { now: Date.now(), signal: stopping })).toBe(null)
  expect(await readdir(folder)).toEqual([])
})

test('a snapshot of a log that ends before it is passed over for an older one', async () => {
  const on = await scene(await keeping(never).then(({ setup }) => setup))
  await judged(on, { intent })
  await on.watch.settled(on.log)
  const { of } = await keptFor(on.log)
  const facts = await factsOf(on.log)
  for (const at of [3, facts.length]) await written(of, foldAll(facts.slice(0, at)))
  expect((await believed(of)).position).toBe(facts.length)
  expect((await believed({ ...of, log: upTo(on.log, facts.length - 1) })).position).toBe(3)
})

test('another character in a source, another name or another file is another fold', async () => {
  const folder = await temporaryFolder()
  const versions: (string | null)[] = [versionOf([folder])]
  for (const [name, text] of [
    ['a.ts', 'one'],
    ['a.ts', 'two'],
    ['b.ts', ''],
    ['c.d.ts', 'types'],
  ] as const) {
    await writeFile(join(folder, name), text)
    versions.push(versionOf([folder]))
  }
  const [none, one, two, both, again] = versions
  expect(none).toBe(null)
  expect(new Set([one, two, both]).size).toBe(3)
  expect(again).toBe(both)
})

test('files that were replaced since are noticed without reading them', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'a.ts')
  expect(stampsOf([folder])).toBe(null)
  await writeFile(path, 'one')
  const begun = stampsOf([folder])
  expect(stampsOf([folder])).toBe(begun)
  // The same text in another file, and another file beside it.
  await writeFile(`${path}.new`, 'one')
  await rename(`${path}.new`, path)
  const replaced = stampsOf([folder])
  await writeFile(join(folder, 'b.ts'), '')
  const added = stampsOf([folder])
  await writeFile(path, 'another')
  expect(new Set([begun, replaced, added, stampsOf([folder])]).size).toBe(4)
})

test('every package that facts are derived with is pinned, and is in the version', async () => {
  const root = join(import.meta.dirname, '../../..')
  const text = await readFile(join(root, 'package.json'), 'utf8')
  type Versions = Record<string, string>
  const manifest: { dependencies: Versions; devDependencies: Versions } = JSON.parse(text)
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies }
  // No stage reads finished work, nor the settings of coding agents: nothing of those is a fact.
  const deriving = [
    /^schemas\//,
    /^shared\/(record|conditions|knowledge|rules|messages|state|stages)\//,
    /^shared\/(runtime\/callbacks\/|system\/script-text\.ts)/,
  ]
  const files = new Map([...readTree()].filter(([path]) => deriving.some((one) => one.test(path))))
  const found = sourcesOf(files)
    .flatMap(({ imports }) => imports.map(({ from }) => packageNamed(from)))
    .filter((name) => name !== null)
  expect([...new Set(found)].toSorted()).toEqual([...foldPackages])
  for (const name of [...foldPackages, 'wink-lexicon']) {
    expect(dependencies[name]).toMatch(/^\d+\.\d+\.\d+$/)
  }
  expect(packageVersions(foldPackages)).toEqual(
    expect.arrayContaining([
      ['wink-lexicon', dependencies['wink-lexicon']],
      ['zod', dependencies['zod']],
      ['fast-deep-equal', expect.any(String)],
    ]),
  )
})

/** The package of an import, however it is written: `from`, `require` or `import()`. */
function packageNamed(from: string): string | null {
  if (/^([.#]|node:)/.test(from)) return null
  return from.split('/', from.startsWith('@') ? 2 : 1).join('/')
}
