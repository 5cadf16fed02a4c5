// A log that took facts by a clock that ran ahead: nothing is appended by right clocks any more,
// until an administrator rotates the era and sets the log’s clock back.
import { expect, test } from 'vitest'
import { codeOf } from '../../log/conformance/cases.ts'
import { guardGiven, judgedNow, root, settled } from '../../replay/eras/parts/live.ts'
import { writeSnapshot } from '#state/eras/genesis'
import { rotate } from '#replay/eras/rotate'
import { stateAt } from '#replay/eras/state-at'
import { provingOn } from '#replay/verdicts/proving'
import { stages } from '#workers/stages'
import { answer, codes, deletion, erase, expectReplay, judged, look } from '../../support/scene.ts'
import { replayed, reviewed, say, scene, type Scene } from '../../support/scene.ts'

const minute = 60_000
const year = 365 * 86_400_000
const decideWithinMs = 10 * minute
const setup = {
  catalog: {
    capabilities: [look, erase],
    confirmations: [{ id: 'quick', tier: 'confirm' as const, decideWithinMs }],
    limits: [{ safetyClass: 'READ' as const, uses: 2, windowMs: minute }],
  },
  graph: deletion({ name: 'ask', confirmation: 'quick' }),
}
const intent = { tool: 'look' }

/** The clock jumps, whatever happens then is stamped so, and the clock is right again. */
async function during<T>(on: Scene, jumpMs: number, run: () => Promise<T>): Promise<T> {
  const { now } = on.time
  on.time.now = now + jumpMs
  const came = await run()
  await on.watch.settled(on.log)
  await settled(on)
  on.time.now = now
  return came
}

const reset = { resetsClock: true }

test('warrants are short and limits free again once the clock was set back', async () => {
  const on = await scene(setup)
  await during(on, 10 * year, async () => {
    for (let use = 0; use < 2; use += 1) await judged(on, { intent })
  })
  expect(await codeOf(say(on.log, { intent }))).toBe('clock_behind soon')
  const right = on.time.now
  await rotate(on.runtime, root, null, reset)
  expect((await on.log.head()).appendedAt).toBe(right)
  // What was used counts as used now, and frees as ever.
  expect(codes(await judgedNow(on, { intent, ulid: 'a' }))).toEqual(['rate_limited'])
  on.time.pass(minute)
  const allowed = await judgedNow(on, { intent, ulid: 'b' })
  expect(allowed.outcome).toBe('allow')
  const useBy = Date.parse(allowed.terms?.useBy ?? '')
  expect(useBy - on.time.now).toBeLessThanOrEqual(15 * minute)
  await expectReplay(on)
})

test('a review that was asked meanwhile may be answered until its deadline, and no longer', async () => {
  const on = await scene(setup)
  const ask = { intent: { tool: 'erase' } }
  const [one, other] = await during(on, 10 * year, async () => {
    const first = await reviewed(on, ask)
    on.time.pass(4 * minute)
    return [first, await reviewed(on, ask)]
  })
  await rotate(on.runtime, root, null, reset)
  on.time.pass(6 * minute)
  await answer(on, one ?? '')
  expect((await on.bot.verdict(one ?? '')).outcome).toBe('allow')
  on.time.pass(4 * minute + 1)
  expect(codes(await on.bot.verdict(other ?? ''))).toEqual(['review_expired'])
  await expectReplay(on)
})

test('a warrant that the wrong clock gave is good for nothing once it was set back', async () => {
  const on = await scene(setup)
  let ran = 0
  const proving = provingOn(on.runtime, stages, 'bot')
  const given = await during(on, 10 * year, () => on.bot.ask({ ...intent, args: {} }))
  expect(given.outcome).toBe('allow')
  await rotate(on.runtime, root, null, reset)
  on.time.pass(minute)
  const late = guardGiven(on, given, { proving, run: () => (ran += 1) })
  await expect(late({})).rejects.toMatchObject({ code: 'warrant_expired' })
  expect(ran).toBe(0)
  await on.bot.guard('look', () => (ran += 1))({})
  expect(ran).toBe(1)
})

