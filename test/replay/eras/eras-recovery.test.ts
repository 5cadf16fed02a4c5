// A rotation that is stopped anywhere is ended by anyone who runs it again, and between two eras
// nothing is decided and nothing is lost.
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Entry, Log } from '#ports/log'
import { rotate } from '#replay/eras/rotate'
import { stages } from '#workers/stages'
import { textOf, factsOf, foldAll, restored } from './parts/fold.ts'
import {
  eraOfScene,
  judgedNow,
  root,
  sayIn,
  sealOf,
  settled,
  Streams,
  cutAt,
  turned,
} from './parts/live.ts'
import { newKey, keys, testParts } from '../../support/runtime.ts'
import {
  another,
  answer,
  deletion,
  erase,
  expectReplay,
  judged,
  look,
  names,
  replayed,
  reviewed,
  scene,
  type Scene,
  bind,
  place,
} from '../../support/scene.ts'
import { nameOf } from '#record/names'
import { keyIdOf } from '#record/signature'
import { beginningOf, snapshotOf } from '#replay/eras/beginning'
import { replay } from '#replay/replay'
import { tampered } from '../../support/replay-story.ts'

const setup = {
  catalog: { capabilities: [look, erase] },
  graph: deletion({ name: 'ask' }),
}
const intent = { tool: 'look' }

/** A state of several chunks: what is known of the moon does not fit into one. */
const large = {
  catalog: setup.catalog,
  graph: {
    primitives: Array.from({ length: 4 }, (_, n) => ({
      name: `moon ${n}`,
      depths: [{ level: 0 }, { level: 1, properties: { what: `${n}`.repeat(50_000) } }],
    })),
  },
}

interface Stopped {
  readonly before: number
  /** Whether what was being appended is in the log all the same. */
  readonly isAppended: boolean
}

/** The log of a process that dies at that append. */
function dying(log: Log, { before, isAppended }: Stopped): Log {
  let count = 0
  return {
    ...log,
    append: async (entry: Entry) => {
      count += 1
      if (count < before) return log.append(entry)
      if (isAppended) await log.append(entry)
      throw new Error('the process died')
    },
  }
}

async function stoppedAt(on: Scene, stopped: Stopped): Promise<boolean> {
  const log = dying(on.log, stopped)
  try {
    await rotate({ ...on.runtime, log }, root, null)
    return false
  } catch {
    return true
  }
}

test('wherever a rotation is stopped, running it again ends it, and the era was rotated once', async () => {
  let steps = 0
  for (let before = 1; steps === 0; before += 1) {
    for (const isAppended of [false, true]) {
      const on = await scene(large)
      const address = await sayIn(on.log, { era: 1, ulid: 'a', intent })
      await on.bot.verdict(address)
      if (!(await stoppedAt(on, { before, isAppended }))) steps = before - 1
      await settled(on)
      if (eraOfScene(on) === 1) {
        const { sealed } = on.runtime.follower.state
        expect(sealed === null).toBe(before === 1 && !isAppended)
        const { snapshot } = await rotate(on.runtime, root, null)
        expect(snapshot.parts).toBeGreaterThan(2)
      }
      await settled(on)
      expect(eraOfScene(on)).toBe(2)
      expect((await judgedNow(on, { intent, ulid: 'b' })).outcome).toBe('allow')
      const report = await replayed(on)
      expect(report).toMatchObject({ differences: 0, voidCount: 0, eras: 2 })
      await on.runtime.stop()
    }
  }
  // Seal, chunks, end.
  expect(steps).toBeGreaterThan(4)
})

test('another policy admin ends what one began: it shows who sealed and who signed', async () => {
  const privateKey = newKey()
  const anna = { id: 'anna', roles: ['policy-admin'], keys: [publicKeyOf(privateKey)] }
  const on = await scene({ catalog: { capabilities: [look], principals: [anna] } })
  await stoppedAt(on, { before: 2, isAppended: false })
  const { sealed, snapshot } = await rotate(on.runtime, { id: 'anna', privateKey }, null)
  expect([sealed.by, snapshot.by]).toEqual(['root', 'anna'])
})

