// Containers by the command `docker`, for machines that have no server of their own. They use the
// network of the host, so that ports and clusters are what they are without a container.
import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { assert } from '#record/fault'

const execute = promisify(execFile)

export interface ContainerStart {
  readonly image: string
  readonly command?: readonly string[]
  /** A folder of the host, and where the container sees it. */
  readonly folder: readonly [string, string]
  readonly environment?: Readonly<Record<string, string>>
}

export interface Container {
  isRunning(): Promise<boolean>
  signal(signal: string): Promise<void>
  /** Comes back when it has ended; before it is killed it has these seconds. */
  stop(seconds: number): Promise<void>
  /** Waits for a line of its log that has these words. */
  says(words: string): Promise<void>
}

/** Whether a Docker answers whose network is that of this machine. */
export async function dockerAnswers(): Promise<boolean> {
  try {
    const host = await docker('context', 'inspect', '--format', '{{.Endpoints.docker.Host}}')
    await docker('version', '--format', '{{.Server.Version}}')
    return /^(?:unix|npipe):|^tcp:\/\/(?:localhost|127\.0\.0\.1)\b/.test(host)
  } catch {
    return false
  }
}

/** The container is gone when it has ended. */
export async function startContainer(start: ContainerStart): Promise<Container> {
  const { image, command = [], folder, environment = {} } = start
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`
  const mount = `type=bind,source=${folder[0]},target=${folder[1]}`
  // By name alone: what is set is no parameter, which everyone on the machine can read.
  const names = Object.keys(environment).flatMap((name) => ['--env', name])
  const flags = ['--detach', '--rm', '--network', 'host', '--user', user, '--mount', mount]
  const words = ['run', ...flags, ...names, image, ...command]
  const { stdout } = await execute('docker', words, { env: { ...process.env, ...environment } })
  const id = stdout.trim()
  return {
    isRunning: () => docker('inspect', '--format', '{{.State.Running}}', id).then(isTrue, isGone),
    signal: async (signal) => void (await docker('kill', '--signal', signal, id)),
    stop: (seconds) =>
      docker('stop', '--time', `${seconds}`, id).then(nothing, isGone).then(nothing),
    says: (words) => saysIn(id, words),
  }
}

async function docker(...words: readonly string[]): Promise<string> {
  const { stdout } = await execute('docker', words)
  return stdout.trim()
}

function isTrue(text: string): boolean {
  return text === 'true'
}

function nothing(): void {}

/** False when there is no such container any more; all else that fails is a failure. */
function isGone(error: unknown): false {
  if (/no such (?:container|object)/i.test(String(error))) return false
  throw error
}

async function saysIn(id: string, words: string): Promise<void> {
  const log = spawn('docker', ['logs', '--follow', id], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    for await (const line of createInterface({ input: log.stdout })) {
      if (line.includes(words)) return
    }
    assert(false, `a container says: ${words}`)
  } finally {
    log.kill()
  }
}
