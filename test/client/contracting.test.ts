// A client that gives a task and one that claims it: what counts is published, and what would count
// for nothing is refused before it is in the log, for the reason that the fold would have.
import { expect, test } from 'vitest'
import { connect } from '#client/connect'
import {
  done,
  folded,
  verificationOf,
  workScene,
  type WorkScene,
} from '../support/work/work-scene.ts'
import { asked } from '../operations/asking.ts'

const task = {
  taskId: 'T-1',
  objective: 'write the page',
  workspace: 'site',
  requiredFiles: ['page.json'],
}

const clientOf = ({ runtime }: WorkScene, as: string) => connect({ as, runtime })

async function opened(on: WorkScene, contract: object = task) {
  const grader = await clientOf(on, 'grader')
  const { address, name } = await grader.contract({ worker: 'bot', contract })
  await folded(on)
  return { address, name, grader }
}

async function refused(code: string, act: Promise<unknown>, why: string): Promise<void> {
  await expect(act).rejects.toMatchObject({ code, message: expect.stringContaining(why) })
}

const shown = async ({ runtime }: WorkScene, contract: string) => {
  return (await asked(runtime, 'contract', { contract })).contract
}

test('a contract and its claim are published, verified, and shown with what was found', async () => {
  const on = await workScene()
  const { address, name } = await opened(on)
  expect((await asked(on.runtime, 'contracts')).rows).toMatchObject([
    { contract: address, message: name, taskId: 'T-1', worker: 'bot', waits: 'claim' },
  ])
  const claim = await on.bot.claim({ contract: address, completion: await done(on) })
  await verificationOf(on, name)
  await folded(on)
  expect(await shown(on, address)).toMatchObject({
    state: 'ended',
    terms: task,
    task,
    attempts: [{ attempt: 1, claim: claim.name, found: { verification: 'verified' } }],
    ended: { how: 'verified', score: 1 },
  })
  expect(await asked(on.runtime, 'standing', { agent: 'bot' })).toMatchObject({
    standing: { level: 'standard', scored: 1 },
    steps: [{ before: 0.7, scored: { score: 1, rule: 'verified_first' } }],
  })
  expect((await asked(on.runtime, 'standings')).rows).toContainEqual(
    expect.objectContaining({ agent: 'bot', scored: 1, suspendedBy: null }),
  )
})

test('a claim that no one looks at yet is shown as what it is', async () => {
  const on = await workScene({}, { stages: [] })
  const { address, name } = await opened(on)
  await on.bot.claim({ contract: name, completion: { status: 'blocked', whatINeed: 'a title' } })
  await folded(on)
  expect(await shown(on, address)).toMatchObject({
    state: 'open',
    waits: 'verifier',
    until: null,
    attempts: [{ attempt: 1, completion: { status: 'blocked' }, found: null }],
  })
})

test.each([
  ['a workspace that the catalog has not', { ...task, workspace: 'other' }, 'no workspace `other`'],
  ['no workspace', { taskId: 'T', objective: 'o' }, 'it names no workspace'],
  ['a field that no contract has', { ...task, budget: 1 }, 'budget'],
])('a contract with %s is refused', async (_title, contract, why) => {
  const on = await workScene()
  const { position } = await on.log.head()
  await refused('contract_refused', opened(on, contract), why)
  expect((await on.log.head()).position).toBe(position)
})

test('a contract of one who is no issuer is refused', async () => {
  const on = await workScene()
  const contract = { worker: 'honest', contract: task }
  await refused('contract_refused', on.bot.contract(contract), 'does not list `bot`')
})

test('a claim is refused that is another’s, late, one too many, or of nothing', async () => {
  const on = await workScene({}, { stages: [] })
  const { address } = await opened(on, { ...task, maxRetries: 1, claimWithinSeconds: 60 })
  const completion = { status: 'failed' }
  const honest = await clientOf(on, 'honest')
  await refused(
    'claim_refused',
    honest.claim({ contract: address, completion }),
    'not from the worker',
  )
  await refused(
    'claim_refused',
    on.bot.claim({ contract: 'grader.-.01X', completion }),
    'no contract that is open',
  )
  const nameless = on.bot.claim({ contract: address, completion: { status: 'success' } })
  await refused('claim_refused', nameless, 'a success names its work')
  await on.bot.claim({ contract: address, completion })
  await folded(on)
  await refused('claim_refused', on.bot.claim({ contract: address, completion }), 'all attempts')
  const late = await opened(on, { ...task, claimWithinSeconds: 60 })
  on.time.pass(60_000)
  const atLast = { contract: late.address, completion }
  on.time.pass(1)
  await refused('claim_refused', on.bot.claim(atLast), 'too late')
})

test('a message that asks for nothing is no contract', async () => {
  const on = await workScene({}, { stages: [] })
  const { address } = await on.bot.publish({ type: 'query', content: 'hello' })
  await refused('no_contract', shown(on, address), 'there is no contract')
  await refused('no_contract', shown(on, 'no.address'), 'there is no contract')
})

test('the story of a contract has its claims and what verifiers found', async () => {
  const on = await workScene()
  const { address, name } = await opened(on)
  const before = await on.bot.read('trace', { intent: address })
  expect(before).toMatchObject({ outcome: 'open' })
  await on.bot.claim({ contract: address, completion: await done(on, {}) })
  await verificationOf(on, name)
  await on.bot.claim({ contract: address, completion: { status: 'failed' } })
  await verificationOf(on, name, 2)
  await folded(on)
  const { steps, summary } = await on.bot.read('trace', { intent: address })
  const kinds = steps.map((step) => step.name.split('.')[2])
  const attempt = ['vlp', 'verificationstart', 'verification']
  expect(kinds).toEqual(['vlp', ...attempt, ...attempt])
  expect(summary).toBe(
    '`grader` gave `bot` the task “T-1”: its worker says that it failed, score -0.5',
  )
  expect(JSON.stringify(steps)).toContain('Attempt 1 of `bot` is refuted by the gate `files`')
})

test('the story of a contract that does not count has that in it', async () => {
  const on = await workScene({}, { stages: [] })
  const payload = { contract: { taskId: 'T', objective: 'o' } }
  const said = { type: 'query', receiver: 'honest', content: 'please', payload }
  const { address } = await on.bot.publish(said)
  await folded(on)
  const { outcome, summary } = await on.bot.read('trace', { intent: address })
  expect(outcome).toBe('none')
  expect(summary).toContain('counts for nothing')
  expect(await shown(on, address)).toMatchObject({ state: 'void', attempts: [] })
})
