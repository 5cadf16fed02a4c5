// The proxy on a server that holds each role to its own: with the credential of a door it asks,
// starts and ends calls for the agents that its user lists, and can do nothing else.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toolSecrets } from '#gateway/tools/secrets'
import { readData } from '#record/event'
import type { Runtime } from '#runtime/engine/runtime'
import { ToolServer } from '#schemas/action/driver'
import { connect } from '#client/connect'
import { behindAt } from '#mcp/behind'
import { doorName, openDoor } from '#mcp/door'
import { overHttp } from '#mcp/serving'
import { stages } from '#workers/stages'
import { canStartNats } from '../support/servers/nats-server.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import {
  agentsSetup,
  confirmerKey,
  deploy,
  startStages,
  type Deployment,
} from '../client/nats-client-scene.ts'
import { clientsOn, intentIn, outcomes, program } from './proxied.ts'

const server = ToolServer.parse({ id: 'fixture', command: [process.execPath, program, 'runs'] })
const tool = (id: string, more: object = {}) => ({
  id,
  description: id,
  safetyClass: 'READ' as const,
  argsSchema: { type: 'object', additionalProperties: true },
  ...more,
})
const { catalog, graph } = agentsSetup
const principals = catalog.principals.map((one) => {
  return one.id === 'confirmer' ? one : { ...one, roles: ['writer'], via: [doorName] }
})
const capabilities = [
  tool('test_simple_text'),
  tool('send', { safetyClass: 'WRITE' }),
  tool('leak', { driver: { kind: 'mcp', server: 'fixture', tool: 'leak' } }),
]

describe.skipIf(!canStartNats)('the proxy with the credential of a door', () => {
  let on: Deployment
  let runtime: Runtime
  beforeAll(async () => {
    const limits = capabilities.map(({ id: capability }) => {
      return { capability, uses: 'unlimited' as const, windowMs: 1 }
    })
    on = await deploy('roles', {
      graph,
      catalog: { principals, capabilities, limits, servers: [server] },
    })
    await startStages(on)
    runtime = await on.run('door-of-other', [])
  })
  afterAll(() => on.dispose())

  /** Before a server that the catalog has or not, in the name of that agent. */
  async function proxyFor(agent: string, isInCatalog = false) {
    const folder = await mkdtemp(join(tmpdir(), 'warrant-mcp-nats-'))
    const runs = join(folder, 'runs')
    await writeFile(runs, '')
    const command = [process.execPath, program, runs]
    const behind = behindAt({
      server: isInCatalog ? server : ToolServer.parse({ id: 'behind', command }),
      isInCatalog,
      secrets: toolSecrets({ variables: {}, folder: null }),
    })
    const client = await connect({ as: agent, runtime, via: doorName })
    const of = { runtime, client, agent, stages, behind, session: null, waitMs: 0 }
    const door = await openDoor({ ...of, importing: 'warrant mcp tools' })
    const front = overHttp(door.front, () => {})
    const { connected, left } = clientsOn(front)
    endWithTest(async () => {
      await left()
      await front.close()
      await door.close()
      await rm(folder, { recursive: true })
    })
    const ran = async () => (await readFile(runs, 'utf8')).split('\n').filter((one) => one !== '')
    return { client: await connected('auto'), ran }
  }

  test('has a call asked, started, run and ended, each fact through that door', async () => {
    const { client, ran } = await proxyFor('other')
    const answer = await client.callTool({ name: 'test_simple_text', arguments: {} })
    expect(answer.isError).not.toBe(true)
    expect(await ran()).toEqual(['test_simple_text'])
    const doors: unknown[] = []
    for await (const fact of runtime.log.read({})) {
      const kind = fact.name.split('.')[2]
      if (kind === 'vlp') doors.push(JSON.parse(Buffer.from(fact.bytes).toString())._extras)
      if (kind !== 'ownstart' && kind !== 'ownoutcome') continue
      expect(readData(kind, fact)).not.toBe(null)
      doors.push(JSON.parse(Buffer.from(fact.bytes).toString()).via)
    }
    expect(doors).toEqual([{ warrant_via: doorName }, doorName, doorName])
  })

  test('has people asked elsewhere, and a repeated call finds what they decided', async () => {
    const { client, ran } = await proxyFor('other')
    const call = () => client.callTool({ name: 'send', arguments: { to: 'ann' } })
    const intent = intentIn(await call())
    const note = 'Ann asked for it yesterday'
    const answer = { intent, confirmer: 'confirmer', privateKey: confirmerKey, note }
    const people = await on.client('confirmer', { stages: false })
    await people.decide({ ...answer, answers: true })
    expect((await call()).content).toEqual([{ type: 'text', text: 'sent to ann' }])
    expect(await ran()).toEqual(['send'])
  })

  test('is refused in the name of another agent, and nothing runs', async () => {
    const { client, ran } = await proxyFor('agent')
    const answer = await client.callTool({ name: 'test_simple_text', arguments: {} })
    expect(JSON.stringify(answer)).toContain('not_permitted')
    expect(await ran()).toEqual([])
  })

  test('is no gateway: what the catalog gives a driver is not carried out', async () => {
    const { client } = await proxyFor('other', true)
    const before = await outcomes(runtime)
    const answer = await client.callTool({ name: 'leak', arguments: {} })
    expect(JSON.stringify(answer)).toContain('not_permitted')
    expect(await outcomes(runtime)).toEqual(before)
  })
})
