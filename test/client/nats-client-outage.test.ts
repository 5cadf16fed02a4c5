// A client that folds the log, while its server is gone for less than the client waits: what it
// asks is answered, each once; and what fails all the same names the intent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Verdict } from '#replay/verdicts/verdict'
import { canStartNats } from '../support/servers/nats-server.ts'
import { agentsSetup, deploy, startStages, type Deployment } from './nats-client-scene.ts'

describe.skipIf(!canStartNats)('a server that is gone for a while', () => {
  let on: Deployment
  beforeAll(async () => {
    on = await deploy('no_roles', agentsSetup)
  })
  afterAll(() => on.dispose())

  test('loses no request of a client that goes on asking', async () => {
    const running = await startStages(on)
    const agent = await on.client('agent', { reads: 'all' })
    const asking: Promise<Verdict>[] = []
    const ask = (from: number): void => {
      for (let n = 0; n < 40; n += 1) {
        asking.push(agent.ask({ tool: 'look', args: { n: from + n } }))
        asking.push(agent.ask({ tool: 'look', args: { n: from + n }, concepts: ['moon'] }))
      }
    }
    ask(0)
    await on.crash(() => ask(100))
    const verdicts = await Promise.all(asking)
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(
      asking.map((_, index) => (index % 2 === 0 ? 'allow' : 'deny')),
    )
    expect(new Set(verdicts.map(({ intent }) => intent)).size).toBe(asking.length)
    for (const runtime of running) await runtime.stop()
  })

  test('is named with the intent, where it is gone for longer', async () => {
    const agent = await on.client('agent', { reads: 'all' })
    let failed: Promise<unknown> = Promise.resolve()
    await on.crash(() => {
      failed = agent.ask({ tool: 'look' }, { waitMs: 1 }).catch((error: unknown) => error)
    })
    const error = await failed
    expect(error).toMatchObject({ intent: expect.stringMatching(/^agent\.-\./) })
  })
})
