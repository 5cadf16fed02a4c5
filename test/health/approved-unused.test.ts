// Calls that people approved and no one began: listed until they are forgotten, and counted once
// their time has ended.
import { expect, test } from 'vitest'
import { newMetrics } from '#health/metrics'
import { approvedUnused, unusedDays } from '#health/approved-unused'
import { weighingOn } from '#replay/verdicts/forged'
import { stages } from '#workers/stages'
import { answer, deletion, erase, judged, look, place } from '../support/scene.ts'
import { reason, reviewed, scene, verdict } from '../support/scene.ts'

const setup = {
  catalog: { capabilities: [look, erase] },
  graph: deletion({ name: 'ask' }),
}

async function approved() {
  const metrics = newMetrics()
  const on = await scene({ ...setup, parts: { observe: [metrics.observe] } })
  const unused = () => {
    const weighing = weighingOn(on.log, place, { stages, callbacks: null })
    return approvedUnused(on.log, place, { now: on.time.now, weighing })
  }
  const counted = async (): Promise<number> => {
    await on.runtime.follower.reached((await on.log.head()).position)
    const text = await metrics.text()
    return Number(/^warrant_approved_unused_total (\d+)$/m.exec(text)?.[1])
  }
  const approve = async (): Promise<string> => {
    const address = await reviewed(on, { intent: { tool: 'erase', justification: reason } })
    await answer(on, address)
    await verdict(on.log, address)
    return address
  }
  return { on, unused, counted, approve }
}

const minuteMs = 60_000

test('one that was not begun is listed with who approved it, and until when', async () => {
  const { on, unused, counted, approve } = await approved()
  await judged(on, { intent: { tool: 'look' } })
  expect(await unused()).toEqual([])
  const intent = await approve()
  const [found, ...more] = await unused()
  expect(more).toEqual([])
  expect(found).toMatchObject({ intent, tool: 'erase', by: ['olga'] })
  expect(found?.useBy).toBe((found?.approvedAt ?? 0) + 5 * minuteMs)
  expect(await counted()).toBe(0)
  on.time.pass(5 * minuteMs)
  expect(await counted()).toBe(0)
  on.time.pass(1)
  expect([await counted(), await counted()]).toEqual([1, 1])
  expect(await unused()).toHaveLength(1)
  on.time.pass(unusedDays * 24 * 60 * minuteMs)
  expect(await unused()).toEqual([])
})

test('one that was begun is neither', async () => {
  const { on, unused, counted, approve } = await approved()
  const intent = await approve()
  const bytes = Buffer.from('{}')
  await on.log.append({ name: `main.1.ownstart.${intent}`, bytes })
  expect(await unused()).toEqual([])
  on.time.pass(6 * minuteMs)
  expect(await counted()).toBe(0)
})
