// Observe mode: everything is decided and recorded, nothing is stopped, and it warns about that.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readEvent } from '#record/event'
import type { VerdictData } from '#schemas/facts'
import { bound, codes, deletion, erase, expectReplay, look, names } from '../support/scene.ts'
import { recoveries, scene, type Scene, type SceneSetup } from '../support/scene.ts'

const Line = z.looseObject({ level: z.number(), msg: z.string() })
const warning = 40

const setup: SceneSetup = {
  catalog: { capabilities: [look, erase], learning: true, rules: 5 },
  graph: deletion({ name: 'ask' }),
}

async function observing(changed: SceneSetup = {}) {
  const lines: z.infer<typeof Line>[] = []
  const write = (line: string): void => void lines.push(Line.parse(JSON.parse(line)))
  const logger = pino({ level: 'info' }, { write })
  const on = await scene({ ...setup, ...changed, parts: { logger } })
  const warned = () => lines.filter(({ level }) => level >= warning)
  return { on, warned }
}

async function verdictIn(on: Scene): Promise<VerdictData> {
  const [name = ''] = await names(on.log, 'main.1.verdict.>')
  const reading = readEvent('verdict', await bound(on.log, name))
  if (!reading.ok) throw new Error(reading.why)
  return reading.event.data
}

test('what would have been refused runs, is recorded as observed, and is warned of', async () => {
  const { on, warned } = await observing()
  const guarded = on.bot.guard('look', (args: object) => args, { enforce: false })
  expect(warned()).toMatchObject([{ capability: 'look', msg: expect.stringContaining('enforced') }])
  expect(await guarded({ path: 'a' }, { concepts: ['moon'] })).toEqual({ path: 'a' })
  expect(await verdictIn(on)).toMatchObject({
    outcome: 'deny',
    observed: true,
    terms: null,
    reasons: [{ code: 'ungrounded' }],
  })
  expect(warned()).toMatchObject([{}, { capability: 'look', codes: ['ungrounded'] }])
  await expectReplay(on)
})

test('what would have been allowed is recorded as observed too, and permits nothing', async () => {
  const { on, warned } = await observing()
  expect(await on.bot.guard('look', () => 7, { enforce: false })({})).toBe(7)
  expect(await verdictIn(on)).toMatchObject({ outcome: 'allow', observed: true, terms: null })
  expect(warned()).toHaveLength(1)
})

test('no one is asked, and nothing waits for learning', async () => {
  const { on } = await observing()
  const guarded = on.bot.guard('erase', () => 'ran', { enforce: false })
  expect(await guarded({})).toBe('ran')
  expect(await guarded({}, { concepts: ['moon'], onGap: 'learn' })).toBe('ran')
  expect(await names(on.log, 'main.1.review.>')).toEqual([])
  expect(await names(on.log, 'main.1.hold.>')).toEqual([])
  const [reason, ...more] = (await verdictIn(on)).reasons
  expect(reason).toMatchObject({ code: 'no_confirmer', params: { cause: 'not_asked' } })
  expect(more).toEqual([])
  await expectReplay(on)
})

test('where there is no one to ask, the verdict says that and not that no one was asked', async () => {
  const noOne = deletion({ name: 'ask', confirmation: 'no-one' })
  const { on } = await observing({ graph: noOne })
  expect(await on.bot.guard('erase', () => 'ran', { enforce: false })({})).toBe('ran')
  const { reasons } = await verdictIn(on)
  expect(reasons).toMatchObject([{ code: 'no_confirmer', params: { cause: 'none_eligible' } }])
})

test('a log of older rules does not distinguish the two, and replays as it was', async () => {
  const { on } = await observing({ catalog: { ...setup.catalog, rules: 3 } })
  expect(await on.bot.guard('erase', () => 'ran', { enforce: false })({})).toBe('ran')
  const { reasons } = await verdictIn(on)
  expect(reasons).toMatchObject([{ code: 'no_confirmer', params: { cause: 'none_eligible' } }])
  await expectReplay(on)
})

test('the outcome is recorded as the agent’s own word, and no warrant is redeemed', async () => {
  const { on } = await observing()
  const broken = on.bot.guard('look', () => Promise.reject(new RangeError('no')), {
    enforce: false,
  })
  await expect(broken({})).rejects.toThrow(RangeError)
  const [name = ''] = await names(on.log, 'main.1.ownoutcome.>')
  const reading = readEvent('ownoutcome', await bound(on.log, name))
  expect(reading).toMatchObject({ event: { data: { outcome: 'failed' } } })
  expect(await names(on.log, 'main.1.ownstart.>')).toEqual([])
})

test('where no verdict comes it runs all the same, soon, and that is warned of', async () => {
  const { on, warned } = await observing({ stages: [] })
  const running = on.bot.guard('look', () => 7, { enforce: false })({})
  for await (const fact of on.log.follow(1, new AbortController().signal)) {
    if (fact.name.startsWith('main.1.vlp.')) break
  }
  await new Promise((resolve) => setImmediate(resolve))
  on.time.pass(5_000)
  expect(await running).toBe(7)
  expect(warned().at(-1)?.msg).toContain('no verdict')
})

test('where the log cannot be reached it runs all the same', async () => {
  const { on, warned } = await observing()
  const guarded = on.bot.guard('look', () => 7, { enforce: false })
  await on.runtime.stop()
  expect(await guarded({})).toBe(7)
  expect(warned().at(-1)?.msg).toContain('no verdict')
})

test('arguments that cannot be judged are the caller’s own, and run as they are', async () => {
  const { on, warned } = await observing()
  class Path {
    readonly parts = ['a', 'b']
    text(): string {
      return this.parts.join('/')
    }
  }
  const guarded = on.bot.guard('look', (path: Path) => path.text(), { enforce: false })
  expect(await guarded(new Path())).toBe('a/b')
  const later = on.bot.guard('look', ({ go }: { go: () => number }) => go(), {
    enforce: false,
  })
  expect(await later({ go: () => 7 })).toBe(7)
  expect(warned().at(-1)?.msg).toContain('no verdict')
})

test('an observed intent takes its part of the limits, so that they show what they would do', async () => {
  const limits = [{ capability: 'look', uses: 1, windowMs: 60_000 }]
  const { on } = await observing({ catalog: { capabilities: [look], limits } })
  const guarded = on.bot.guard('look', () => 7, { enforce: false })
  expect([await guarded({}), await guarded({})]).toEqual([7, 7])
  const observed = await Promise.all(
    (await names(on.log, 'main.1.verdict.>')).map(async (name) => {
      return on.bot.verdict(name.slice('main.1.verdict.'.length))
    }),
  )
  expect(observed.map(codes)).toEqual([[], ['rate_limited']])
  expect(observed.flatMap(recoveries)).toEqual(['rate_limited wait'])
})
