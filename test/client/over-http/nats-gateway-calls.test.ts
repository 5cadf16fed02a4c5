// An agent whose own user on a server reads nothing but its own has its tools carried out by a
// gateway, which is another user there and is reached over HTTP.
import { expect, test } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { provingOn } from '#replay/verdicts/proving'
import { gatewayOn } from '#wiring/own-gateway'
import { serveGateway } from '#http/gateway/serving'
import { stages } from '#workers/stages'
import { newKey } from '../../support/runtime.ts'
import { look } from '../../support/scene.ts'
import { canStartNats } from '../../support/servers/nats-server.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { agentsSetup, deploy, startStages } from '../nats-client-scene.ts'
import { codeOf } from './over-http-scene.ts'

const agentKey = newKey()
const gateKey = newKey()
const list = { ...look, id: 'list', driver: { kind: 'local' as const, operation: 'list' } }
const setup = {
  ...agentsSetup,
  catalog: {
    ...agentsSetup.catalog,
    capabilities: [list],
    principals: [
      { id: 'confirmer' },
      { id: 'agent', owner: 'confirmer', keys: [publicKeyOf(agentKey)] },
      { id: 'gate', roles: ['issuer'], keys: [publicKeyOf(gateKey)] },
    ],
    limits: [{ capability: 'list', uses: 'unlimited' as const, windowMs: 1 }],
  },
}

test.skipIf(!canStartNats)('the gateway carries out what the agent was allowed', async () => {
  const on = await deploy('roles', setup)
  endWithTest(() => on.dispose())
  await startStages(on)
  const runtime = await on.run('gateway', [])
  const proving = provingOn(runtime, stages, null)
  endWithTest(async () => proving.stop())
  const ran: unknown[] = []
  const gateway = await gatewayOn(
    { runtime, proving },
    { tools: { list: (args) => [ran.push(args)] } },
  )
  const serving = await serveGateway({
    served: [{ runtime, proving, gateway }],
    close: () => gateway.close(),
    listen: { host: '127.0.0.1', port: 0 },
    issuerKey: gateKey,
  })
  endWithTest(() => serving.close(0))
  const logId = runtime.follower.state.log ?? ''
  const own = { reads: 'own' as const, privateKey: agentKey, logId }
  const { url } = serving
  const agent = await on.client('agent', { ...own, gateway: { url } })
  const asked = { tool: 'list', args: { of: 1 } }
  const { intent, handle, frame } = await agent.call(asked, { mode: 'table' })
  expect(frame.table).toEqual([{ value: 1 }])
  expect(ran).toEqual([{ of: 1 }])
  expect(await codeOf(agent.call(intent))).toBe('warrant_used')
  expect((await agent.expand(handle?.id ?? '')).mode).toBe('table')
  const without = await on.client('agent', own)
  expect(await codeOf(without.call(asked))).toBe('gateway_missing')
  expect(ran).toHaveLength(1)
})