test('between two eras nothing is decided and nothing is lost', async () => {
  const on = await scene(setup)
  await stoppedAt(on, { before: 2, isAppended: false })
  const asked = on.bot.ask(intent)
  const late = await sayIn(on.log, { era: 1, ulid: 'late', intent })
  await settled(on)
  expect(await names(on.log, 'main.*.grounding.>')).toEqual([])
  await rotate(on.runtime, root, null)
  expect((await asked).name).toMatch(/^main\.2\.verdict\./)
  expect(on.runtime.follower.state.intents.has(late)).toBe(false)
  await expectReplay(on)
})

test('a worker that comes between two eras binds nothing, and all is seen to in the next', async () => {
  const idle = await scene({ ...setup, stages: [] })
  const address = await sayIn(idle.log, { era: 1, ulid: 'a', intent })
  await stoppedAt(idle, { before: 2, isAppended: false })
  const on = await another(idle, { stages })
  await on.watch.settled(on.log)
  const { position } = await on.log.head()
  expect(await sealOf(on, 2)).toBe(position)
  await rotate(on.runtime, root, null)
  expect((await on.bot.verdict(address)).name).toBe(`main.2.verdict.${address}`)
  await expectReplay(on)
})

test('a verdict that came too late for its era is no one’s verdict', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  const other = await judged(on, { intent, ulid: 'other' })
  await stoppedAt(on, { before: 2, isAppended: false })
  const allow = await on.log.get(other.name)
  const late = Buffer.from(allow?.bytes ?? [])
    .toString()
    .replaceAll(other.intent, address)
  await on.log.append({ name: `main.1.verdict.${address}`, bytes: Buffer.from(late) })
  const asked = on.bot.verdict(address, 1_000)
  await settled(on)
  on.time.pass(1_001)
  await expect(asked).rejects.toMatchObject({ code: 'no_verdict' })
  await rotate(on.runtime, root, null)
  await answer(on, address)
  expect((await on.bot.verdict(address)).name).toBe(`main.2.verdict.${address}`)
})

test('an append while the log stays between two eras fails with how to fix it', async () => {
  const on = await scene(setup)
  await stoppedAt(on, { before: 2, isAppended: false })
  await settled(on)
  const said = on.bot.withdraw('bot.-.a')
  on.time.pass(29_999)
  expect(await names(on.log, 'main.*.withdrawal.>')).toEqual([])
  on.time.pass(1)
  await expect(said).rejects.toMatchObject({ code: 'era_sealed', retry: 'soon' })
  await expect(said).rejects.toThrow('warrant log rotate')
})

test('a rotation that was stopped between the streams is ended too', async () => {
  for (const call of ['seal', 'open'] as const) {
    const on = await scene(setup)
    const streams = new Streams(on.store.open())
    const broken = {
      seal: async (of: { readonly realm: string; readonly era: number }) => {
        const sealed = await streams.seal(of)
        if (call === 'seal') throw new Fault('log_unreachable', 'the server went away')
        return sealed
      },
      open: async (of: { readonly realm: string; readonly era: number }, first: number) => {
        await streams.open(of, first)
        throw new Fault('log_unreachable', 'the server went away')
      },
      isSealed: (of: { readonly era: number }) => streams.isSealed(of),
      admit: () => Promise.resolve(false),
      release: () => Promise.resolve([]),
    }
    await expect(rotate(on.runtime, root, broken)).rejects.toThrow('went away')
    await rotate(on.runtime, root, streams)
    await settled(on)
    expect(eraOfScene(on)).toBe(2)
    expect((await judgedNow(on, { intent, ulid: 'b' })).outcome).toBe('allow')
    await expectReplay(on)
  }
})

test('names that are bound between the steps of a rotation do not keep it from its end', async () => {
  const on = await scene(setup)
  await judged(on, { intent, ulid: 'a' })
  await stoppedAt(on, { before: 2, isAppended: false })
  for (const name of ['main.2.graph.2', 'main.2.rate.bot.look.2', 'main.2.catalog.9']) {
    await on.log.append({ name, bytes: Buffer.from('junk') })
  }
  await settled(on)
  await rotate(on.runtime, root, null)
  expect((await judgedNow(on, { intent, ulid: 'b' })).outcome).toBe('allow')
  expect(await names(on.log, 'main.2.rate.bot.look.3')).toHaveLength(1)
  const later = await scene(on.setup, on)
  expect(textOf(later.runtime.follower.state)).toBe(textOf(on.runtime.follower.state))
  expect((await replayed(on)).differences).toBe(0)
})

