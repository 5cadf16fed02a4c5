// Other deciders that a team could ask instead, as servers of their own with their decision logs
// on: OPA and Cerbos, where their programs are given by WARRANT_OPA and WARRANT_CERBOS. Each holds
// the one rule that the bench of evaluations asks about: staff may read files.
import { spawn, type ChildProcess } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { assert } from '#core/kernel/fault'

export interface Decider {
  readonly name: string
  /** The shape of its requests: see the client. */
  readonly shape: 'opa' | 'cerbos'
  readonly url: string
  readonly path: string
  stop(): void
}

/** Those whose programs are given; each runs in a folder of its own, and writes its log there. */
export async function startDeciders(folder: string): Promise<readonly Decider[]> {
  const { WARRANT_OPA: opa = '', WARRANT_CERBOS: cerbos = '' } = process.env
  const found: Decider[] = []
  if (opa !== '') found.push(await startOpa(opa, join(folder, 'opa')))
  if (cerbos !== '') found.push(await startCerbos(cerbos, join(folder, 'cerbos')))
  return found
}

const opaRule = `package bench
allow if {
  input.subject.role == "staff"
  input.action.name == "read"
  input.resource.type == "file"
}
`

async function startOpa(program: string, folder: string): Promise<Decider> {
  await mkdir(folder)
  const port = await freePort()
  await writeFile(join(folder, 'rule.rego'), opaRule)
  const address = `127.0.0.1:${port}`
  const args = ['run', '--server', '--addr', address, '--set', 'decision_logs.console=true']
  const server = started(program, [...args, 'rule.rego'], folder)
  const url = `http://${address}`
  await answered(`${url}/health`, server)
  return { name: 'OPA', shape: 'opa', url, path: '/v1/data/bench/allow', stop: ender(server) }
}

const cerbosRule = {
  apiVersion: 'api.cerbos.dev/v1',
  resourcePolicy: {
    version: 'default',
    resource: 'file',
    rules: [{ actions: ['read'], effect: 'EFFECT_ALLOW', roles: ['staff'] }],
  },
}

async function startCerbos(program: string, folder: string): Promise<Decider> {
  await mkdir(join(folder, 'policies'), { recursive: true })
  const [port, grpcPort] = [await freePort(), await freePort()]
  // JSON is YAML, too.
  await writeFile(join(folder, 'policies', 'file.yaml'), JSON.stringify(cerbosRule))
  const settings = {
    server: { httpListenAddr: `127.0.0.1:${port}`, grpcListenAddr: `127.0.0.1:${grpcPort}` },
    storage: { driver: 'disk', disk: { directory: join(folder, 'policies') } },
    audit: {
      enabled: true,
      accessLogsEnabled: false,
      decisionLogsEnabled: true,
      backend: 'local',
      local: { storagePath: join(folder, 'audit') },
    },
    telemetry: { disabled: true },
  }
  await writeFile(join(folder, 'settings.yaml'), JSON.stringify(settings))
  const server = started(program, ['server', '--config', 'settings.yaml'], folder)
  const url = `http://127.0.0.1:${port}`
  await answered(`${url}/_cerbos/health`, server)
  const path = '/api/check/resources'
  return { name: 'Cerbos', shape: 'cerbos', url, path, stop: ender(server) }
}

function started(program: string, args: readonly string[], cwd: string): ChildProcess {
  const out = openSync(join(cwd, 'out.log'), 'a')
  return spawn(program, args, { cwd, stdio: ['ignore', out, out] })
}

function ender(server: ChildProcess): () => void {
  const end = (): void => void server.kill('SIGKILL')
  process.once('exit', end)
  return () => {
    process.off('exit', end)
    end()
  }
}

const startSecondsMax = 30

async function answered(url: string, server: ChildProcess): Promise<void> {
  const end = Date.now() + startSecondsMax * 1_000
  for (;;) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok === true) return
    assert(server.exitCode === null && Date.now() < end, `${url} answers`)
    await after(50)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
