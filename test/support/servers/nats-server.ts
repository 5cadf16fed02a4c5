// Real NATS servers for tests, from a binary or a container. Where there is neither, those tests
// are skipped, and the run reports it at its end; with a URL, so are those that must start, end or
// configure a server.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, connect as connectSocket } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert } from '#record/fault'
import { chooseNats } from './nats-choice.ts'
import { dockerAnswers } from './docker.ts'
import { runContainer, type NatsProcess, type ServerSignal } from './nats-container.ts'

const choice = await chooseNats(process.env, {
  home: homedir(),
  version: (file) => (existsSync(file) ? spawnSync(file, ['--version']).stdout.toString() : null),
  dockerAnswers,
})

/** The binary, or null where this machine has none. CI demands one with `WARRANT_NATS_REQUIRED`. */
export const natsBinary: string | null = choice.by === 'binary' ? choice.file : null

/** Whether a test can start servers, end them and configure them. */
export const canStartNats: boolean = choice.by === 'binary' || choice.by === 'container'

/** Whether there is any server to test on. */
export const hasNats: boolean = choice.by !== 'nothing'

export interface NatsServer {
  readonly url: string
  readonly port: number
  readonly folder: string
  /** Ends as an operator ends it. */
  stop(): Promise<void>
  /** Ends as a power failure of the process ends it. */
  kill(): Promise<void>
  /** Sends it that, if it runs, and waits for nothing. */
  signal(signal: ServerSignal): Promise<void>
  /** Starts again on the same port and folder. */
  start(): Promise<void>
  /** Stops it and removes its folder. */
  dispose(): Promise<void>
}

export interface NatsServerOptions {
  /** More of the configuration file; JetStream's own block is given unless `jetstream` is there. */
  readonly config?: string
  readonly syncAlways?: boolean
  /** How many messages a stream takes that are not stored yet; the server's own if not given. */
  readonly bufferedMax?: number
  /** How many bytes all streams together may take; no limit if not given. */
  readonly storeBytesMax?: number
  readonly port?: number
  readonly name?: string
}

/** Starts a server on a free port of 127.0.0.1 with JetStream, and waits until it answers. */
export async function startNats(options: NatsServerOptions = {}): Promise<NatsServer> {
  const port = options.port ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'nats-'))
  const file = join(folder, 'server.conf')
  writeFileSync(file, configuration(port, folder, options))
  let running: NatsProcess | null = null
  const start = async (): Promise<void> => {
    assert(running === null, 'it is not running')
    const started = await run(['-c', file, '-l', join(folder, 'server.log')], folder)
    running = started
    let ended = false
    await until(async () => (ended = await started.hasEnded()) || (await answers(port)))
    assert(!ended, `nats-server started: see ${join(folder, 'server.log')}`)
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const ending = running
    running = null
    if (ending !== null && !(await ending.hasEnded())) await ending.end(signal)
  }
  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    folder,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    signal: async (signal) => running?.signal(signal),
    dispose: async () => {
      await end('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A server that a test uses and does not rule: it is that of others too. */
export interface SharedNats {
  readonly url: string
  /** A realm that no one else there uses. */
  readonly realm: string
  dispose(): Promise<void>
}

/** The server of `WARRANT_NATS_URL`, or one started for the test. */
export async function shareNats(): Promise<SharedNats> {
  const realm = `test-${randomBytes(6).toString('hex')}`
  if (choice.by === 'url') return { url: choice.url, realm, dispose: async () => undefined }
  const server = await startNats()
  return { url: server.url, realm, dispose: () => server.dispose() }
}

/** Three servers of one cluster, each with these options, ready for streams of three replicas. */
export async function startNatsCluster(
  options: Omit<NatsServerOptions, 'name' | 'port'> = {},
): Promise<readonly NatsServer[]> {
  const { config = '' } = options
  const ports = [await freePort(), await freePort(), await freePort()]
  const routes = ports.map((port) => `nats-route://127.0.0.1:${port}`).join(', ')
  const clusterAt = (port: number) =>
    `cluster { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }`
  return Promise.all(
    ports.map((port, index) =>
      startNats({ ...options, name: `n${index}`, config: `${clusterAt(port)}\n${config}` }),
    ),
  )
}

function configuration(port: number, folder: string, options: NatsServerOptions): string {
  const { config = '', syncAlways = false, name = 'test', bufferedMax, storeBytesMax } = options
  const store = JSON.stringify(join(folder, 'store'))
  const sync = syncAlways ? 'sync_interval: always' : ''
  const buffered = bufferedMax === undefined ? '' : `max_buffered_msgs: ${bufferedMax}`
  const room = storeBytesMax === undefined ? '' : storeLimit(storeBytesMax)
  const jetstream = config.includes('jetstream')
    ? ''
    : `jetstream { store_dir: ${store}, ${sync}\n${buffered}\n${room} }`
  return [`listen: "127.0.0.1:${port}"`, `server_name: ${name}`, jetstream, config].join('\n')
}

/** The line of its configuration that says how many bytes all streams together may take. */
export function storeLimit(bytes: number): string {
  return `max_file_store: ${bytes}`
}

async function run(parameters: readonly string[], folder: string): Promise<NatsProcess> {
  if (choice.by === 'binary') return runBinary(choice.file, parameters)
  assert(choice.by === 'container', 'there is a nats-server to start, or Docker')
  return runContainer(parameters, folder)
}

function runBinary(file: string, parameters: readonly string[]): NatsProcess {
  const child = spawn(file, parameters, { stdio: 'ignore' })
  const exit = once(child, 'exit')
  return {
    hasEnded: async () => child.exitCode !== null || child.signalCode !== null,
    end: async (signal) => {
      child.kill(signal)
      await exit
    },
    signal: async (signal) => void child.kill(signal),
  }
}

/** Below those that systems give to outgoing connections, which would take them at any moment. */
const portMin = 15_000
const portsMax = 17_000
/** Processes of one run choose among other ports: between choosing and listening passes time. */
const processesMax = 17
const processNumber = Number(process.env['VITEST_POOL_ID'] ?? 0) % processesMax
const chosen = new Set<number>()

/** A port that no one listens on at this moment, and that was not chosen here before. */
export async function freePort(): Promise<number> {
  const port = portMin + randomInt(portsMax / processesMax) * processesMax + processNumber
  if (chosen.has(port)) return freePort()
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  chosen.add(port)
  server.close()
  await once(server, 'close')
  return port
}

const silentMsMax = 2_000

async function answers(port: number): Promise<boolean> {
  const socket = connectSocket(port, '127.0.0.1')
  try {
    // Whatever sends nothing is no NATS server, and is left for another look.
    socket.setTimeout(silentMsMax, () => socket.destroy(new Error('nothing was sent')))
    await once(socket, 'connect')
    await once(socket, 'data')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const waitMsMax = 600_000

/** Asks again and again until the answer is yes; throws after ten minutes, as a last resort. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + waitMsMax
  while (!(await isSo())) {
    assert(Date.now() < end, 'what was waited for came within ten minutes')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
