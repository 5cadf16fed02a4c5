// Jobs of agents of which several have very many: each has its turn, however the others go on.
import { expect, test } from 'vitest'
import { Crowd } from '#log/crowd'

const job = (agent: string, index: number) => ({
  agent,
  fact: {
    name: `main.1.vlp.${agent}.-.${index}`,
    bytes: new Uint8Array(),
    position: index,
    appendedAt: 0,
  },
})

/** Many are under way all the while, and as soon as one of the others is taken its next comes. */
const underWay = 100

test('one that has most waiting is not left out while others go on', () => {
  const crowd = new Crowd<ReturnType<typeof job>>()
  const others = ['ann', 'ben', 'cleo']
  for (const agent of others) crowd.add(job(agent, 0))
  for (let index = 0; index < 500; index += 1) crowd.add(job('dora', index))
  crowd.add(job('ann', 1))
  const taken = new Map<string, number>()
  for (let index = 0; index < 1_000; index += 1) {
    const next = crowd.take(underWay)
    if (next === undefined) continue
    taken.set(next.agent, (taken.get(next.agent) ?? 0) + 1)
    if (next.agent !== 'dora') crowd.add(job(next.agent, index))
  }
  const least = Math.min(...others.map((agent) => taken.get(agent) ?? 0))
  // Three others have their turns, and it has one in nine.
  expect(taken.get('dora')).toBeGreaterThan(100)
  expect(least).toBeGreaterThan(250)
})

test('one alone is taken a few at a time while others may come', () => {
  const crowd = new Crowd<ReturnType<typeof job>>()
  for (let index = 0; index < 200; index += 1) crowd.add(job('dora', index))
  crowd.add(job('ann', 0))
  expect(crowd.take(underWay)?.agent).toBe('ann')
  expect(crowd.take(underWay)).toBeUndefined()
  expect(crowd.take(0)?.agent).toBe('dora')
})
