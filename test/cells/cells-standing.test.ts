// Where agents stand over several cells: each of them once, as it stands in its own cell, though
// all cells have the whole catalog and the cell that an agent has left keeps what it had earned.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { realmOf } from '#client/asked'
import { standingsAsked } from '#schemas/operations/standings'
import { withScore } from '#work/contracts/standings'
import { standingsAnswered } from '#operations/agents/standings'
import { canStartNats } from '../support/servers/nats-server.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { look } from '../support/scene.ts'
import { commands, type Commands } from './commands.ts'
import { agentOfCell, memoryStand } from './memory-stand.ts'
import { agentOf, agents } from './stand.ts'

// Each scene has a bot of its own beside them.
const owned = [...agents.map(({ id }) => id), 'bot'].toSorted()
const work = { issuers: ['guard'], workspaces: [{ id: 'site', folder: '/srv/site' }] }

test('what an agent earned in a cell that it has left is listed where it is now', async () => {
  const principals = [...agents, { id: 'guard' }]
  const at = await memoryStand({
    catalog: { cells: 2, rules: newestRules, capabilities: [look], principals, work },
  })
  endWithTest(() => at.dispose())
  const moved = agentOfCell(at.control, agents, 1)
  const logs = at.on.map(({ runtime: { follower, log } }, cell) => {
    const { catalog, standings } = follower.state
    const scores = cell === 0 ? [-1, -1, -1] : [1]
    const earned = scores.reduce((before, score, index) => {
      const step = { name: `it-${index}`, position: index + 1, appendedAt: index }
      const of = { agent: moved, at: step }
      const scored = { score, rule: 'verified_first' as const, alpha: 0.3 }
      return withScore({ catalog, standings: before }, of, scored)
    }, standings)
    return { log, cell, state: { ...follower.state, standings: earned } }
  })
  const by = { principal: null, readsAll: true }
  const { answer } = await standingsAnswered.ask({ realm: realmOf(logs, 0), by }, {})
  expect(answer.rows.map(({ agent }) => agent).toSorted()).toEqual(owned)
  const row = answer.rows.find(({ agent }) => agent === moved)
  expect(row).toMatchObject({ scored: 1, cell: 1, suspendedBy: null })
})

describe.skipIf(!canStartNats)('`warrant standing` over two cells', () => {
  let on: Commands

  beforeAll(async () => {
    on = await commands({ catalog: { rules: newestRules, work } })
  })
  afterAll(() => on.at.dispose())

  test('prints each agent once, with its cell', async () => {
    const [answer] = await on.printed('standing')
    const { rows } = standingsAsked.output.parse(answer)
    expect(rows.map(({ agent }) => agent).toSorted()).toEqual(owned)
    for (const cell of [0, 1]) {
      expect(rows.find(({ agent }) => agent === agentOf(on.at, cell))).toMatchObject({ cell })
    }
    const { stdout } = await on.called('standing')
    expect(stdout.match(/^[01] +(agent-|bot)/gm)).toHaveLength(owned.length)
  })
})
