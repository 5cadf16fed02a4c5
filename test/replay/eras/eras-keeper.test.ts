// An era keeper rotates eras on the terms of the catalog, and nothing else: what it signs beyond
// them counts for nothing, no matter who has its key and whatever a clock says.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { change } from '#authoring/change'
import { keyIdOf } from '#record/signature'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Entry } from '#ports/log'
import type { Rotation } from '#ports/rotation'
import { archiveEra, archiveName } from '#replay/backup/era-archive'
import { bundleFormat } from '#replay/backup/format'
import { readBundle } from '#replay/backup/read'
import { snapshotOf } from '#replay/eras/beginning'
import { keepEras, lookMs, type EraKeeper, type EraKeeping } from '#replay/eras/era-keeper'
import { rotate } from '#replay/eras/rotate'
import { silentLogger } from '#runtime/reporting/logger'
import { stages } from '#workers/stages'
import { testKey } from '#testing/setup'
import { endWithTest } from '../../support/vitest/endings.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { keys } from '../../support/runtime.ts'
import {
  another,
  bind,
  expectReplay,
  judged,
  look,
  names,
  scene,
  type Scene,
} from '../../support/scene.ts'
import { calm, eraOfScene, judgedNow, sayIn, settled, Streams, turned } from './parts/live.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const keeperKey = testKey('keeper')
const keeper = { id: 'keeper', privateKey: keeperKey }
const entry = { id: 'keeper', roles: ['era-keeper'], keys: [publicKeyOf(keeperKey)] }
const rotation = { facts: 1_000, ageMs: 30 * dayMs, leastMs: 2 * hourMs }
const setup = { catalog: { capabilities: [look], principals: [entry], rotation } }
const intent = { tool: 'look' }

/** Keeps the eras of the scene until its test ends; nothing is archived. */
function keptBy(on: Scene, streams: Rotation | null = null): EraKeeper {
  const keeping = {
    author: () => Promise.resolve(keeper),
    rotation: () => Promise.resolve(streams),
    archive: () => Promise.resolve(null),
  }
  const kept = keepEras(on.runtime, () => Promise.resolve(keeping))
  endWithTest(() => kept.stop())
  return kept
}

/** Lets that time pass, and all keepers look. */
async function passed(on: Scene, ms: number): Promise<void> {
  on.time.pass(ms)
  await calm(on)
  on.time.pass(lookMs)
  await calm(on)
  await new Promise((resolve) => setImmediate(resolve))
  await calm(on)
}

let thrown = 0

async function junk(on: Scene, count: number): Promise<void> {
  const era = eraOfScene(on)
  for (const end = thrown + count; thrown < end; thrown += 1) {
    await sayIn(on.log, { era, ulid: `junk${thrown}`, as: 'honest' })
  }
  await calm(on)
}

function sealAs(on: Scene, privateKey: string, by = 'keeper'): Promise<unknown> {
  const { place, snapshotSequence } = on.runtime.follower.state
  const name = `main.${place.era + 1}.snapshot.${snapshotSequence.next}`
  return bind(on.log, 'snapshot', name, { step: 'seal', seals: place.era, by }, privateKey)
}

test('an era is rotated once it is old, is answered in the next, and derives again', async () => {
  const on = await scene(setup)
  keptBy(on)
  const before = await judged(on, { intent })
  await passed(on, 29 * dayMs)
  expect(eraOfScene(on)).toBe(1)
  await passed(on, dayMs)
  expect(eraOfScene(on)).toBe(2)
  const after = await judgedNow(on, { intent, ulid: 'b' })
  expect([before.outcome, after.outcome]).toEqual(['allow', 'allow'])
  await expectReplay(on)
})

test('an era in which nothing came is not rotated, however old it is', async () => {
  const on = await scene(setup)
  keptBy(on)
  await passed(on, 40 * dayMs)
  expect(eraOfScene(on)).toBe(2)
  await passed(on, 400 * dayMs)
  expect(eraOfScene(on)).toBe(2)
})

test('a clock that jumps rotates one era, and not as many as fit', async () => {
  const on = await scene(setup)
  keptBy(on)
  await passed(on, 3_000 * dayMs)
  await judgedNow(on, { intent, ulid: 'b' })
  for (let look = 0; look < 10; look += 1) await passed(on, lookMs)
  expect(eraOfScene(on)).toBe(2)
})

