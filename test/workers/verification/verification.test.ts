// A contract from its message to the standing of its worker, and what does not count on the way.
import { describe, expect, test } from 'vitest'
import { jsonOf, type Json } from '#record/canonical'
import { writeEvent } from '#record/event'
import { startDraft } from '#state/slices/work/drafts'
import { allStages } from '#workers/all-stages'
import { another, expectReplay, say, bound, place, codes, judged } from '../../support/scene.ts'
import {
  claims,
  contracted,
  done,
  earned,
  folded,
  verificationOf,
  whyVoid,
  workScene,
  written,
  type WorkScene,
} from '../../support/work/work-scene.ts'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { namesBound } from '#record/roles'
import { replay } from '#replay/replay'
import { Fault } from '#record/fault'
import { failingLog } from '../../support/faulty-log.ts'
import { asked } from '../../operations/asking.ts'

describe('a contract', () => {
  test('ends with a score when its work is verified, and moves the standing of its worker', async () => {
    const on = await workScene()
    const contract = await contracted(on)
    await claims(on, contract, await done(on))
    const found = await verificationOf(on, contract)
    expect(found).toMatchObject({
      attempt: 1,
      issuer: 'grader',
      worker: 'bot',
      status: 'success',
      verification: 'verified',
      gateFailed: null,
      ended: { how: 'verified', score: 1, rule: 'verified_first', standing: { alpha: 0.3 } },
    })
    await folded(on)
    expect(earned(on)).toMatchObject({ value: 0.7 * 0.7 + 0.3, scored: 1, suspendedBy: null })
    expect(on.runtime.follower.state.contracts.size).toBe(0)
    await expectReplay(on)
  })

  test('takes another attempt after one that is refuted, which then scores 0.7', async () => {
    const on = await workScene()
    const contract = await contracted(on)
    await claims(on, contract, await done(on, { 'page.json': '{"title": ' }))
    const first = await verificationOf(on, contract)
    expect(first).toMatchObject({ verification: 'refuted', gateFailed: 'syntax', ended: null })
    await claims(on, contract, await done(on))
    const second = await verificationOf(on, contract, 2)
    expect(second.ended).toMatchObject({ how: 'verified', score: 0.7, rule: 'verified_retry' })
    await expectReplay(on)
  })

  test('ends with −1 when all attempts are refuted', async () => {
    const on = await workScene()
    const contract = await contracted(on, { maxRetries: 2 })
    const broken = await done(on, { 'page.json': '{"a"' })
    await claims(on, contract, broken)
    await verificationOf(on, contract)
    await claims(on, contract, broken)
    const { ended } = await verificationOf(on, contract, 2)
    expect(ended).toMatchObject({ how: 'attempts', score: -1, rule: 'refuted' })
    await folded(on)
    expect(earned(on)?.suspendedBy).not.toBeNull()
  })

  test('is not judged by other content than what is claimed', async () => {
    const on = await workScene()
    const contract = await contracted(on, { maxRetries: 1 })
    const completion = await done(on)
    await written(on, { 'page.json': '{"title": "another"}' })
    await claims(on, contract, completion)
    const { verification, gates, ended } = await verificationOf(on, contract)
    expect(verification).toBe('unverified')
    expect(gates).toMatchObject([{ gate: 'files', outcome: 'inconclusive', code: 'other_content' }])
    expect(ended).toMatchObject({ how: 'attempts', score: 0, rule: 'unverified' })
    await expectReplay(on)
  })

  test('that ends as blocked scores as honest, and at most 0 once an attempt was refuted', async () => {
    const on = await workScene()
    const blocked = { status: 'blocked', whatINeed: 'the title' }
    const honest = await contracted(on)
    await claims(on, honest, blocked)
    expect((await verificationOf(on, honest)).ended).toMatchObject({ how: 'blocked', score: 0.5 })
    const caught = await contracted(on)
    await claims(on, caught, await done(on, {}))
    await verificationOf(on, caught)
    await claims(on, caught, blocked)
    expect((await verificationOf(on, caught, 2)).ended).toMatchObject({ how: 'blocked', score: 0 })
    await expectReplay(on)
  })

  test('whose claim cannot be read counts as an attempt, and may be claimed again', async () => {
    const on = await workScene()
    const contract = await contracted(on)
    await claims(on, contract, { status: 'perfect' })
    expect(await verificationOf(on, contract)).toMatchObject({
      status: null,
      ended: null,
      gates: [],
    })
    await claims(on, contract, await done(on))
    expect((await verificationOf(on, contract, 2)).ended).toMatchObject({ score: 0.7 })
  })
})

