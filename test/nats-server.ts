// Real NATS servers for tests: the binary that `WARRANT_NATS_SERVER` names, else the one on the
// path, else the one that `go install` leaves. Where none is, those tests are skipped, loudly.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, connect as connectSocket } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { assert } from '#core/fault'

/** The binary, or null where this machine has none. CI demands one with `WARRANT_NATS_REQUIRED`. */
export const natsBinary: string | null = findBinary()

export interface NatsServer {
  readonly url: string
  readonly port: number
  readonly folder: string
  /** Ends as an operator ends it. */
  stop(): Promise<void>
  /** Ends as a power failure of the process ends it. */
  kill(): Promise<void>
  /** Starts again on the same port and folder. */
  start(): Promise<void>
  /** Stops it and removes its folder. */
  dispose(): Promise<void>
}

export interface NatsServerOptions {
  /** More of the configuration file; JetStream's own block is given unless `jetstream` is there. */
  readonly config?: string
  readonly syncAlways?: boolean
  readonly port?: number
  readonly name?: string
}

/** Starts a server on a free port of 127.0.0.1 with JetStream, and waits until it answers. */
export async function startNats(options: NatsServerOptions = {}): Promise<NatsServer> {
  assert(natsBinary !== null, 'there is a nats-server')
  const binary = natsBinary
  const port = options.port ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'nats-'))
  const file = join(folder, 'server.conf')
  writeFileSync(file, configuration(port, folder, options))
  let child: ChildProcess | null = null
  const start = async (): Promise<void> => {
    assert(child === null, 'it is not running')
    const started = spawn(binary, ['-c', file, '-l', join(folder, 'server.log')], {
      stdio: 'ignore',
    })
    child = started
    let exited = false
    started.once('exit', () => (exited = true))
    await until(async () => exited || (await answers(port)))
    assert(!exited, `nats-server started: see ${join(folder, 'server.log')}`)
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child
    child = null
    if (running === null || running.exitCode !== null) return
    const exit = once(running, 'exit')
    running.kill(signal)
    await exit
  }
  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    folder,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    dispose: async () => {
      await end('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Three servers of one cluster, ready to place streams of three replicas. */
export async function startNatsCluster(): Promise<readonly NatsServer[]> {
  const ports = [await freePort(), await freePort(), await freePort()]
  const routes = ports.map((port) => `nats-route://127.0.0.1:${port}`).join(', ')
  return Promise.all(
    ports.map((port, index) =>
      startNats({
        name: `n${index}`,
        config: `cluster { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }`,
      }),
    ),
  )
}

function configuration(port: number, folder: string, options: NatsServerOptions): string {
  const { config = '', syncAlways = false, name = 'test' } = options
  const store = JSON.stringify(join(folder, 'store'))
  const sync = syncAlways ? 'sync_interval: always' : ''
  const jetstream = config.includes('jetstream') ? '' : `jetstream { store_dir: ${store}, ${sync} }`
  return [`listen: "127.0.0.1:${port}"`, `server_name: ${name}`, jetstream, config].join('\n')
}

function findBinary(): string | null {
  const given = process.env['WARRANT_NATS_SERVER']
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const places = [...folders, join(homedir(), 'go', 'bin')].map((at) => join(at, 'nats-server'))
  const found = (given === undefined ? places : [given]).find((file) => existsSync(file))
  const works = found !== undefined && spawnSync(found, ['--version']).status === 0
  if (works) return found
  assert(process.env['WARRANT_NATS_REQUIRED'] === undefined, 'nats-server is here: it is required')
  return null
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert(typeof address === 'object' && address !== null, 'it listens on a port')
  server.close()
  await once(server, 'close')
  return address.port
}

async function answers(port: number): Promise<boolean> {
  const socket = connectSocket(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    await once(socket, 'data')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const waitMsMax = 20_000

/** Asks again and again until the answer is yes. Throws after twenty seconds. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + waitMsMax
  while (!(await isSo())) {
    assert(Date.now() < end, 'what was waited for came within twenty seconds')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
