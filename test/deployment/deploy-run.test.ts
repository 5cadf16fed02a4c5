// What docker-compose.yml runs, run without Docker: the same commands with the same environment, on
// a real server with the accounts that were made for it, and agents in other languages as clients.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Neo4jLink } from '#neo4j/driver/link'
import { allStages as stages } from '#workers/all-stages'
import { agentPrograms, askWith } from './agents-programs.ts'
import { runChild, says, start } from '../support/cli-process.ts'
import type { Ran } from '../support/cli-runner.ts'
import { composeOf, type Service } from './deploy-files.ts'
import {
  canStartNats,
  freePort,
  startNats,
  until,
  type NatsServer,
} from '../support/servers/nats-server.ts'
import { hasNeo4j, shareNeo4j } from '../support/servers/neo4j-server.ts'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { services } = composeOf('docker-compose.yml')
const call = ['send_email', '{"to":"ann@example.org"}', 'she asked for the minutes']

interface Deployment {
  readonly folder: string
  readonly server: NatsServer
  readonly workers: readonly { readonly child: ChildProcess; readonly health: string }[]
  /** Runs a command as the user whose seed that is. */
  as(user: string, words: readonly string[]): Promise<Ran>
}

interface Given {
  readonly folder: string
  readonly url: string
  readonly listen: string
  readonly neo4j?: string
}

// The service's own words, with what a container would have of its own: addresses and mounts.
function inPlace({ command, environment }: Service, given: Given) {
  const words = [command ?? []].flat().flatMap((text) => text.split(' '))
  const env = Object.entries(environment).map(([name, value]) => [
    name,
    value
      .replace('nats://nats:4222', given.url)
      .replace('bolt://neo4j:7687', given.neo4j ?? '')
      .replace(/^\/run\/secrets\/neo4j-(.+)$/, join(given.folder, 'neo4j', '$1'))
      .replace(/^\/run\/secrets\/(.+)$/, join(given.folder, 'nats', '$1.nk')),
  ])
  return {
    words: words.map((word) => word.replace('0.0.0.0:9464', given.listen)),
    env: Object.fromEntries(env),
  }
}

async function deploy(): Promise<Deployment> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const url = `nats://127.0.0.1:${port}`
  const run = async (words: readonly string[], env = {}): Promise<Ran> => {
    const ran = await runChild(words, { cwd: folder, env })
    expect(ran, `${words.join(' ')}: ${ran.stderr}`).toMatchObject({ code: 0 })
    return ran
  }
  const users = ['agent:my-agent', 'agent:other', 'policy-admin:you', 'projector:projector']
  const store = join(folder, 'store')
  const named = users.flatMap((user) => ['--user', user])
  await run(['nats-config', '--listen', `127.0.0.1:${port}`, '--store', store, ...named])
  const server = await startNats({
    port,
    config: readFileSync(join(folder, 'nats', 'server.conf'), 'utf8'),
  })
  const init = inPlace(services['init'] ?? fail(), { folder, url, listen: '' })
  await run(init.words, init.env)
  const workers = []
  for (const { name } of stages) {
    const listen = `127.0.0.1:${await freePort()}`
    const { words, env } = inPlace(services[name] ?? fail(), { folder, url, listen })
    const child = start(words, { cwd: folder, env })
    await says(child, 'stderr', 'stages running')
    workers.push({ child, health: `http://${listen}` })
  }
  const as: Deployment['as'] = (user, words) => {
    const seed = join(folder, 'nats', `${user}.nk`)
    const env = { WARRANT_LOG: url, WARRANT_NATS_NKEY_FILE: seed }
    return runChild(words, { cwd: folder, env })
  }
  return { folder, server, workers, as }
}

function fail(): never {
  throw new Error('a service is missing')
}