describe('what does not count', () => {
  test.each([
    ['of an agent that is no issuer', { as: 'honest' }, {}, 'the catalog does not list `honest`'],
    ['of a worker’s own side', {}, { receiver: 'grader' }, 'its issuer is of the side'],
    ['without a worker', {}, { receiver: null }, 'it names no receiver'],
  ])('a contract %s', async (_title, saying, more, why) => {
    const on = await workScene()
    const payload = { contract: { taskId: 'T', objective: 'o', workspace: 'site' } }
    const message = { type: 'query', receiver: 'bot', content: 'please', payload, ...more }
    await say(on.log, { as: 'grader', message, ...saying })
    await folded(on)
    const { position } = await on.log.head()
    expect(on.runtime.follower.state.contracts.size).toBe(0)
    const voids: string[] = []
    for await (const fact of on.log.read({ from: position, to: position })) {
      voids.push(fact.name)
    }
    expect(voids).toHaveLength(1)
    expect(await whyVoid(on)).toContain(why)
  })

  test('a claim of someone else, one too many, and one for a contract that has ended', async () => {
    const on = await workScene({}, { stages: [] })
    const contract = await contracted(on, { maxRetries: 1 })
    await claims(on, contract, { status: 'success' }, 'honest')
    expect(await whyVoid(on)).toContain('not from the worker')
    await claims(on, contract, { status: 'success' })
    expect(await whyVoid(on)).toBeNull()
    await claims(on, contract, { status: 'success' })
    expect(await whyVoid(on)).toContain('all attempts')
  })
})

describe('time', () => {
  test('ends a contract that was never claimed, and moves nothing', async () => {
    const on = await workScene()
    const contract = await contracted(on, { claimWithinSeconds: 60 })
    await folded(on)
    on.time.pass(61_000)
    const { claim, ended } = await verificationOf(on, contract)
    expect({ claim, ended }).toEqual({
      claim: null,
      ended: { how: 'time', score: null, rule: null, standing: { unmoved: 'no_claim' } },
    })
    await folded(on)
    expect(earned(on)).toBeUndefined()
    await expectReplay(on)
  })

  test('ends one whose worker fell silent after it was refuted, and that is what it scores', async () => {
    const on = await workScene()
    const contract = await contracted(on, { claimWithinSeconds: 60 })
    await claims(on, contract, await done(on, {}))
    await verificationOf(on, contract)
    await folded(on)
    on.time.pass(61_000)
    const { ended } = await verificationOf(on, contract, 2)
    expect(ended).toMatchObject({ how: 'time', score: -1, rule: 'refuted' })
    await expectReplay(on)
  })

  test('lets another verifier begin when the first was lost', async () => {
    const on = await workScene({}, { stages: [] })
    const contract = await contracted(on, { timeoutSeconds: 1 })
    await claims(on, contract, await done(on))
    await folded(on)
    const address = contract.split('.').slice(3).join('.')
    const draft = startDraft(on.runtime.follower.state, address, on.time.now)
    if (draft === null) throw new Error('nothing to begin')
    const stamp = { source: 'warrant/verification/lost', time: iso(on.time.now), basis: 3 }
    const bytes = writeEvent(draft.kind, draft.name, jsonOf(draft.data), stamp)
    await on.log.append({ name: draft.name, bytes })
    const other = await another(on, { stages: allStages })
    await other.runtime.follower.reached((await on.log.head()).position)
    const { until } = draft.data
    on.time.pass(Date.parse(until) - on.time.now - 1_000)
    expect(on.runtime.follower.state.contracts.get(address)?.started.number).toBe(1)
    on.time.pass(2_000)
    expect((await verificationOf(on, contract)).verification).toBe('verified')
    expect(await on.log.get(`main.1.verificationstart.${address}.1.2`)).toBeDefined()
    await expectReplay(on)
  })
})

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

// What workers tried, or could try, to be believed without having earned it: each is shown to come
// to nothing in a log.

const forged = ['verification', 'verificationstart', 'reinstatement', 'catalog']

