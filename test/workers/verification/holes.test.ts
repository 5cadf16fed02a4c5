// What workers tried, or could try, to be believed without having earned it: each is shown to come
// to nothing in a log.
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { jsonOf, type Json } from '#record/canonical'
import { writeEvent } from '#record/event'
import { namesBound } from '#record/roles'
import { replay } from '#replay/replay'
import { allStages } from '#workers/all-stages'
import { another, bound, expectReplay, place, say } from '../../support/scene.ts'
import {
  claims,
  contracted,
  done,
  earned,
  folded,
  verificationOf,
  workScene,
  type WorkScene,
} from '../../support/work/work-scene.ts'

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
