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
  const open = await answerTo(client, 'list_contracts')
  expect(open.data).toMatchObject({
    position: await on.head(),
    recorded: { count: 1, rows: [{ contract: address, worker: 'bot', waits: 'verifier' }] },
  })
  const one = await answerTo(client, 'show_contract', { contract: address })
  expect(one.data).toMatchObject({
    recorded: { contract: { state: 'open', attempts: [{ claim, found: null }] } },
  })
  expect(JSON.stringify(one.data)).not.toContain('eve@example.org')
  const bot = await answerTo(client, 'show_standing', { agent: 'bot' })
  expect(bot.data).toMatchObject({
    recorded: { standing: { agent: 'bot', value: 0.7, level: 'standard' }, steps: [] },
  })
})

test('what is no contract, and who is no principal, is refused', async () => {
  const on = await auditing({ catalog })
  const client = await on.auditor()
  const none = await answerTo(client, 'show_contract', { contract: 'bot.-.01X' })
  expect(none).toMatchObject({ isError: true, text: expect.stringContaining('no_contract') })
  const stranger = await answerTo(client, 'show_standing', { agent: 'stranger' })
  expect(stranger).toMatchObject({
    isError: true,
    text: expect.stringContaining('unknown_principal'),
  })
})
