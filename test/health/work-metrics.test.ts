// What Prometheus is given of verified work: open contracts, and agents that are out of standing.
import { expect, test } from 'vitest'
import { newMetrics } from '#health/metrics'
import {
  claims,
  contracted,
  done,
  folded,
  verificationOf,
  workScene,
} from '../support/work/work-scene.ts'

test('contracts count until they have ended, and agents from when they are suspended', async () => {
  const metrics = newMetrics()
  const on = await workScene({}, { parts: { observe: [metrics.observe] } })
  const numbers = async (): Promise<readonly string[]> => {
    await folded(on)
    const lines = (await metrics.text()).split('\n')
    return lines.filter((line) => /^warrant_(contracts|agents)/.test(line))
  }
  const contract = await contracted(on, { maxRetries: 1 })
  expect(await numbers()).toEqual([
    'warrant_contracts_open 1',
    'warrant_agents_suspended_by_standing 0',
  ])
  await claims(on, contract, await done(on, {}))
  await verificationOf(on, contract)
  expect(await numbers()).toEqual([
    'warrant_contracts_open 0',
    'warrant_agents_suspended_by_standing 1',
  ])
})
