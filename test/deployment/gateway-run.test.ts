// A gateway as docs/run/deploy.md sets one up, on a real server with the accounts made for it and a
// realm of two cells: the stages, the gateway and the agent are each a process and a user of their
// own, and the gateway is killed while it calls.
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { stages } from '#workers/stages'
import { runChild, says, start } from '../support/cli-process.ts'
import type { RunOptions } from '../support/cli-runner.ts'
import { canStartNats, freePort, startNats, until } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'
import { endWithFile } from '../support/vitest/endings.ts'

const secret = 'tok_4f1d9a7c55'

interface Call {
  readonly url: string
  readonly authorization: string | undefined
  readonly key: string | undefined
  /** Answers it. */
  readonly answer: () => void
}

/** A backend that answers what it is asked when the test lets it, or at once. */
async function backend() {
  const calls: Call[] = []
  const given = { isHeld: false }
  const answered = (response: ServerResponse) => () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify([{ id: 1, mail: 'ann@example.org', total: 3 }]))
  }
  const server = createServer(({ url = '', headers }, response) => {
    const key = headers['idempotency-key']?.toString()
    const answer = answered(response)
    calls.push({ url, authorization: headers.authorization, key, answer })
    if (!given.isHeld) answer()
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  endWithFile(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { calls, given, host: `127.0.0.1:${port}` }
}

const capability = (id: string, arg: string, more: object) => ({
  id,
  description: id,
  safetyClass: 'READ',
  concepts: [],
  argsSchema: { type: 'object', properties: { [arg]: {} }, required: [arg] },
  ...more,
})

interface Folder {
  readonly folder: string
  readonly url: string
  /** As the user whose seed that is. */
  readonly as: (user: string, more?: Readonly<Record<string, string>>) => RunOptions
}

async function printed(words: readonly string[], options: RunOptions): Promise<string> {
  const ran = await runChild(words, options)
  expect(ran, `${words.join(' ')}: ${ran.stderr}`).toMatchObject({ code: 0 })
  return ran.stdout
}

const KeyMade = z.looseObject({ publicKey: z.string() })

/** Writes the seed: an agent with a key, and tools by HTTP and as a program. */
async function seedIn({ folder }: Folder, host: string): Promise<void> {
  const newKey = async (name: string): Promise<string> => {
    const made = await printed(['keys', 'new', name, '--json'], { cwd: folder })
    return KeyMade.parse(JSON.parse(made)).publicKey
  }
  const orders = {
    kind: 'http',
    method: 'GET',
    url: `http://${host}/orders`,
    query: ['count'],
    headers: { Authorization: 'Bearer ${secret:CRM_TOKEN}' },
    privateHosts: [host],
  }
  const say = { kind: 'shell', command: ['printf', '%s\\nand\\nmore', '${args:/word}'] }
  const catalog = {
    cells: 2,
    principals: [
      { id: 'you', roles: ['policy-admin'], keys: [await newKey('you')] },
      { id: 'my-agent', roles: ['writer'], owner: 'you', keys: [await newKey('my-agent')] },
      { id: 'crm-gateway' },
    ],
    capabilities: [
      capability('list_orders', 'count', { driver: orders, execution: { idempotent: true } }),
      capability('say', 'word', { driver: say }),
    ],
    limits: ['list_orders', 'say'].map((id) => ({
      capability: id,
      uses: 'unlimited',
      windowMs: 60_000,
    })),
  }
  mkdirSync(join(folder, 'secrets'), { mode: 0o700 })
  writeFileSync(join(folder, 'secrets', 'CRM_TOKEN'), secret, { mode: 0o600 })
  mkdirSync(join(folder, 'seed'))
  writeFileSync(join(folder, 'seed', 'catalog.json'), JSON.stringify(catalog))
  writeFileSync(join(folder, 'seed', 'graph.json'), JSON.stringify({ primitives: [] }))
}

const Users = z.looseObject({
  users: z.array(z.looseObject({ name: z.string(), prefix: z.string().optional() })),
})

/** Starts the server and the stages, and gives what an agent is handed beside its seed. */
async function served(at: Folder, port: number): Promise<{ logId: string; realm: string }> {
  const { folder, as } = at
  const users = ['agent:my-agent', 'gateway:crm-gateway', 'policy-admin:you']
  const named = users.flatMap((user) => ['--user', user])
  const where = ['--listen', `127.0.0.1:${port}`, '--store', join(folder, 'store')]
  const config = ['nats-config', ...where, ...named, '--catalog', 'seed/catalog.json', '--json']
  const { users: made } = Users.parse(JSON.parse(await printed(config, { cwd: folder })))
  const prefix = made.find(({ name }) => name === 'my-agent')?.prefix ?? ''
  const server = await startNats({
    port,
    config: readFileSync(join(folder, 'nats', 'server.conf'), 'utf8'),
  })
  endWithFile(() => server.dispose())
  await printed(['nats', 'init', '--cells', '2'], as('operator'))
  const seeded = await printed(['seed', 'seed'], as('policy-admin-you'))
  await printed(['keys', 'issuer', 'gate', '--no-passphrase'], as('policy-admin-you'))
  for (const { name } of stages) {
    const child = start(['up', name], as(name))
    const exit = once(child, 'exit')
    endWithFile(async () => {
      child.kill('SIGTERM')
      await exit
    })
    await says(child, 'stderr', 'stages running')
  }
  const logId = /WARRANT_LOG_ID=(?<id>\S+)/.exec(seeded)?.groups?.['id'] ?? ''
  // The realm of its cell is what stands first in the prefix.
  return { logId, realm: prefix.split('.')[0] ?? '' }
}

/** What the agent does, by the command line and by HTTP. */
function agentAt(agent: RunOptions, { url, realm }: { url: string; realm: string }) {
  const own = ['--agent', 'my-agent', '--key', 'my-agent', '--realm', realm]
  const Asked = z.looseObject({ intent: z.string(), outcome: z.literal('allow') })
  const proof = async (path: string, token?: string): Promise<string> => {
    const of = ['token', 'present', ...(token === undefined ? [] : [token]), '--key', 'my-agent']
    return (await printed([...of, '--method', 'POST', '--url', `${url}${path}`], agent)).trim()
  }
  const post = (path: string, headers: Readonly<Record<string, string>>, body?: string) =>
    fetch(`${url}${path}`, { method: 'POST', headers, ...(body !== undefined && { body }) })
  return {
    own,
    async asked(tool: string, arg: string): Promise<string> {
      const words = ['ask', tool, '--arg', arg, '--justification', 'a customer asked', '--json']
      return Asked.parse(JSON.parse(await printed([...words, ...own], agent))).intent
    },
    async called(intent: string, token: string, more = {}): Promise<Response> {
      const dpop = await proof('/v1/calls', token)
      const type = { 'content-type': 'application/json' }
      const headers = { ...type, authorization: `DPoP ${token}`, dpop, ...more }
      return post('/v1/calls', headers, JSON.stringify({ intent, mode: 'table' }))
    },
    /** Minted by the gateway for the key of the agent. */
    async minted(intent: string): Promise<string> {
      const path = `/v1/warrants/${intent}`
      const answer = await post(path, { dpop: await proof(path) })
      return z.looseObject({ token: z.string() }).parse(await answer.json()).token
    },
  }
}

async function deployed() {
  const folder = await temporaryFolder()
  const port = await freePort()
  const url = `nats://127.0.0.1:${port}`
  const tool = await backend()
  const as: Folder['as'] = (user, more = {}) => ({
    cwd: folder,
    env: {
      WARRANT_LOG: url,
      WARRANT_SECRETS: join(folder, 'secrets'),
      WARRANT_NATS_NKEY_FILE: join(folder, 'nats', `${user}.nk`),
      ...more,
    },
  })
  const at = { folder, url, as }
  await seedIn(at, tool.host)
  const { logId, realm } = await served(at, port)
  const gatewayPort = await freePort()
  const gateway = async () => {
    const words = ['up', 'gateway', '--issuer-key', 'gate', '--as', 'crm-gateway']
    const child = start([...words, '--listen', `${gatewayPort}`], as('gateway-crm-gateway'))
    const exit = once(child, 'exit')
    await says(child, 'stderr', 'gateway ready')
    return {
      end: async (signal: NodeJS.Signals) => {
        child.kill(signal)
        await exit
      },
    }
  }
  const agent = as('agent-my-agent', { WARRANT_LOG_ID: logId })
  const acting = agentAt(agent, { url: `http://127.0.0.1:${gatewayPort}`, realm })
  const traced = (intent: string) => printed(['trace', intent], as('policy-admin-you'))
  return { tool, as, gateway, agent, traced, ...acting }
}

describe.runIf(isFull && canStartNats)('a gateway on servers', () => {
  let on: Awaited<ReturnType<typeof deployed>>
  let gateway: Awaited<ReturnType<typeof on.gateway>>

  beforeAll(async () => {
    on = await deployed()
    gateway = await on.gateway()
    endWithFile(() => gateway.end('SIGTERM'))
  })

  test('calls by HTTP what an agent was allowed, once, with a secret that no one sees', async () => {
    const intent = await on.asked('list_orders', 'count=3')
    const token = await on.minted(intent)
    const answer = await on.called(intent, token)
    const text = await answer.text()
    expect(answer.status, text).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      frame: { table: [{ id: 1, mail: '[REDACTED]', total: 3 }] },
    })
    expect((await on.called(intent, token)).status).toBe(409)
    const [call, ...more] = on.tool.calls
    expect(call).toMatchObject({ url: '/orders?count=3', authorization: `Bearer ${secret}` })
    expect(more).toEqual([])
    const trace = await on.traced(intent)
    expect(trace).toContain('It succeeded')
    expect(`${text}${trace}`).not.toContain(secret)
  })

  test('runs a program, and streams its lines, with a warrant that an operator minted', async () => {
    const intent = await on.asked('say', 'word=hello')
    const minting = ['token', 'mint', intent, '--key', 'gate', '--as', 'gate']
    const token = (await printed(minting, on.as('policy-admin-you'))).trim()
    const answer = await on.called(intent, token, { accept: 'text/event-stream' })
    expect(await answer.text()).toContain('data: "hello\\nand\\nmore"')
  })

  test('is the only one to call: the user of an agent cannot', async () => {
    const intent = await on.asked('say', 'word=mine')
    const ran = await runChild(['call', '--intent', intent, ...on.own], on.agent)
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toContain('call at the gateway')
    expect(await on.traced(intent)).not.toContain('was used')
  })

  test('killed while it calls, it goes on when it is begun again, with the same key', async () => {
    on.tool.calls.length = 0
    on.tool.given.isHeld = true
    const intent = await on.asked('list_orders', 'count=7')
    const token = await on.minted(intent)
    const left = on.called(intent, token).catch(() => null)
    await until(() => on.tool.calls.length === 1)
    await gateway.end('SIGKILL')
    expect(await left).toBeNull()
    on.tool.given.isHeld = false
    gateway = await on.gateway()
    await until(async () => (await on.traced(intent)).includes('It succeeded'))
    expect(on.tool.calls).toHaveLength(2)
    expect(new Set(on.tool.calls.map(({ key }) => key)).size).toBe(1)
    expect((await on.called(intent, token)).status).toBe(409)
  })
})