// A log whose first eras were taken away goes on from the snapshot that stands for them, and one
// that was cut anywhere else does not.

/** A log of three eras, with an intent that waits from the first into the second. */
async function threeEras(): Promise<Scene> {
  const on = await scene(setup)
  await judged(on, { intent, ulid: 'a' })
  const address = await reviewed(on, { intent: { tool: 'erase' }, ulid: 'w' })
  await turned(on)
  await judgedNow(on, { intent, ulid: 'b' })
  await judgedNow(on, { intent, ulid: 's', session: 'S-2026-01-01-bot-abcdef' })
  await answer(on, address)
  await on.bot.verdict(address)
  await turned(on)
  await judgedNow(on, { intent, ulid: 'c' })
  await on.watch.settled(on.log)
  return on
}

async function replayCut(on: Scene, log: Log, rootKey: string | null = null) {
  const { callbacks } = testParts(log, on.setup)
  try {
    return await replay({ log, place, rootKey, stages, callbacks })
  } finally {
    await callbacks.close()
  }
}

test('a log whose first era was taken away replays from the snapshot, and reports it', async () => {
  const on = await threeEras()
  const whole = await replayed(on)
  expect(whole).toMatchObject({ differences: 0, start: null, eras: 3 })
  const seal = await sealOf(on, 2)
  const report = await replayCut(on, cutAt(on.log, seal))
  const key = keyIdOf(publicKeyOf(keys.root))
  expect(report).toMatchObject({ differences: 0, eras: 3, voidCount: 0 })
  expect(report.start).toMatchObject({ era: 2, position: seal, by: 'root', key })
  // The use and the verdict of what waited go back to a message of the era that is not there.
  expect(report.unchecked).toBe(2)
  expect(report.derived).toBeGreaterThan(4)
  const last = await replayCut(on, cutAt(on.log, await sealOf(on, 3)))
  expect(last).toMatchObject({ differences: 0, unchecked: 0, eras: 3, start: { era: 3 } })
})

test('what was forged after the snapshot is found without the eras before it', async () => {
  const on = await threeEras()
  const forged = tampered(on.log, (fact) => {
    if (!fact.name.startsWith('main.2.verdict.bot.-.b')) return fact
    const bytes = Buffer.from(fact.bytes).toString().replace('"allow"', '"deny"')
    return { ...fact, bytes: Buffer.from(bytes) }
  })
  const report = await replayCut(on, cutAt(forged, await sealOf(on, 2)))
  expect(report).toMatchObject({ differences: 1, first: { kind: 'differs' } })
})

test('nor does a session hide it, if all of it is here', async () => {
  const on = await threeEras()
  const session = 'S-2026-01-01-bot-fedcba'
  await judgedNow(on, { intent, ulid: 'd', session, seq: 1 })
  await judgedNow(on, { intent, ulid: 'e', session, seq: 2 })
  await on.watch.settled(on.log)
  const seal = await sealOf(on, 3)
  const forged = tampered(on.log, (fact) => {
    if (!/^main\.3\.verdict\.bot\.[^.]+\.[ce]$/.test(fact.name)) return fact
    const bytes = Buffer.from(fact.bytes).toString().replace('"allow"', '"deny"')
    return { ...fact, bytes: Buffer.from(bytes) }
  })
  expect(await replayCut(on, cutAt(on.log, seal))).toMatchObject({ differences: 0, unchecked: 0 })
  expect(await replayCut(on, forged)).toMatchObject({ differences: 2, unchecked: 0 })
  expect(await replayCut(on, cutAt(forged, seal))).toMatchObject({ differences: 2, unchecked: 0 })
})

test('a session that may have begun before the snapshot is not checked where it differs', async () => {
  const on = await scene(setup)
  const session = 'S-2026-01-01-bot-fedcba'
  await judgedNow(on, { intent, ulid: 'd', session, seq: 1 })
  await turned(on)
  await judgedNow(on, { intent, ulid: 'e', session, seq: 2 })
  await on.watch.settled(on.log)
  const report = await replayCut(on, cutAt(on.log, await sealOf(on, 2)))
  // Its number does not follow on what is here, so its grounding says otherwise.
  expect(report).toMatchObject({ differences: 0, unchecked: 1 })
})