test('an agent that fills eras with junk rotates no more of them than the least age lets', async () => {
  const on = await scene(setup)
  keptBy(on)
  await junk(on, 1_100)
  await passed(on, hourMs)
  expect(eraOfScene(on)).toBe(1)
  await passed(on, hourMs)
  expect(eraOfScene(on)).toBe(2)
  await junk(on, 1_100)
  await passed(on, hourMs)
  expect(eraOfScene(on)).toBe(2)
})

test('who has the key rotates nothing before it is due: the log itself holds them to it', async () => {
  const on = await scene(setup)
  await sealAs(on, keeperKey)
  await calm(on)
  expect(on.runtime.follower.state.sealed).toBe(null)
  await junk(on, 1_100)
  await sealAs(on, keeperKey)
  await calm(on)
  expect(on.runtime.follower.state.sealed).toBe(null)
  await expect(rotate(on.runtime, keeper, null)).rejects.toMatchObject({ code: 'rotation_early' })
  on.time.pass(2 * hourMs)
  await sealAs(on, keeperKey)
  await calm(on)
  expect(on.runtime.follower.state.sealed).toMatchObject({ by: 'keeper' })
})

test.each([
  ['where nothing allows it', { catalog: { ...setup.catalog, rotation: {} } }],
  [
    'with another role beside it',
    { catalog: { ...setup.catalog, principals: [{ ...entry, roles: ['era-keeper', 'writer'] }] } },
  ],
  [
    'as the agent of someone',
    { catalog: { ...setup.catalog, principals: [{ ...entry, owner: 'olga' }] } },
  ],
  [
    'once suspended',
    { catalog: { ...setup.catalog, principals: [{ ...entry, suspended: true }] } },
  ],
])('a keeper rotates nothing %s', async (_, of) => {
  const on = await scene(of)
  on.time.pass(40 * dayMs)
  await judged(on, { intent })
  await sealAs(on, keeperKey)
  await calm(on)
  expect(on.runtime.follower.state.sealed).toBe(null)
  const refused = rotate(on.runtime, keeper, new Streams(on.store.open()))
  await expect(refused).rejects.toMatchObject({ code: 'no_policy_admin' })
})

test('its key signs no change set, no suspension, and sets no clock back', async () => {
  const on = await scene(setup)
  const operations = [{ op: 'suspend' as const, id: 'bot' }]
  const changed = change(on.runtime, { kind: 'catalog', operations }, keeper)
  await expect(changed).rejects.toMatchObject({ code: 'change_void' })
  on.time.pass(40 * dayMs)
  await judged(on, { intent })
  const reset = rotate(on.runtime, keeper, null, { resetsClock: true })
  await expect(reset).rejects.toThrow()
  expect(eraOfScene(on)).toBe(1)
})

test('two keepers rotate an era once, and what one leaves half done the other ends', async () => {
  const on = await scene(setup)
  const other = await another(on, { stages: [] })
  await judged(on, { intent })
  keptBy(on)
  keptBy(other)
  await passed(on, 31 * dayMs)
  await settled(other)
  expect([eraOfScene(on), eraOfScene(other)]).toEqual([2, 2])
  expect(await names(on.log, 'main.3.>')).toEqual([])
  await expectReplay(on)
})

test('wherever a keeper is killed, another ends the turn, and no era is rotated twice', async () => {
  for (let dies = 1, isWhole = false; !isWhole; dies += 1) {
    const on = await scene(setup)
    await judged(on, { intent })
    on.time.pass(31 * dayMs)
    let count = 0
    const append = async (given: Entry) => {
      count += 1
      if (count === dies) throw new Error('the process died')
      return on.log.append(given)
    }
    const dying = { ...on.runtime, log: { ...on.log, append } }
    const streams = new Streams(on.store.open())
    isWhole = await rotate(dying, keeper, streams).then(
      () => true,
      () => false,
    )
    keptBy(on, streams)
    await passed(on, lookMs)
    expect(eraOfScene(on)).toBe(2)
    expect(streams.calls.filter((call) => call.startsWith('open'))).not.toContain('open 3')
    await expectReplay(on)
    await on.runtime.stop()
  }
})