test('no time that the state holds is later than the clock by more than was to come', async () => {
  const gap = { ...look, id: 'unknown', concepts: ['moon'] }
  const catalog = { ...setup.catalog, learning: true, capabilities: [look, erase, gap] }
  const on = await scene({ ...setup, catalog })
  await during(on, 10 * year, async () => {
    await judged(on, { intent })
    await reviewed(on, { intent: { tool: 'erase' } })
    await say(on.log, { intent: { tool: 'unknown', onGap: 'learn' } })
    await on.watch.settled(on.log)
  })
  await rotate(on.runtime, root, null, reset)
  const { state } = on.runtime.follower
  expect([state.intents.size, state.uses.size, state.learning.open.size]).toEqual([2, 1, 1])
  const text = [...writeSnapshot(state)].join('')
  const numbers = [...text.matchAll(/[:[,]([0-9]{13})(?=[,\]}])/g)].map(([, found]) =>
    Number(found),
  )
  const instants = [...text.matchAll(/"([0-9]{4}-[0-9-]+T[0-9:.]+Z)"/g)].map(([, found]) => {
    return Date.parse(found ?? '')
  })
  expect(numbers.length).toBeGreaterThan(5)
  expect(instants.length).toBeGreaterThan(0)
  const latest = on.time.now + 365 * 86_400_000
  expect([...numbers, ...instants].filter((instant) => instant > latest)).toEqual([])
})

test('nothing is set back where the clock is not behind, and nothing is sealed', async () => {
  const on = await scene(setup)
  await judged(on, { intent })
  const behindBy = async (ms: number): Promise<string> => {
    on.time.now = (await on.log.head()).appendedAt - ms
    return codeOf(rotate(on.runtime, root, null, reset))
  }
  expect(await behindBy(0)).toBe('clock_not_behind never')
  // An append takes no notice of so little.
  expect(await behindBy(5_000)).toBe('clock_not_behind never')
  expect(on.runtime.follower.state.sealed).toBeNull()
})

test('an era rotation that was stopped in the middle is ended, and sets the clock back then', async () => {
  const on = await scene(setup)
  await during(on, 10 * year, () => judged(on, { intent }))
  const { log } = on
  let left = 1
  const dying = {
    ...on.runtime,
    log: {
      ...log,
      append: (...given: Parameters<typeof log.append>) => {
        left -= 1
        return left < 0 ? Promise.reject(new Error('went away')) : log.append(...given)
      },
    },
  }
  await expect(rotate(dying, root, null, reset)).rejects.toThrow('went away')
  expect(on.runtime.follower.state.sealed).not.toBeNull()
  await rotate(on.runtime, root, null, reset)
  expect((await log.head()).appendedAt).toBe(on.time.now)
  expect((await judgedNow(on, { intent, ulid: 'a' })).outcome).toBe('allow')
  expect(await replayed(on)).toMatchObject({ differences: 0, eras: 2 })
})

test('what was known at a time is found on both sides of where the clock was set back', async () => {
  const on = await scene(setup)
  const before = await on.log.head()
  const after = await during(on, 10 * year, async () => {
    await judged(on, { intent })
    return on.log.head()
  })
  await rotate(on.runtime, root, null, reset)
  on.time.pass(minute)
  await judgedNow(on, { intent, ulid: 'a' })
  const { log } = on
  const history = { log, realm: 'main', rootKey: null }
  const at = async (time: number) =>
    (await stateAt(history, { at: 'time', time }, 'graph')).position
  const { position } = await log.head()
  expect(await at(on.time.now)).toBe(position)
  expect(await at(before.appendedAt)).toBeGreaterThan(after.position)
  expect(await at(before.appendedAt)).toBeLessThan(position)
})