describe.skipIf(!canStartNats)('what docker-compose.yml runs', () => {
  let deployment: Deployment
  beforeAll(async () => {
    deployment = await deploy()
    await beginKnowing({ cwd: deployment.folder })
  })
  afterAll(async () => {
    for (const { child } of deployment.workers) {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    }
    await deployment.server.dispose()
  })

  const asking = (name: string, seed = name) => ({
    WARRANT_LOG: deployment.server.url,
    WARRANT_NATS_NKEY_FILE: join(deployment.folder, 'nats', `agent-${seed}.nk`),
    WARRANT_WAIT_SECONDS: '20',
  })

  test('workers become ready, and serve their metrics', async () => {
    for (const { health } of deployment.workers) {
      await until(async () => (await fetch(`${health}/readyz`)).ok)
      expect(await (await fetch(`${health}/metrics`)).text()).toContain('warrant_log_position')
    }
  })

  test('no agent can seed the log, and a policy admin can', async () => {
    const ran = await deployment.as('agent-my-agent', ['seed', 'warrant'])
    expect(ran.code).not.toBe(0)
    const seeded = await deployment.as('policy-admin-you', ['seed', 'warrant'])
    expect(seeded, seeded.stderr).toMatchObject({ code: 0 })
  })

  for (const program of agentPrograms) {
    const { language, isHere } = program
    describe.skipIf(!isHere)(`an agent in ${language}`, () => {
      test('is kept from speaking in the name of another', async () => {
        const waitSeconds = { ...asking('my-agent', 'other'), WARRANT_WAIT_SECONDS: '1' }
        const { code, stdout } = await askWith(program, ['my-agent', ...call], waitSeconds)
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      })

      test('is denied what the catalog does not give it', async () => {
        const { code, stdout } = await askWith(program, ['other', ...call], asking('other'))
        expect(stdout).toMatch(/^deny unknown_agent \(never\)/)
        expect(code).toBe(3)
      })

      test('is denied while the graph does not know it, with how to fix it', async () => {
        const { code, stdout } = await askWith(program, ['my-agent', ...call], asking('my-agent'))
        expect(stdout).toBe('deny ungrounded (learn)\n')
        expect(code).toBe(3)
      })
    })
  }

  test('once the graph knows it, every agent is allowed', async () => {
    const file = join(deployment.folder, 'warrant', 'graph.json')
    const graph = JSON.parse(readFileSync(file, 'utf8'))
    const relata = [{ type: 'APPLIES_TO', target: 'email', targetDepth: 1 }]
    const reported = { level: 1, properties: { description: 'hand over for delivery' }, relata }
    graph.primitives.push({ name: 'send', depths: [{ level: 0 }, reported] })
    writeFileSync(file, JSON.stringify(graph))
    const seeded = await deployment.as('policy-admin-you', ['seed', 'warrant'])
    expect(seeded, seeded.stderr).toMatchObject({ code: 0 })
    for (const program of agentPrograms.filter(({ isHere }) => isHere)) {
      const ran = await askWith(program, ['my-agent', ...call], asking('my-agent'))
      expect(ran, program.language).toMatchObject({ code: 0, stdout: 'allow\n' })
    }
  })

  test.skipIf(!hasNeo4j)(
    'the projector brings the graph to Neo4j, for anyone who asks it there',
    async () => {
      const { folder, server } = deployment
      const neo4j = await shareNeo4j()
      const link = await Neo4jLink.open(neo4j.access)
      mkdirSync(join(folder, 'neo4j'))
      const password = join(folder, 'neo4j', 'password')
      writeFileSync(password, `${neo4j.access.password}\n`, { mode: 0o600 })
      const listen = `127.0.0.1:${await freePort()}`
      const given = { folder, url: server.url, listen, neo4j: neo4j.access.url }
      const { words, env } = inPlace(services['projector'] ?? fail(), given)
      const child = start(words, { cwd: folder, env })
      try {
        const sent =
          'MATCH (:Primitive {key: "send"})-[:APPLIES_TO]->(p:Primitive) RETURN p.key AS key'
        await until(async () => (await link.auto(sent)).length > 0)
        expect(await link.auto(sent)).toEqual([{ key: 'email' }])
        await until(async () => (await fetch(`http://${listen}/readyz`)).ok)
        const line = ['ground', '--graph', neo4j.access.url, join(folder, 'line.ndjson')]
        writeFileSync(join(folder, 'line.ndjson'), '{"concepts":["send"]}\n')
        const ran = await runChild(line, { cwd: folder, env })
        expect(ran.stdout).toContain('"resolved":["send"]')
      } finally {
        const exit = once(child, 'exit')
        child.kill('SIGTERM')
        expect((await exit)[0]).toBe(0)
        await link.close()
        await neo4j.dispose()
      }
    },
  )
})
