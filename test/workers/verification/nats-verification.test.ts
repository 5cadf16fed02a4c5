// Verified work on a real server: the issuer, the worker and two verifiers are users of their own,
// and none of them may do what another's part is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { nameOf } from '#record/names'
import { readData } from '#record/event'
import { replay } from '#replay/replay'
import type { Runtime } from '#runtime/engine/runtime'
import { allStages } from '#workers/all-stages'
import { verification } from '#workers/verification/worker'
import type { Warrant } from '#client/warrant'
import { canStartNats } from '../../support/servers/nats-server.ts'
import { place } from '../../support/scene.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { written } from '../../support/work/work-scene.ts'
import {
  agentsSetup,
  deploy,
  startStages,
  type Deployment,
} from '../../client/nats-client-scene.ts'

describe.skipIf(!canStartNats)('verified work on a server', () => {
  let on: Deployment
  let folder: string
  let issuer: Warrant
  let worker: Warrant
  let running: readonly Runtime[]
  beforeAll(async () => {
    folder = await temporaryFolder()
    const { principals } = agentsSetup.catalog
    const catalog = {
      ...agentsSetup.catalog,
      rules: newestRules,
      principals: [
        ...principals.filter(({ id }) => id !== 'other'),
        { id: 'other' },
        { id: 'grader', owner: 'confirmer' },
      ],
      work: { issuers: ['other'], workspaces: [{ id: 'site', folder }], start: 0.3 },
    }
    on = await deploy('roles', { ...agentsSetup, catalog })
    running = await startStages(on)
    // Both race for each claim, and one of them is quicker.
    for (let count = 0; count < 2; count += 1) await on.run('verification', [verification])
    issuer = await on.client('other', { reads: 'own' })
    worker = await on.client('agent', { reads: 'own' })
  })
  afterAll(() => on.dispose())

  async function contracted(): Promise<string> {
    const contract = {
      taskId: 'T-1',
      objective: 'write the page',
      workspace: 'site',
      requiredFiles: ['page.json'],
      maxRetries: 1,
    }
    const message = {
      type: 'query',
      receiver: 'agent',
      content: 'please',
      confidence: 0.5,
    } as const
    return (await issuer.publish({ ...message, payload: { contract } })).name
  }

  async function claimed(contract: string, completion: Record<string, unknown>) {
    const payload = { completion }
    await worker.publish({
      type: 'claim',
      content: 'done',
      confidence: 0.5,
      refers_to: contract,
      payload,
    })
    const tokens = contract.split('.').slice(3)
    const name = nameOf(place, 'verification', ...tokens, 1)
    const [runtime] = running
    if (runtime === undefined) throw new Error('no stage runs')
    await expect.poll(() => runtime.log.get(name)).toBeDefined()
    const fact = await runtime.log.get(name)
    await runtime.follower.reached(fact?.position ?? 0)
    return readData('verification', fact)
  }

  test('is looked at once, and moves what its worker may do', async () => {
    const digest = await written({ folder }, { 'page.json': '{}' })
    const good = await claimed(await contracted(), { status: 'success', work: { digest } })
    expect(good?.ended).toMatchObject({ score: 1, standing: { alpha: 0.3 } })
    expect((await worker.ask({ tool: 'look' })).outcome).toBe('allow')
    const empty = await written({ folder }, { 'other.json': '{}' })
    const bad = await claimed(await contracted(), { status: 'success', work: { digest: empty } })
    expect(bad).toMatchObject({ gateFailed: 'files', ended: { score: -1 } })
    const refused = await worker.ask({ tool: 'look' })
    expect(refused.reasons).toMatchObject([
      { code: 'agent_suspended', params: { cause: 'standing' } },
    ])
  })

  test('is derived again by an auditor', async () => {
    const { log, callbacks } = await on.run('auditor', [])
    const report = await replay({ log, place, callbacks, rootKey: null, stages: allStages })
    expect(report).toMatchObject({ differences: 0 })
    expect(report.readBack).toBeGreaterThan(1)
  })
})
