// Junk under the names of verifiers, and who is suspended and asks about others.
import { expect, test } from 'vitest'
import { allStages } from '#workers/all-stages'
import { codes, another, bound, judged } from '../../support/scene.ts'
import { Fault } from '#record/fault'
import { failingLog } from '../../support/faulty-log.ts'
import {
  claims,
  contracted,
  done,
  earned,
  folded,
  verificationOf,
  workScene,
} from '../../support/work/work-scene.ts'
import { asked } from '../../operations/asking.ts'

test('junk under names of attempts and starts to come stops no contract', async () => {
  const on = await workScene({}, { stages: [] })
  const contract = await contracted(on, { maxRetries: 4 })
  const address = contract.split('.').slice(3).join('.')
  for (const name of [
    `verificationstart.${address}.1.2`,
    `verificationstart.${address}.3.1`,
    `verificationstart.${address}.3.2`,
    `verificationstart.${address}.3.x`,
    `verification.${address}.2`,
  ]) {
    await on.log.append({ name: `main.1.${name}`, bytes: Buffer.from('junk') })
  }
  await another(on, { stages: allStages })
  await claims(on, contract, await done(on, {}))
  expect((await verificationOf(on, contract, 1)).verification).toBe('refuted')
  await claims(on, contract, await done(on))
  const { ended, attempt } = await verificationOf(on, contract, 3)
  expect({ ended, attempt }).toMatchObject({ ended: { how: 'verified', score: 0.7 }, attempt: 3 })
  expect(await on.log.get(`main.1.verificationstart.${address}.3.3`)).toBeDefined()
  await folded(on)
  expect(earned(on)).toMatchObject({ scored: 1 })
  const { rows } = await asked(on.runtime, 'contracts', { state: 'ended' })
  expect(rows).toMatchObject([{ contract: address, looked: 3, ended: { score: 0.7 } }])
})

test('what counts for nothing ends no contract, wherever contracts are listed', async () => {
  const on = await workScene()
  const first = await contracted(on)
  await claims(on, first, await done(on))
  await verificationOf(on, first)
  const second = await contracted(on, { claimWithinSeconds: 5 })
  const [from = '', to = ''] = [first, second].map((name) => name.split('.').slice(3).join('.'))
  const fact = await bound(on.log, `main.1.verification.${from}.1`)
  const forged = Buffer.from(fact.bytes).toString().replaceAll(from, to)
  await on.log.append({ name: `main.1.verification.${to}.1`, bytes: Buffer.from(forged) })
  await folded(on)
  on.time.pass(6_000)
  expect((await verificationOf(on, second, 2)).ended).toMatchObject({ how: 'time' })
  await folded(on)
  const { rows } = await asked(on.runtime, 'contracts', { state: 'ended' })
  expect(rows.map(({ contract, ended }) => [contract, ended?.how])).toEqual([
    [to, 'time'],
    [from, 'verified'],
  ])
})

test('a contract that cannot be ended keeps no other from its end', async () => {
  let broken = ''
  const append = (name: string): Fault | null => {
    const isIt = broken !== '' && name === `main.1.verification.${broken}.1`
    return isIt ? new Fault('log_unreachable', 'not now') : null
  }
  const on = await workScene({}, { wrap: (log) => failingLog(log, { append }) })
  const first = await contracted(on, { claimWithinSeconds: 5 })
  broken = first.split('.').slice(3).join('.')
  const second = await contracted(on, { claimWithinSeconds: 5 })
  await folded(on)
  on.time.pass(6_000)
  expect((await verificationOf(on, second)).ended).toMatchObject({ how: 'time' })
  broken = ''
  on.time.pass(31_000)
  expect((await verificationOf(on, first)).ended).toMatchObject({ how: 'time' })
})

test('who is suspended asks about no one else either', async () => {
  const who = { type: 'user', who: { role: 'staff' } }
  const on = await workScene({ start: 0.3, agents: [{ principal: 'asker' }] }, {}, [
    { id: 'asker', owner: 'olga', evaluates: { subjects: [who] } },
    { id: 'ann', roles: ['staff'] },
  ])
  const asks = () => {
    const subject = { type: 'user', id: 'ann' }
    return judged(on, { as: 'asker', intent: { tool: 'look', subject } })
  }
  expect((await asks()).outcome).toBe('allow')
  const contract = await contracted(on, { maxRetries: 1 }, { receiver: 'asker' })
  await claims(on, contract, await done(on, {}), 'asker')
  await verificationOf(on, contract)
  await folded(on)
  const refused = await asks()
  expect(codes(refused)).toEqual(['agent_suspended'])
  expect(refused.reasons[0]).toMatchObject({ params: { principal: 'asker', cause: 'standing' } })
})
