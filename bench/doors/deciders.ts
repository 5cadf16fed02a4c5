// Other deciders that a team could ask instead, as servers of their own with their decision logs
// on: OPA and Cerbos, where their programs are given by WARRANT_OPA and WARRANT_CERBOS. Each holds
// the one rule that the bench of evaluations asks about: staff may read files.
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert } from '#record/fault'
import { freePort, until } from '../../test/support/servers/nats-server.ts'

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
  await writeFile(join(folder, 'rule.rego'), opaRule)
  const address = `127.0.0.1:${await freePort()}`
  const url = `http://${address}`
  const logs = ['--set', 'decision_logs.console=true']
  const args = ['run', '--server', '--addr', address, ...logs, 'rule.rego']
  const stop = await started(program, args, { folder, health: `${url}/health` })
  return { name: 'OPA', shape: 'opa', url, path: '/v1/data/bench/allow', stop }
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
  const [address, grpc] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
  const url = `http://${address}`
  // JSON is YAML, too.
  await writeFile(join(folder, 'policies', 'file.yaml'), JSON.stringify(cerbosRule))
  const settings = {
    server: { httpListenAddr: address, grpcListenAddr: grpc },
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
  const args = ['server', '--config', 'settings.yaml']
  const stop = await started(program, args, { folder, health: `${url}/_cerbos/health` })
  return { name: 'Cerbos', shape: 'cerbos', url, path: '/api/check/resources', stop }
}

/** Resolves when it is there, with what ends it. */
async function started(
  program: string,
  args: readonly string[],
  { folder, health }: { readonly folder: string; readonly health: string },
): Promise<() => void> {
  const out = openSync(join(folder, 'out.log'), 'a')
  const server = spawn(program, args, { cwd: folder, stdio: ['ignore', out, out] })
  const end = (): void => void server.kill('SIGKILL')
  process.once('exit', end)
  await until(async () => {
    assert(server.exitCode === null, `\`${program}\` runs: see ${folder}`)
    return (await fetch(health).catch(() => null))?.ok === true
  })
  return end
}