test('what came too late for an era that was taken away is void, and no one derives it', async () => {
  const on = await threeEras()
  const name = nameOf(place, 'verdict', 'bot.-.late')
  await bind(on.log, 'verdict', name, {})
  expect(await replayed(on)).toMatchObject({ differences: 1, first: { name } })
  const report = await replayCut(on, cutAt(on.log, await sealOf(on, 2)))
  expect(report).toMatchObject({ differences: 0, voidCount: 1, voids: [{ name }] })
})

test('a snapshot that was changed, or that another key signed, stands for nothing', async () => {
  const on = await threeEras()
  const seal = await sealOf(on, 2)
  const changed = tampered(on.log, (fact) => {
    const text = Buffer.from(fact.bytes).toString().replaceAll('quin', 'quim')
    return fact.name === 'main.2.snapshot.2' ? { ...fact, bytes: Buffer.from(text) } : fact
  })
  for (const log of [changed, tampered(on.log, (fact) => (isEnd(fact.name) ? null : fact))]) {
    const report = await replayCut(on, cutAt(log, seal))
    expect(report).toMatchObject({ start: null, first: { kind: 'missing', position: 1 } })
  }
  const cut = cutAt(on.log, seal)
  const other = keyIdOf(publicKeyOf(keys.olga))
  expect((await beginningOf(cut, place, other)).start).toBe(null)
  const own = keyIdOf(publicKeyOf(keys.root))
  expect((await beginningOf(cut, place, own)).start).toMatchObject({ key: own, era: 2 })
})

const isEnd = (name: string): boolean => name === 'main.2.snapshot.4'

test('a log whose snapshot was changed afterwards does not derive, with all eras there', async () => {
  const on = await threeEras()
  for (const name of [1, 2, 3, 4].map((number) => `main.2.snapshot.${number}`)) {
    const changed = tampered(on.log, (fact) => {
      const bytes = Buffer.from(fact.bytes).toString().replace('"position', '"p')
      const other = name.endsWith('2') ? bytes : bytes.replace('"by":"root"', '"by":"olga"')
      return fact.name === name
        ? { ...fact, bytes: Buffer.from(other.replace('root', 'toor')) }
        : fact
    })
    const report = await replayCut(on, changed)
    expect(report.eras).toBe(1)
    expect(report.differences).toBeGreaterThan(4)
    expect(report.first?.name).toMatch(/^main\.[23]\./)
  }
})

test('facts of an era that are still there are never passed over for its snapshot', async () => {
  const on = await threeEras()
  const cut = cutAt(on.log, (await sealOf(on, 2)) - 3)
  expect((await beginningOf(cut, place, null)).start).toBe(null)
  const report = await replayCut(on, cut)
  expect(report.first).toMatchObject({ kind: 'missing', position: 1 })
})

test('who begins at a snapshot comes to the same state as who begins at the first fact', async () => {
  const on = await threeEras()
  const facts = await factsOf(on.log)
  const whole = textOf(foldAll(facts))
  for (const era of [2, 3]) {
    const opened = await snapshotOf(on.log, { realm: 'main', era }, null)
    if (opened === null) throw new Error('the era opened with a snapshot')
    const { state, start } = opened
    expect(textOf(restored(state))).toBe(textOf(state))
    expect(textOf(foldAll(facts.slice(start.position), state))).toBe(whole)
  }
})

test('a runtime on a log without its first eras answers what it is asked', async () => {
  const on = await threeEras()
  const seal = await sealOf(on, 3)
  const cut = await scene({ ...on.setup, wrap: (log) => cutAt(log, seal) }, on)
  expect(textOf(cut.runtime.follower.state)).toBe(textOf(on.runtime.follower.state))
  expect((await cut.bot.ask(intent)).name).toMatch(/^main\.3\.verdict\./)
})

test('a runtime on a log that is cut anywhere else does not begin at all', async () => {
  const on = await threeEras()
  const seal = await sealOf(on, 2)
  const other = keyIdOf(publicKeyOf(keys.olga))
  const cuts = [
    { at: 3, rootKey: null, code: 'log_cut' },
    { at: seal + 1, rootKey: other, code: 'root_key_differs' },
  ]
  for (const { at, rootKey, code } of cuts) {
    const parts = { ...on.setup.parts, rootKey }
    const cut = scene({ ...on.setup, parts, wrap: (log) => cutAt(log, at) }, on)
    await expect(cut).rejects.toMatchObject({ code, retry: 'never' })
  }
})
