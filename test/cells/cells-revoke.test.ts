// A revocation is a fact of the control log: bound in one cell, it stops what was allowed in each
// of them before it came there, and it is void or sound in all alike.
import { expect, test } from 'vitest'
import { controlPlace } from '#record/names'
import { Principal } from '#schemas/catalog'
import { connect } from '#client/connect'
import { keys } from '../support/runtime.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { agentOfCell, memoryStand, replayed, until } from './memory-stand.ts'

const agents = ['red', 'blue', 'green', 'white', 'black'].map((fleet) =>
  Principal.parse({ id: `agent-${fleet}`, owner: 'olga', attributes: { fleet } }),
)
const look = { id: 'look', safetyClass: 'READ' as const }
const setup = { catalog: { cells: 2, capabilities: [look], principals: agents } }

test('a revocation in one cell stops what each cell allowed before', async () => {
  const at = await memoryStand(setup)
  endWithTest(() => at.dispose())
  const waiting = await Promise.all(
    at.on.map(async (there, cell) => {
      const { runtime } = there
      const client = await connect({ as: agentOfCell(there, agents, cell), runtime })
      let runs = 0
      const guarded = client.guard('look', () => (runs += 1))
      const verdict = await client.ask({ tool: 'look' })
      expect(verdict.outcome).toBe('allow')
      return { client, guarded, verdict, runs: () => runs, runtime }
    }),
  )
  const [first] = waiting
  if (first === undefined) throw new Error('there is a cell')
  const target = { capability: 'look' }
  const { name } = await first.client.revoke({ target, by: 'root', privateKey: keys.root })
  expect(name.startsWith(`${controlPlace('main-c0').realm}.1.revocation.`)).toBe(true)
  const own = { verdict: waiting[1]?.verdict.name ?? '' }
  await first.client.revoke({ target: own, by: 'olga', privateKey: keys.olga })
  for (const { guarded, verdict, runs, runtime } of waiting) {
    await until(() => runtime.follower.state.revocations.size === 2)
    const redeemed = guarded.redeem(verdict.intent)
    await expect(redeemed).rejects.toMatchObject({ code: 'warrant_revoked' })
    expect(runs()).toBe(0)
  }
  for (const [cell, log] of at.cells.logs.entries()) {
    const report = await replayed(log, `main-c${cell}`)
    expect(report).toMatchObject({ differences: 0, voidCount: 0 })
  }
})
