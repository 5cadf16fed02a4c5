// A log whose first eras were taken away goes on from the snapshot that stands for them, and one
// that was cut anywhere else does not.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { keyIdOf } from '#record/signature'
import type { Log } from '#ports/log'
import { beginningOf, snapshotOf } from '#replay/eras/beginning'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import { factsOf, foldAll, restored, textOf } from './parts/fold.ts'
import { cutAt, judgedNow, sealOf, turned } from './parts/live.ts'
import { tampered } from '../../support/replay-story.ts'
import { keys, testParts } from '../../support/runtime.ts'
import {
  answer,
  bind,
  deletion,
  erase,
  judged,
  look,
  place,
  replayed,
  reviewed,
  scene,
} from '../../support/scene.ts'
import type { Scene } from '../../support/scene.ts'

const setup = {
  catalog: { capabilities: [look, erase] },
  graph: deletion({ name: 'ask' }),
}
const intent = { tool: 'look' }

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
