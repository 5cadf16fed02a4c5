// The runtime in memory that the testing kit offers: one call opens it, time passes when the test
// says, and its facts can be read.
import { expect, onTestFinished, test } from 'vitest'
import { inMemory, type MemorySetup } from '#testing/in-memory'
import { testPublicKey } from '#testing/setup'
import { deletion, erase, look } from '../support/scene.ts'

const setup: MemorySetup = {
  catalog: {
    principals: [
      { id: 'agent', owner: 'ann' },
      { id: 'ann', keys: [testPublicKey('ann')] },
    ],
    capabilities: [look, erase],
    limits: [{ capability: 'look', uses: 1, windowMs: 1_000 }],
  },
  graph: deletion({ name: 'ask' }),
}

async function opened() {
  const memory = await inMemory(setup)
  onTestFinished(() => memory.stop())
  return memory
}

test('a client asks, and the log has what was decided', async () => {
  const memory = await opened()
  expect((await memory.client.ask({ tool: 'look' })).outcome).toBe('allow')
  const [verdict] = await memory.facts('main.1.verdict.>')
  expect(verdict).toMatchObject({ kind: 'verdict', data: { outcome: 'allow' } })
  const all = await memory.facts()
  const kinds = ['catalog', 'graph', 'vlp', 'grounding', 'rate', 'verdict']
  expect(all.map(({ kind }) => kind)).toEqual(kinds)
})

test('time stands still until it passes', async () => {
  const memory = await opened()
  const ask = () => memory.client.ask({ tool: 'look' })
  expect((await ask()).outcome).toBe('allow')
  expect((await ask()).reasons.map(({ code }) => code)).toEqual(['rate_limited'])
  memory.time.pass(1_000)
  expect((await ask()).outcome).toBe('allow')
})

test('a person decides, signed with a test key', async () => {
  const memory = await opened()
  const asked = memory.client.ask({ tool: 'erase' })
  const { name } = await memory.bound('main.1.review.>')
  await memory.settled()
  const [open] = await memory.client.reviews()
  expect(name).toBe(`main.1.review.${open?.intent}.1`)
  await memory.decide(open?.intent ?? '', 'ann')
  expect((await asked).confirmedBy).toEqual(['ann'])
})

test('another process goes on where one stopped', async () => {
  const memory = await opened()
  expect((await memory.client.ask({ tool: 'look' })).outcome).toBe('allow')
  await memory.stop()
  const next = await memory.another()
  onTestFinished(() => next.stop())
  const ann = await next.as('ann')
  expect((await ann.ask({ tool: 'look' })).outcome).toBe('allow')
  expect(await next.facts('main.1.verdict.>')).toHaveLength(2)
})
