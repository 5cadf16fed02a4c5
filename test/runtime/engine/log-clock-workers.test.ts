// Workers take their time from the log: what a machine's own clock says changes nothing that they
// derive where someone else stamps the facts.
import { expect, test } from 'vitest'
import type { Fact, Log } from '#ports/log'
import { logClock } from '#runtime/engine/log-clock'
import { silentLogger } from '#runtime/reporting/logger'
import { newState } from '#state/state'
import type { FoldListener } from '#runtime/engine/follower'
import { another, codes, deletion, erase, judged, look, names, place } from '../../support/scene.ts'
import { replayed, reviewed, say, scene, verdict, type Scene } from '../../support/scene.ts'
import { logOf } from '../../support/wrapped-log.ts'

const minute = 60_000
const hour = 60 * minute
const decideWithinMs = 10 * minute
const setup = {
  catalog: {
    capabilities: [look, erase],
    confirmations: [{ id: 'quick', tier: 'confirm' as const, decideWithinMs }],
  },
  graph: deletion({ name: 'ask', confirmation: 'quick' }),
}

/** The stages run on a machine whose clock is so far off; the log is stamped by the right one. */
async function stagesOff(offMs: number): Promise<Scene> {
  const on = await scene({ ...setup, stages: [] })
  const { time } = on
  const clock = { now: () => time.now + offMs, elapsed: () => time.now - 1_234 }
  const wrap = (log: Log): Log => ({
    ...logOf(log),
    head: async () => ({ ...(await log.head()), now: time.now }),
  })
  const { stages: _none, ...all } = { ...setup, stages: [] }
  await another({ ...on, setup: all }, { parts: { clock }, wrap })
  return on
}

test.each([3 * hour, -3 * hour])(
  'a clock that is %i ms off derives at the time of the log',
  async (off) => {
    const on = await stagesOff(off)
    on.time.pass(2 * hour)
    expect((await judged(on, { intent: { tool: 'look' } })).outcome).toBe('allow')
    const { findings, differences } = await replayed(on)
    expect(differences).toBe(0)
    expect(findings.counts).toMatchObject({ late: 0, overtaken: 0 })
  },
)

test('a review is open by the clock of the log, whatever the clock of the machine', async () => {
  const on = await stagesOff(3 * hour)
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  on.time.pass(decideWithinMs)
  await say(on.log, { as: 'honest', intent: { tool: 'look' } })
  await on.watch.settled(on.log)
  expect(await names(on.log, `main.1.verdict.${address}`)).toEqual([])
  on.time.pass(1)
  expect(codes(await verdict(on.log, address))).toEqual(['review_expired'])
})

/** A log and its follower, of which only times are of interest. */
function timesOf() {
  const state = newState(place)
  const listeners: FoldListener[] = []
  const reported = {
    server: 1_000_000,
    elapsed: 0,
    asked: 0,
    fact(appendedAt: number) {
      state.appendedAt = appendedAt
      const fact: Fact = { position: 1, name: 'main.1.x', bytes: new Uint8Array(), appendedAt }
      for (const listen of listeners) listen(fact, { parts: null, void: null }, state)
    },
  }
  const clock = () =>
    logClock({
      log: {
        head: async () => {
          reported.asked += 1
          return { position: 1, appendedAt: state.appendedAt, now: reported.server }
        },
      },
      follower: { state, listen: (listener) => (listeners.push(listener), () => undefined) },
      clock: { now: () => 42, elapsed: () => reported.elapsed },
      logger: silentLogger,
    })
  return { reported, clock }
}

test('it goes on by what has passed, and is never behind a fact', async () => {
  const { reported, clock } = timesOf()
  const time = await clock()
  expect(time.now()).toBe(1_000_000)
  reported.elapsed += 10_000
  expect(time.now()).toBe(1_010_000)
  reported.fact(1_010_500)
  expect(time.now()).toBe(1_010_500)
  // A fact that comes late takes nothing back.
  reported.elapsed += 1_000
  reported.fact(1_010_600)
  expect(time.now()).toBe(1_011_500)
})

test('it asks the log again each minute, so that two clocks do not drift apart', async () => {
  const { reported, clock } = timesOf()
  const time = await clock()
  reported.elapsed += 60_000
  reported.server += 59_000
  time.now()
  expect(reported.asked).toBe(1)
  reported.elapsed += 1
  time.now()
  await Promise.resolve()
  await Promise.resolve()
  expect(reported.asked).toBe(2)
  expect(time.now()).toBe(1_059_000)
})

test('it follows a log whose clock was set back', async () => {
  const { reported, clock } = timesOf()
  const time = await clock()
  reported.fact(9_000_000)
  expect(time.now()).toBe(9_000_000)
  reported.fact(1_000_100)
  expect(time.now()).toBe(1_000_100)
})
