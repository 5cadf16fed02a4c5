// Programs that drivers start: without a shell, in a process group of their own, with an
// environment that is written out. It must never leave one of the group running behind.
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { ToolFailure } from '#rules/drivers/tool-failure'

/** What a program finds in its environment beside what the catalog gives it. */
export const plainEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
}

export interface Program {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface Ending {
  readonly code: number | null
  readonly signal: string | null
}

export interface RunningProgram {
  readonly input: Writable
  readonly output: Readable
  readonly errors: Readable
  /** Once the program has ended and its pipes are read, or held by strangers alone. */
  readonly ended: Promise<Ending>
  /** SIGTERM to the group, then SIGKILL. Resolves when the program has ended. */
  stop(): Promise<void>
}

/** How long a program has to end by itself. */
const graceMs = 2_000
/** How long a pipe is read that something outside of the group holds open. */
const pipesMs = 250

/** Throws a `ToolFailure` with `happened` `no` where it does not start. */
export async function startProgram({ program, args, cwd, env }: Program): Promise<RunningProgram> {
  // Node reports a missing folder as if the program were missing.
  await access(`${cwd}/.`).catch(() => {
    throw new ToolFailure('spawn_failed', 'no', { at: 'cwd' })
  })
  const child = await started({ program, args, cwd, env })
  const exited = exitOf(child)
  const ended = exited.then(async (ending) => {
    // What it left in its group goes with it.
    signalGroup(child, 'SIGKILL')
    await pipesClosed(child)
    return ending
  })
  const stop = async (): Promise<void> => {
    signalGroup(child, 'SIGTERM')
    const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
    await exited
    clearTimeout(timer)
    signalGroup(child, 'SIGKILL')
  }
  return { input: child.stdin, output: child.stdout, errors: child.stderr, ended, stop }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

async function started({ program, args, cwd, env }: Program): Promise<Child> {
  try {
    const child = spawn(program, args, {
      cwd,
      env,
      detached: true,
      shell: false,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // Of what a program does not read, no one needs to know.
    child.stdin.on('error', () => {})
    await once(child, 'spawn')
    return child
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : null
    const params = typeof code === 'string' ? { error: code } : {}
    throw new ToolFailure('spawn_failed', 'no', { at: 'program', ...params })
  }
}

async function exitOf(child: Child): Promise<Ending> {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise<void>((resolve) => child.once('exit', () => resolve()))
  }
  return { code: child.exitCode, signal: child.signalCode }
}

async function pipesClosed(child: Child): Promise<void> {
  if (child.stdout.closed && child.stderr.closed) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, pipesMs)
    child.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
}

function signalGroup({ pid }: Child, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // No one of the group is left.
  }
}
