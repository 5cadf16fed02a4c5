// A contract from its message to the standing of its worker, and what does not count on the way.
import { describe, expect, test } from 'vitest'
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { startDraft } from '#state/slices/work/drafts'
import { allStages } from '#workers/all-stages'
import { another, expectReplay, say } from '../../support/scene.ts'
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
} from '../../support/work/work-scene.ts'

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
