// Junk under the names of verifiers, and who is suspended and asks about others.
import { expect, test } from 'vitest'
import { allStages } from '#workers/all-stages'
import { codes, another, judged } from '../../support/scene.ts'
import { newState } from '#state/state'
import { Fault } from '#record/fault'
import { failingLog } from '../../support/faulty-log.ts'
import { endedContracts } from '#client/work/contracts-shown'
import {
  claims,
  contracted,
  done,
  earned,
  folded,
  verificationOf,
  workScene,
} from '../../support/work/work-scene.ts'

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

test('what was taken for no contract under older rules is listed as none', () => {
  const noted = endedContracts()
  const message = {
    id: 'M-1',
    protocol: 'VLP/1.1',
    type: 'query',
    timestamp: '2026-01-01T00:00:00Z',
    confidence: 0.5,
    sender: 'bot',
    content: 'what of this?',
    payload: { contract: 'of sale' },
  }
  const fact = {
    name: 'main.1.vlp.bot.-.u1',
    bytes: Buffer.from(JSON.stringify(message)),
    position: 1,
    appendedAt: 0,
  }
  const place = { realm: 'main', era: 1 }
  const parts = { place, kind: 'vlp' as const, tokens: ['bot', '-', 'u1'], address: 'bot.-.u1' }
  noted.take(fact, { parts, void: null }, newState(place))
  expect(noted.all).toEqual([])
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
