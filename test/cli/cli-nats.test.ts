// What the commands for a log on NATS say of themselves holds: their examples, their defaults, and
// the steps that they end with.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { queueInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'
import { ackWaitMsIn } from '#log/nats/wholeness'
import { stages } from '#workers/stages'
import { run } from '../support/cli-runner.ts'
import { canStartNats, freePort, startNats } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('each example of nats-config works on a new machine', async () => {
  const { stdout } = await run(['nats-config', '--help'], { cwd: await temporaryFolder() })
  const examples = [...stdout.matchAll(/^ *warrant (nats-config .*)$/gm)].map(([, line]) => line)
  expect(examples.length).toBeGreaterThan(1)
  for (const example of examples) {
    const cwd = await temporaryFolder()
    await writeFile(join(cwd, 'users.json'), '[{"role":"agent","name":"bot"}]')
    await writeFile(join(cwd, 'catalog.json'), '{"cells":4}')
    // What is checked was made before.
    if (example?.includes('--check') === true) {
      await run(['nats-config', '--users', 'users.json'], { cwd })
    }
    const { code, stderr } = await run(example?.split(' ') ?? [], { cwd })
    expect({ example, code, stderr }).toEqual({ example, code: 0, stderr: '' })
  }
})

describe.skipIf(!canStartNats)('nats init', () => {
  test('names the default of --ack-wait in its unit, and ends with a step that works', async () => {
    const server = await startNats()
    const cwd = await temporaryFolder()
    const help = await run(['nats', 'init', '--help'], { cwd })
    expect(help.stdout).toContain('how long a silent worker keeps its jobs (30)')
    const made = await run(['nats', 'init', '--log', server.url], { cwd })
    expect(made.stdout).toContain(`  warrant up --log ${server.url}\n`)
    const requests = new Requests(await NatsLink.open({ servers: server.url }))
    const queue = await queueInfo(requests, 'LOG-main-1', 'grounding')
    expect(queue && ackWaitMsIn(queue)).toBe(30_000)
    await requests.link.close()
    await server.dispose()
  })

  test('ends with a step for each stage and its seed where the server has accounts', async () => {
    const cwd = await temporaryFolder()
    const port = await freePort()
    const listen = `127.0.0.1:${port}`
    expect((await run(['nats-config', '--listen', listen], { cwd })).code).toBe(0)
    const config = await readFile(join(cwd, 'nats/server.conf'), 'utf8')
    const server = await startNats({ port, config })
    const env = { WARRANT_NATS_NKEY_FILE: 'nats/operator.nk' }
    const { stdout } = await run(['nats', 'init', '--log', server.url], { cwd, env })
    for (const { name } of stages) {
      const step = `WARRANT_NATS_NKEY_FILE=nats/${name}.nk warrant up ${name} --log ${server.url}`
      expect(stdout).toContain(step)
    }
    await server.dispose()
  })
})
