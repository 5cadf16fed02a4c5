// Two deadlines, both by the log’s own time: by when to decide, and by when to use what was
// decided.
import { expect, test } from 'vitest'
import { Notifier } from '#log/delivery'
import { nameOf } from '#record/names'
import type { Log } from '#ports/log'
import { stages } from '#workers/stages'
import {
  answer,
  another,
  codes,
  deletion,
  erase,
  expectReplay,
  forge,
  names,
  place,
} from '../../support/scene.ts'
import { bound, reviewed, scene, verdict, type Scene } from '../../support/scene.ts'
import { logOf } from '../../support/wrapped-log.ts'

const decideWithinMs = 60_000
const useWithinMs = 30_000
const setup = {
  catalog: {
    capabilities: [erase],
    confirmations: [{ id: 'quick', tier: 'confirm' as const, decideWithinMs, useWithinMs }],
  },
  graph: deletion({ name: 'ask', confirmation: 'quick' }),
}
const intent = { tool: 'erase' }
const withoutConfirmation = stages.filter(({ name }) => name !== 'confirmation')

test('an answer one millisecond after the last moment counts for nothing', async () => {
  const on = await scene({ ...setup, stages: withoutConfirmation })
  const address = await reviewed(on, { intent })
  on.time.pass(decideWithinMs + 1)
  await decided(on, address)
  const live = await another(on, { stages })
  live.time.pass(0)
  expect(codes(await verdict(live.log, address))).toEqual(['review_expired'])
  await expectReplay(live)
})

test('an answer at the last moment counts', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent })
  on.time.pass(decideWithinMs)
  await answer(on, address)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  await expectReplay(on)
})

test('a review that no one answers expires after its last moment, and not before', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, { intent })
  on.time.pass(decideWithinMs)
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.verdict.>')).toEqual([])
  on.time.pass(1)
  const denied = await verdict(on.log, address)
  expect(codes(denied)).toEqual(['review_expired'])
  expect(denied.reasons[0]?.recover).toBe('fix')
  await expectReplay(on)
})

test('an answer in time counts though the worker comes after the deadline', async () => {
  const on = await scene({ ...setup, stages: withoutConfirmation })
  const address = await reviewed(on, { intent })
  on.time.pass(decideWithinMs)
  await answer(on, address)
  on.time.pass(useWithinMs)
  const live = await another(on, { stages })
  expect(await verdict(live.log, address)).toMatchObject({
    outcome: 'allow',
    confirmedBy: ['olga'],
  })
  await expectReplay(live)
})

test('an answer in time that no one used in time has expired', async () => {
  const on = await scene({ ...setup, stages: withoutConfirmation })
  const address = await reviewed(on, { intent })
  await answer(on, address)
  on.time.pass(useWithinMs + 1)
  const live = await another(on, { stages })
  expect(codes(await verdict(live.log, address))).toEqual(['review_expired'])
  await expectReplay(live)
})

test('what was agreed may be used until its last moment, however late it was released', async () => {
  const on = await scene({ ...setup, stages: withoutConfirmation })
  const address = await reviewed(on, { intent })
  await answer(on, address)
  const agreedAt = on.time.now
  on.time.pass(useWithinMs - 1)
  const live = await another(on, { stages })
  const { terms } = await verdict(live.log, address)
  expect(Date.parse(terms?.useBy ?? '')).toBe(agreedAt + useWithinMs)
})

test('a worker that has not folded an answer in time does not report that it expired', async () => {
  const on = await scene({ ...setup, stages: withoutConfirmation })
  const address = await reviewed(on, { intent })
  on.time.pass(decideWithinMs)
  // The worker follows the log as far as the review, and no further until it asks for the end.
  const gate = gated(nameOf(place, 'review', address, 1))
  const late = await another(on, { stages, wrap: gate.wrap })
  await answer(on, address)
  on.time.pass(1)
  gate.open()
  expect((await verdict(late.log, address)).outcome).toBe('allow')
})

test('a review whose answer is wanted before it is opened has expired at once', async () => {
  const on = await scene(setup)
  const replyBy = new Date(on.time.now - 1).toISOString()
  const address = await reviewed(on, { intent: { ...intent, replyBy } })
  on.time.pass(0)
  expect(codes(await verdict(on.log, address))).toEqual(['review_expired'])
})

// A log whose follower stops after that fact until it is released on.
function gated(name: string) {
  const notifier = new Notifier()
  const opened = notifier.wait()
  const wrap = (log: Log): Log => ({
    ...logOf(log),
    async *follow(from, signal) {
      for await (const fact of log.follow(from, signal)) {
        yield fact
        if (fact.name === name) await opened
      }
    },
  })
  return { wrap, open: () => notifier.ring() }
}

async function decided(on: Scene, address: string): Promise<void> {
  await forge(on, address, {})
  await bound(on.log, nameOf(place, 'decision', address, 1, 'olga'))
}
