// What auditors are answered about contracts and standings, as the commands show it.
import { expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { connect } from '#client/connect'
import { answerTo, auditing, hostile } from './auditing.ts'

const catalog = {
  rules: newestRules,
  principals: [{ id: 'grader' }],
  work: { issuers: ['grader'], workspaces: [{ id: 'site', folder: '/srv/site' }], probation: 0 },
}

test('open contracts, one with its attempts, and where agents stand', async () => {
  const on = await auditing({ catalog })
  const grader = await connect({ as: 'grader', runtime: on.runtime })
  const contract = { taskId: 'T-1', objective: hostile, workspace: 'site' }
  const { address } = await grader.contract({ worker: 'bot', contract })
  const completion = { status: 'blocked', whatINeed: hostile }
  const { name: claim } = await on.bot.claim({ contract: address, completion })
  const client = await on.auditor()
  const open = await answerTo(client, 'open_contracts')
  expect(open.data).toMatchObject({
    head: await on.head(),
    open: 1,
    recorded: { contracts: [{ contract: address, worker: 'bot', waits: 'verifier' }] },
  })
  const one = await answerTo(client, 'show_contract', { contract: address })
  expect(one.data).toMatchObject({
    state: 'open',
    attempts: 1,
    recorded: { contract: { attempts: [{ claim, found: null }] } },
  })
  expect(JSON.stringify(one.data)).not.toContain('eve@example.org')
  const all = await answerTo(client, 'show_standings', { agent: 'bot' })
  expect(all.data).toMatchObject({
    agents: 1,
    recorded: { standings: [{ agent: 'bot', value: 0.7, level: 'standard', steps: [] }] },
  })
})

test('what is no contract, and who is no principal, is refused', async () => {
  const on = await auditing({ catalog })
  const client = await on.auditor()
  const none = await answerTo(client, 'show_contract', { contract: 'bot.-.01X' })
  expect(none).toMatchObject({ isError: true, text: expect.stringContaining('no_contract') })
  const stranger = await answerTo(client, 'show_standings', { agent: 'stranger' })
  expect(stranger).toMatchObject({
    isError: true,
    text: expect.stringContaining('unknown_principal'),
  })
})
