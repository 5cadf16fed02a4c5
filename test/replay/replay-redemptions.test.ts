// What was done is held against what was allowed: starts against verdicts, outcomes against starts.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import type { FindingKind } from '#replay/findings'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Log } from '#ports/log'
import {
  bind,
  judged,
  look,
  names,
  place,
  replayed,
  say,
  scene,
  verdict,
  type Scene,
} from '../support/scene.ts'
import { changeCatalog } from '../support/runtime.ts'
import { turned } from './eras/parts/live.ts'
import { logOf } from '../support/wrapped-log.ts'

const setup = {
  catalog: {
    capabilities: [look],
    limits: [{ capability: 'look', uses: 'unlimited' as const, windowMs: 1 }],
  },
}
const allowed = { intent: { tool: 'look' } }
const denied = { intent: { tool: 'nowhere' } }

const intentOf = (address: string) => ({ address, agent: 'bot', session: null })

function started(on: Scene, { intent, name }: Pick<Verdict, 'intent' | 'name'>, of = intent) {
  const data = { intent: intentOf(of), verdict: name }
  return bind(on.log, 'start', nameOf(place, 'start', of), data)
}

function ended(on: Scene, address: string, outcome = 'succeeded') {
  const data = { intent: intentOf(address), outcome }
  return bind(on.log, 'outcome', nameOf(place, 'outcome', address), data)
}

async function expectFound(on: Scene, ...kinds: readonly FindingKind[]): Promise<void> {
  const { differences, findings, unchecked } = await replayed(on)
  expect({ differences, unchecked }).toEqual({ differences: 0, unchecked: 0 })
  expect(findings.shown.map(({ kind }) => kind)).toEqual(kinds)
  for (const kind of kinds) expect(findings.counts[kind]).toBeGreaterThan(0)
}

test('a guard that runs an allowed call leaves nothing to find', async () => {
  const on = await scene(setup)
  await on.bot.guard('look', () => 1)({})
  await expectFound(on)
})

test('a call that was only observed has an outcome and no start, and nothing to find', async () => {
  const on = await scene(setup)
  await on.bot.guard('look', () => 1, { enforce: false })({})
  await on.bot.guard('nowhere', () => 1, { enforce: false })({})
  await expectFound(on)
})

test('a denied intent that was begun and succeeded all the same is found', async () => {
  const on = await scene(setup)
  const given = await judged(on, denied)
  await started(on, given)
  await ended(on, given.intent)
  await expectFound(on, 'startWithoutAllow')
})

test('what a gateway carried out for an agent that was suspended is found, unless it refused', async () => {
  for (const [outcome, kinds] of [
    ['succeeded', ['startWhileSuspended']],
    ['refused', []],
  ] as const) {
    const on = await scene(setup)
    const given = await judged(on, allowed)
    await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
    await started(on, given)
    await ended(on, given.intent, outcome)
    await expectFound(on, ...kinds)
  }
})

test('what was begun before its verdict, or without any, is found', async () => {
  const on = await scene({ ...setup, stages: [] })
  const address = await say(on.log, allowed)
  await started(on, { intent: address, name: nameOf(place, 'verdict', address) })
  await expectFound(on, 'startWithoutAllow')
})

test('what was begun at the last moment is not found, and a moment later is', async () => {
  for (const [ms, kinds] of [
    [300_000, []],
    [300_001, ['startAfterUseBy']],
  ] as const) {
    const on = await scene(setup)
    const given = await judged(on, allowed)
    on.time.pass(ms)
    await started(on, given)
    await expectFound(on, ...kinds)
  }
})

test('what was begun too late and then refused is not found', async () => {
  for (const [outcome, kinds] of [
    ['refused', []],
    ['failed', ['startAfterUseBy']],
  ] as const) {
    const on = await scene(setup)
    const given = await judged(on, allowed)
    on.time.pass(300_001)
    await started(on, given)
    await ended(on, given.intent, outcome)
    await expectFound(on, ...kinds)
  }
})

test('a guard whose start comes too late reports that it did nothing', async () => {
  let isSlow = false
  const on = await scene({ ...setup, wrap: (log) => slowing(log, () => isSlow) })
  isSlow = true
  let runs = 0
  const running = on.bot.guard('look', () => (runs += 1))({})
  await expect(running).rejects.toMatchObject({ code: 'warrant_expired' })
  expect(runs).toBe(0)
  await expectFound(on)
  expect(await names(on.log, 'main.1.ownoutcome.>')).toHaveLength(1)

  function slowing(log: Log, isNow: () => boolean): Log {
    return {
      ...logOf(log),
      append: (entry) => {
        if (isNow() && entry.name.includes('.ownstart.')) on.time.pass(300_001)
        return log.append(entry)
      },
    }
  }
})

test('a start for the verdict on another intent is found', async () => {
  const on = await scene(setup)
  const given = await judged(on, allowed)
  const other = await judged(on, allowed)
  await started(on, other, given.intent)
  await expectFound(on, 'startOfAnother')
})

test('an outcome of what was never begun is found', async () => {
  const on = await scene(setup)
  await ended(on, (await judged(on, allowed)).intent)
  await ended(on, 'bot.-.never')
  await expectFound(on, 'outcomeWithoutStart', 'outcomeWithoutStart')
})

test('what cannot be read is void, and begins nothing', async () => {
  const on = await scene(setup)
  const { intent } = await judged(on, allowed)
  await on.log.append({ name: nameOf(place, 'start', intent), bytes: Buffer.from('junk') })
  await ended(on, intent)
  await expectFound(on, 'outcomeWithoutStart')
  expect((await replayed(on)).voids).toMatchObject([{ name: nameOf(place, 'start', intent) }])
})

test('a warrant of one era is redeemed in the next, and ends there', async () => {
  const on = await scene(setup)
  const { intent, name } = await judged(on, allowed)
  await turned(on)
  const next = { realm: 'main', era: 2 }
  const data = { intent: intentOf(intent) }
  await bind(on.log, 'start', nameOf(next, 'start', intent), { ...data, verdict: name })
  await bind(on.log, 'outcome', nameOf(next, 'outcome', intent), { ...data, outcome: 'failed' })
  await expectFound(on)
})

test('of one intent alone only its own redemptions are found', async () => {
  const on = await scene(setup)
  const given = await judged(on, denied)
  await started(on, given)
  const other = await judged(on, allowed)
  const { differences, findings } = await replayed(on, { address: other.intent })
  expect({ differences, shown: findings.shown }).toEqual({ differences: 0, shown: [] })
  expect((await replayed(on, { address: given.intent })).findings.shown).toHaveLength(1)
  expect((await verdict(on.log, other.intent)).outcome).toBe('allow')
})