test('a turn that was forbidden in the middle is reported until a policy admin ends it', async () => {
  const on = await scene(setup)
  await judged(on, { intent })
  const streams = new Streams(on.store.open())
  const operations = [{ op: 'set' as const, key: 'rotation' as const, value: {} }]
  const root = { id: 'root', privateKey: keys.root }
  const forbidding: Rotation = {
    seal: async (at) => {
      await change(on.runtime, { kind: 'catalog', operations }, root)
      return streams.seal(at)
    },
    isSealed: (at) => streams.isSealed(at),
    open: (at, first) => streams.open(at, first),
    admit: (at) => streams.admit(at),
    release: () => streams.release(),
  }
  const warned: string[] = []
  const warn = (fields: object | string): void => void warned.push(String(Object.values(fields)[0]))
  const runtime = { ...on.runtime, logger: { ...silentLogger, warn } }
  keptBy({ ...on, runtime }, forbidding)
  await passed(on, 31 * dayMs)
  expect(warned[0]).toContain('is void')
  for (let look = 0; look < 2; look += 1) await passed(on, lookMs)
  expect(warned.slice(1).every((one) => one.includes('warrant log rotate'))).toBe(true)
  expect(eraOfScene(on)).toBe(1)
  await rotate(on.runtime, root, streams)
  const before = warned.length
  await passed(on, lookMs)
  expect([eraOfScene(on), warned.length]).toEqual([2, before])
  await expectReplay(on)
})

test('an era that a keeper opened stands for those before it, also by the root key', async () => {
  const on = await scene(setup)
  await judged(on, { intent })
  on.time.pass(31 * dayMs)
  await rotate(on.runtime, keeper, null)
  const root = keyIdOf(publicKeyOf(keys.root))
  const found = await snapshotOf(on.log, { realm: 'main', era: 2 }, root)
  expect(found?.start).toMatchObject({ by: 'keeper', isRooted: true })
})

test('a sealed era is archived in a file that derives again alone, and stays as it is', async () => {
  const on = await scene(setup)
  await judged(on, { intent })
  await turned(on)
  await judgedNow(on, { intent, ulid: 'b' })
  await turned(on)
  const folder = await temporaryFolder()
  const { state } = on.runtime.follower
  const header = (era: number) =>
    ({
      is: 'header',
      format: bundleFormat,
      version: '0',
      made: '2026-01-01T00:00:00.000Z',
      realm: 'main',
      cells: null,
      holds: 'era',
      era,
    }) as const
  const archived = (era: number) => {
    const how = { folder, rootKey: null, stages, module: () => Promise.resolve(null) }
    return archiveEra(on.log, { state, era }, { ...how, header: header(era) })
  }
  const first = await archived(1)
  const second = await archived(2)
  expect(first).toMatchObject({ differences: 0, unchecked: 0 })
  expect(second).toMatchObject({ differences: 0, unchecked: 0 })
  expect(await archived(2)).toBe(null)
  const kept = [archiveName({ realm: 'main', era: 1 }), archiveName({ realm: 'main', era: 2 })]
  expect((await readdir(folder)).toSorted()).toEqual(kept)
  const positions: number[] = []
  for (const name of kept) {
    for await (const item of readBundle(join(folder, name))) {
      if (item.is === 'fact') positions.push(item.fact.position)
    }
  }
  expect(positions).toEqual(positions.map((_, index) => index + 1))
  const file = join(folder, kept[1] ?? '')
  const bytes = await readFile(file)
  bytes.set([(bytes.at(-20) ?? 0) ^ 1], bytes.length - 20)
  await writeFile(file, bytes)
  const read = async () => {
    for await (const item of readBundle(file)) expect(item.is).toBeDefined()
  }
  await expect(read()).rejects.toMatchObject({ code: 'backup_damaged' })
})

test('what cannot be archived ends nothing: it is tried again', async () => {
  const on = await scene(setup)
  const tried: number[] = []
  const keeping: EraKeeping = {
    author: () => Promise.resolve(keeper),
    rotation: () => Promise.resolve(null),
    archive: (_, era) => {
      tried.push(era)
      return tried.length < 3
        ? Promise.reject(new Error('the disk is full'))
        : Promise.resolve(null)
    },
  }
  const runtime = { ...on.runtime, logger: silentLogger }
  const kept = keepEras(runtime, () => Promise.resolve(keeping))
  endWithTest(() => kept.stop())
  await judged(on, { intent })
  await passed(on, 31 * dayMs)
  for (let look = 0; look < 4; look += 1) await passed(on, lookMs)
  expect(tried).toEqual([1, 1, 1])
})
