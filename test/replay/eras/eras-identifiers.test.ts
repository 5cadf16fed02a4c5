// What the time in an identifier does: it must be near the log's, so that an era whose latest is
// earlier needs no look, and no address is good twice all the same.
import fc from 'fast-check'
import { ulid } from 'ulid'
import { describe, expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { reasonText } from '#present/reason-text'
import { readSnapshot } from '#state/eras/restore'
import { writeSnapshot } from '#state/eras/genesis'
import { changeCatalog } from '../../support/runtime.ts'
import { expectReplay, look, names, replayed, scene, type Scene } from '../../support/scene.ts'
import { logOf } from '../../support/wrapped-log.ts'
import { calm, eraOfScene, judgedNow, sayIn, turned } from './parts/live.ts'

const second = 1_000
const hour = 3_600 * second
const day = 24 * hour
const intent = { tool: 'look' }

/** A scene, and the names of messages that its log is asked for. */
async function watched(rules = newestRules): Promise<{ on: Scene; asked: string[] }> {
  const asked: string[] = []
  const on = await scene({
    catalog: { capabilities: [look], rules },
    wrap: (log) => ({
      ...logOf(log),
      get(name) {
        if (name.includes('.vlp.')) asked.push(name)
        return log.get(name)
      },
    }),
  })
  return { on, asked }
}

async function said(on: Scene, id: string): Promise<string> {
  const address = await sayIn(on.log, { era: eraOfScene(on), ulid: id, intent })
  await calm(on)
  return address
}

describe('an identifier that is a ULID', () => {
  test.each([
    [-day - second, 'stale_identifier'],
    [-day, null],
    [0, null],
    [60 * second, null],
    [61 * second, 'clock_ahead'],
    [day, 'clock_ahead'],
  ])('of %i ms ahead of the log comes to %s', async (ahead, cause) => {
    const { on } = await watched()
    const verdict = await judgedNow(on, { intent, ulid: ulid(on.time.now + ahead) })
    expect(verdict.outcome).toBe(cause === null ? 'allow' : 'deny')
    const issues = cause === null ? [] : [{ code: 'schema_invalid', path: '', cause }]
    expect(verdict.reasons.flatMap(({ params }) => params.issues ?? [])).toEqual(issues)
    for (const reason of verdict.reasons) expect(reasonText(reason)).toContain('the ULID')
    await expectReplay(on)
  })

  test('of more than a day ahead counts for nothing', async () => {
    const { on } = await watched()
    await said(on, ulid(on.time.now + day + second))
    expect(await names(on.log, 'main.1.verdict.>')).toEqual([])
    const why = 'its identifier is more than a day ahead'
    expect(await replayed(on)).toMatchObject({ voidCount: 1, voids: [{ why }] })
  })

  test('of older rules may state any time', async () => {
    const { on, asked } = await watched(7)
    const verdict = await judgedNow(on, { intent, ulid: ulid(0) })
    expect(verdict.outcome).toBe('allow')
    const ahead = ulid(on.time.now + 30 * day)
    await said(on, ahead)
    await turned(on)
    await changeCatalog(on.runtime, { op: 'set', key: 'rules', value: 8 })
    // Of the era of older rules no one knows how late its identifiers are.
    asked.length = 0
    const id = ulid(on.time.now)
    expect((await judgedNow(on, { intent, ulid: id })).outcome).toBe('allow')
    expect(asked).toContain(`main.1.vlp.bot.-.${id}`)
    await expectReplay(on)
  })
})

test('no era is asked for one that is later than all of its own; any for what is no ULID', async () => {
  const { on, asked } = await watched()
  const first = on.time.now
  for (let era = 1; era < 5; era += 1) {
    await judgedNow(on, { intent, ulid: ulid(on.time.now) })
    await turned(on)
    on.time.pass(hour)
  }
  const eras = async (id: string): Promise<number[]> => {
    asked.length = 0
    await judgedNow(on, { intent, ulid: id })
    const found = asked.filter((name) => name.endsWith(id) && !name.startsWith('main.5.'))
    return [...new Set(found.map((name) => Number(name.split('.')[1])))].toSorted((a, b) => a - b)
  }
  expect(await eras(ulid(on.time.now))).toEqual([])
  expect(await eras(ulid(first + 2 * hour - 1))).toEqual([3, 4])
  expect(await eras('own-key')).toEqual([1, 2, 3, 4])
  await expectReplay(on)
})

describe('an identifier that was ahead', () => {
  test('is good no more once its time has come, eras later', async () => {
    const { on } = await watched()
    const id = ulid(on.time.now + hour)
    expect((await judgedNow(on, { intent, ulid: id })).outcome).toBe('deny')
    await turned(on)
    on.time.pass(hour + second)
    for (let times = 0; times < 3; times += 1) {
      await turned(on)
      const verdicts = await names(on.log, 'main.*.verdict.>')
      await said(on, id)
      expect(await names(on.log, 'main.*.verdict.>')).toEqual(verdicts)
      on.time.pass(day)
    }
    await expectReplay(on)
  })

  test('is kept for 256 of one agent, and beyond that it counts for nothing', async () => {
    const { on } = await watched()
    const ids = Array.from({ length: 258 }, () => ulid(on.time.now + hour))
    for (const id of ids) await sayIn(on.log, { era: 1, ulid: id, intent })
    await calm(on)
    expect(await names(on.log, 'main.1.verdict.>')).toHaveLength(256)
    expect(await replayed(on)).toMatchObject({ voidCount: 2 })
    const state = on.runtime.follower.state
    const chunks = [...writeSnapshot(state)]
    const restored = readSnapshot(chunks, { realm: 'main' })
    expect([...writeSnapshot(restored)]).toEqual(chunks)
    expect(restored.aheadIds).toEqual(state.aheadIds)
  })
})

test('no address is good twice, whatever times its identifiers state', () => {
  const step = fc.record({
    ahead: fc.oneof(
      fc.integer({ min: -70 * second, max: 70 * second }),
      fc.integer({ min: 0, max: 70 * second }),
      fc.integer({ min: -2 * day, max: 2 * day }),
    ),
    // Which of those before is used once more, counted from the last; null for a new one.
    again: fc.option(fc.nat(2), { freq: 2 }),
    turns: fc.boolean(),
    passes: fc.oneof(fc.constant(0), fc.nat(70 * second), fc.nat(2 * day)),
  })
  const steps = fc.array(step, { minLength: 4, maxLength: 9 })
  return fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { on } = await watched()
      const ids: string[] = []
      for (const { ahead, again, turns, passes } of all) {
        const before = again === null ? undefined : ids.at(-1 - again)
        const id = before ?? ulid(Math.max(0, on.time.now + ahead))
        const name = `main.${eraOfScene(on)}.vlp.bot.-.${id}`
        if ((await on.log.get(name)) === undefined) await said(on, id)
        ids.push(id)
        if (turns) await turned(on)
        on.time.pass(passes)
      }
      const bound = await names(on.log, 'main.*.verdict.>')
      const addresses = bound.map((name) => name.split('.').slice(3).join('.'))
      expect(addresses).toHaveLength(new Set(addresses).size)
      await expectReplay(on)
      await on.runtime.stop()
    }),
    { numRuns: 30 },
  )
})