describe('a worker', () => {
  test.each(['agent', 'tool', 'desk', 'door', 'gateway', 'grounding', 'policy'] as const)(
    'as %s binds nothing that standing follows from',
    (role) => {
      const kinds = namesBound(role, place, '*').map((name) => name.split('.')[2])
      expect(kinds.filter((kind) => forged.includes(kind ?? ''))).toEqual([])
    },
  )

  test('that forges a verification in a log of its own is found by replay', async () => {
    const on = await workScene({}, { stages: [] })
    const contract = await contracted(on)
    await claims(on, contract, { status: 'blocked' })
    await folded(on)
    const address = contract.split('.').slice(3).join('.')
    const name = `main.1.verification.${address}.1`
    const data = {
      contract: { address, name: contract, digest: digestOfOpen(on) },
      issuer: 'grader',
      worker: 'bot',
      attempt: 1,
      claim: [...on.runtime.follower.state.contracts.values()][0]?.pending[0]?.name ?? '',
      status: 'success',
      sources: [],
      work: null,
      isolation: null,
      gates: [{ gate: 'files', outcome: 'pass', findings: [], warnings: [], evidence: {} }],
      verification: 'verified',
      gateFailed: null,
      layerFailed: null,
      ended: { how: 'verified', score: 1, rule: 'verified_first', standing: { alpha: 1 } },
    }
    const stamp = { source: 'warrant/verification/me', time: '2026-01-01T00:00:00.000Z', basis: 3 }
    await on.log.append({ name, bytes: writeEvent('verification', name, jsonOf(data), stamp) })
    const report = await replayed(on)
    expect(report.first).toMatchObject({ name })
    expect(report.differences).toBe(1)
  })

  test('cannot judge itself: neither it, nor its owner, nor another agent of that owner', async () => {
    const on = await workScene({ issuers: ['grader', 'bot', 'olga', 'twin'] })
    for (const as of ['bot', 'olga', 'twin']) {
      const payload = { contract: { taskId: 'T', objective: 'o', workspace: 'site' } }
      const message = { type: 'query', receiver: 'bot', content: 'please', payload }
      await say(on.log, { as, message })
      await folded(on)
      expect(on.runtime.follower.state.contracts.size).toBe(0)
    }
  })

  test.each<[string, Json]>([
    ['null', null],
    ['a list', []],
    ['a number', 7],
    ['a text', 'success'],
    ['nothing', {}],
    ['a status of its own', { status: 'SUCCESS' }],
    ['another task', { status: 'success', taskId: 'T-2' }],
    ['fields of its own', { status: 'success', score: 1 }],
    ['work that no workspace has', { status: 'success', work: { commit: 'a'.repeat(40) } }],
    ['paths out of the folder', { status: 'success', filesCreated: ['../../etc/passwd'] }],
  ])('that reports %s gets a verification, and no escape from one', async (_title, completion) => {
    const on = await workScene()
    const contract = await contracted(on, { maxRetries: 1 })
    await claims(on, contract, completion)
    const { verification, ended } = await verificationOf(on, contract)
    expect(verification).toBe('unverified')
    expect(ended?.score).toBeLessThanOrEqual(0)
    await expectReplay(on)
  })

  test('that takes a refuted attempt back by silence, or by other content, keeps what it earned', async () => {
    const on = await workScene()
    const contract = await contracted(on, { maxRetries: 2 })
    await claims(on, contract, await done(on, {}))
    await verificationOf(on, contract)
    const completion = { status: 'success', work: { digest: `sha256:${'0'.repeat(64)}` } }
    await claims(on, contract, completion)
    expect((await verificationOf(on, contract, 2)).ended).toMatchObject({ score: -1 })
  })
})

describe('verifiers', () => {
  test('that are many move a standing once for each contract', async () => {
    const on = await workScene()
    const others = [await another(on), await another(on), await another(on)]
    const completion = await done(on)
    const contracts: string[] = []
    for (let number = 0; number < 8; number += 1) contracts.push(await contracted(on))
    await Promise.all(contracts.map((contract) => claims(on, contract, completion)))
    await Promise.all(contracts.map((contract) => verificationOf(on, contract)))
    await folded(on)
    expect(earned(on)).toMatchObject({ scored: 8 })
    expect(earned(on)?.steps).toHaveLength(8)
    for (const { runtime } of others) {
      await runtime.follower.reached((await on.log.head()).position)
      expect(runtime.follower.state.standings).toEqual(on.runtime.follower.state.standings)
    }
    await expectReplay(on)
  })

  test('that cannot reach the workspace try again, and give up in the end', async () => {
    const on = await workScene()
    const contract = await contracted(on, { maxRetries: 1, timeoutSeconds: 1 })
    const completion = await done(on)
    await rm(on.folder, { recursive: true })
    await claims(on, contract, completion)
    const address = contract.split('.').slice(3).join('.')
    await bound(on.log, `main.1.verificationstart.${address}.1.1`)
    while (on.runtime.follower.state.contracts.size > 0) {
      on.time.pass(30_000)
      await pause(2)
    }
    expect(await on.log.get(`main.1.verificationstart.${address}.1.5`)).toBeDefined()
    const { verification, gates } = await verificationOf(on, contract)
    expect(verification).toBe('unverified')
    expect(gates).toMatchObject([{ outcome: 'error', code: 'verifier_failed' }])
    await expectReplay(on)
  })
})

function digestOfOpen(on: WorkScene): string {
  return [...on.runtime.follower.state.contracts.values()][0]?.digest ?? ''
}

function replayed({ log, runtime }: WorkScene) {
  const { callbacks } = runtime
  return replay({ log, place, rootKey: null, stages: allStages, callbacks })
}

// Junk under the names of verifiers, and who is suspended and asks about others.

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
