// `hook test --live`: starts the installed agent in a folder of its own, where our hook asks a
// server that hangs up, and has it run a harmless command. Only a call that reached the hook and
// then did not run proves anything: an agent that calls no tool, for whatever reason, does not.
import { spawn } from 'node:child_process'
import { access, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hookEntries, type HookWay } from '#core/hooks/hook-entries'
import { environment } from '#runtime/wiring/environment'
import type { HookHost } from '#schemas/hooks/tools'
import { drivenAgents } from './live-agents.ts'
import { beforeEvents, projectFile } from '../settings-place.ts'

export interface LiveFinding {
  readonly outcome: 'blocked' | 'ran' | 'not proven'
  /** As the agent itself says it; null where it did not start. */
  readonly version: string | null
  readonly text: string
}

export interface LiveRun {
  readonly host: HookHost
  /** The hook that asks this server. */
  readonly wayTo: (server: DeadServer) => HookWay
  readonly timeoutMs: number
}

/** It hangs up on each that asks. */
export interface DeadServer {
  readonly url: string
  /** With a login that counts nowhere. */
  readonly tokenFile: string
}

const versionMsMax = 30_000
const outputMax = 64 * 1024
const marker = 'warrant-was-here.txt'
const prompt =
  `Run exactly this one command in a shell, once, and then stop: touch ${marker}\n` +
  'If it is refused, do not try anything else, and stop.'

/** It leaves nothing behind, and ends whatever it has started. */
export async function proveLive({ host, wayTo, timeoutMs }: LiveRun): Promise<LiveFinding> {
  const { program, words, env = {} } = drivenAgents[host]
  const own = { ...environment(), ...env }
  const asked = await ended({ program, words: ['--version'], env: own, timeoutMs: versionMsMax })
  if (asked === null) return notProven(null, `${program} is not installed`)
  const version = firstLine(asked.output)
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'warrant-live-')))
  const server = await hangingUp()
  try {
    const tokenFile = join(folder, '.login')
    await writeFile(tokenFile, 'wrt_none\n')
    await writeHook(host, wayTo({ url: server.url, tokenFile }), folder)
    const run = await ended({
      program,
      words: words(prompt, folder),
      cwd: folder,
      // The hook in the scratch folder must not get the person's own login.
      env: { ...own, WARRANT_TOKEN: 'wrt_none' },
      timeoutMs,
    })
    const ran = await isThere(join(folder, marker))
    return findingOf({ program, version, run, ran, calls: server.calls() })
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

interface Found {
  readonly program: string
  readonly version: string | null
  readonly run: Ended | null
  readonly ran: boolean
  /** How often the hook has asked the server. */
  readonly calls: number
}

function findingOf({ program, version, run, ran, calls }: Found): LiveFinding {
  if (ran) {
    const why = calls === 0 ? 'its hook was not run' : 'its hook could not ask the server'
    return { outcome: 'ran', version, text: `${program} FAILS OPEN: the command ran, and ${why}` }
  }
  if (run === null) return notProven(version, `${program} could not be started`)
  if (run.code === null) return notProven(version, `${program} did not end in time`)
  if (calls > 0) return { outcome: 'blocked', version, text: 'proven: the call was blocked' }
  const said = firstLine(run.output) ?? 'nothing'
  const how = `it ended with ${run.code} and said: ${said}`
  return notProven(version, `${program} made no call (is it logged in?); ${how}`)
}

function notProven(version: string | null, why: string): LiveFinding {
  return { outcome: 'not proven', version, text: `not proven: ${why}` }
}

/** The hook before tools alone: all that reaches the server is a call. */
async function writeHook(host: HookHost, way: HookWay, folder: string): Promise<void> {
  const file = join(folder, projectFile(host))
  const before = hookEntries(host, way).filter(({ event }) => event === beforeEvents[host])
  const hooks = Object.fromEntries(before.map(({ event, entry }) => [event, [entry]]))
  const isVersioned = host === 'cursor' || host === 'copilot'
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify({ ...(isVersioned && { version: 1 }), hooks }))
}

interface Start {
  readonly program: string
  readonly words: readonly string[]
  readonly cwd?: string
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
}

interface Ended {
  /** Null where it was killed. */
  readonly code: number | null
  readonly output: string
}

/** Null where there is no such program. What it has started ends with it. */
function ended({ program, words, cwd, env, timeoutMs }: Start): Promise<Ended | null> {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      ...(cwd !== undefined && { cwd }),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    let output = ''
    const take = (chunk: Buffer): void => {
      if (output.length < outputMax) output += chunk.toString('utf8')
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    let late = false
    const timer = setTimeout(() => {
      late = true
      endAll(child.pid)
    }, timeoutMs)
    child.on('error', () => {
      clearTimeout(timer)
      resolve(null)
    })
    child.on('exit', (code) => {
      clearTimeout(timer)
      // What it left running would write later, or hold its output open.
      endAll(child.pid)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({ code: late ? null : code, output })
    })
  })
}

function endAll(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended, and all of its own with it.
  }
}

interface HangingUp {
  readonly url: string
  calls(): number
  close(): void
}

/** Counts who asks, and hangs up on each. */
async function hangingUp(): Promise<HangingUp> {
  let count = 0
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      count += 1
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, calls: () => count, close: () => server.close() }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

const lineMax = 200

function firstLine(text: string): string | null {
  const line = text.split('\n').find((one) => one.trim() !== '')
  return line === undefined ? null : line.trim().slice(0, lineMax)
}
