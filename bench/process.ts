// Programs of Node in processes of their own, which end with this one.
import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { text } from 'node:stream/consumers'
import { assert } from '#record/fault'

/** How Linux counts the time of processes, whatever its clock. */
const ticksPerSecond = 100

// One listener for all of them, however many run at once.
const children = new Set<ChildProcess>()
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')))

interface Given {
  readonly input?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** What it prints; it must come to its end. */
export async function printed(
  args: readonly string[],
  { input = '', cwd, env = {} }: Given = {},
): Promise<string> {
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  })
  children.add(child)
  const code = new Promise((resolve) => child.once('close', resolve))
  // It may read none of it.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const line = await text(child.stdout)
  const ended = await code
  children.delete(child)
  assert(ended === 0, `\`${args.join(' ')}\` came to its end`)
  return line
}

/** The same of a file of the bench, as this process runs its own. */
export function printedHere(file: string, args: readonly string[]): Promise<string> {
  return printed(['--expose-gc', ...process.execArgv, file, ...args])
}

/** One that runs until it is stopped, or this process ends. */
export interface Running {
  readonly id: number
  stop(): Promise<void>
}

export function running(
  args: readonly string[],
  { cwd, env = {} }: Omit<Given, 'input'> = {},
): Running {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  })
  children.add(child)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  assert(child.pid !== undefined, `\`${args.join(' ')}\` has begun`)
  return {
    id: child.pid,
    async stop() {
      child.kill('SIGKILL')
      await ended
      children.delete(child)
    },
  }
}

/** Seconds of a CPU that those processes have used, with what has ended in them. */
export function cpuSecondsOf(ids: readonly number[]): number {
  const ticks = ids.map((id) => {
    const line = readFileSync(`/proc/${id}/stat`, 'utf8')
    const [user, system] = line.slice(line.lastIndexOf(')')).split(' ').slice(12, 14)
    return Number(user) + Number(system)
  })
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond
}

/** Those whose command line names it. */
export function idsNaming(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && commandLineOf(id).includes(word))
    .map(Number)
}

function commandLineOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8')
  } catch {
    // It has ended.
    return ''
  }
}

/** Seconds of a CPU that this machine has used for anything since it began. */
export function busySeconds(): number {
  return cpus()
    .map(({ times }) => times.user + times.nice + times.sys + times.irq)
    .reduce((sum, one) => sum + one / 1_000, 0)
}

/** Bytes on the heap, after all garbage has been collected. */
export function heap(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
