// An agent that waits on a server which holds it to the eras that there are: what it asks beyond
// them the server notes, where an operator looks for attacks.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OwnEras } from '#client/own/eras'
import { canStartNats, until } from '../support/servers/nats-server.ts'
import { agentsSetup, deploy, type Deployment } from './nats-client-scene.ts'

describe.skipIf(!canStartNats)('an agent that may not ask for the next era', () => {
  let on: Deployment
  beforeAll(async () => {
    on = await deploy('roles', agentsSetup, 1)
  })
  afterAll(() => on.dispose())

  test('leaves one line in the log of the server, however often it looks', async () => {
    const before = on.violations()
    const eras = new OwnEras(await on.ownLog('agent'), 'main')
    for (let look = 0; look < 20; look += 1) {
      await eras.find('verdict', 'agent.-.never', { from: 1, beyond: true })
    }
    await until(() => on.violations() > before)
    expect(on.violations() - before).toBe(1)
  })
})
