// The demo's place on a NATS server: a new realm with a log of its own, made as an operator makes
// one, and every stage in its own process. What is left there afterwards is printed, never removed.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { ulidIds } from '#system/ids'
import { makeLog, openOperator } from '#log/nats-admin/operator'
import { streamNames } from '#log/nats/stream'
import type { Place } from '#record/names'
import { loadModule } from '#authoring/callback-store'
import { natsAccess, type LogPlace } from '#runtime/logs/log-url'
import { openRuntime } from '#wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import type { RunnableStage } from '#runtime/engine/worker'
import { replay } from '#replay/replay'
import { jobsOf } from '#runtime/engine/era-watch'
import { furtherLines, type Replayed, type Venue } from './venue.ts'
import { environment } from '#wiring/environment'
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Fault } from '#record/fault'

export async function venueOnNats(log: LogPlace, stages: readonly RunnableStage[]): Promise<Venue> {
  const { url } = log
  const realm = `demo-${ulidIds().next(Date.now())}`
  const place = { realm, era: 1 }
  await makeOn(log, place, stages)
  const folder = resolve(join('.warrant', realm))
  await mkdir(folder, { recursive: true })
  const apart = startStages({ url, realm, folder, stages })
  try {
    const runtime = await openRuntime({ log: { ...log, folder }, realm, stages: [] })
    return {
      runtime,
      realm,
      broken: apart.broken,
      further: [
        ...furtherLines([`export WARRANT_LOG=${url} WARRANT_HOME=${folder}`], ` --realm ${realm}`),
        ...leftLines(place),
      ],
      async drain() {
        await apart.stop()
        return replayed(runtime, folder, stages)
      },
      async close() {
        await apart.stop()
        await runtime.stop()
      },
    }
  } catch (error) {
    await apart.stop()
    throw error
  }
}

async function makeOn(
  log: LogPlace,
  place: Place,
  stages: readonly RunnableStage[],
): Promise<void> {
  const operator = await openOperator(natsAccess(log))
  try {
    const queues = stages.map((stage) => {
      const { queue, names } = jobsOf(stage, place)
      return { name: queue, names }
    })
    await makeLog(operator.atLog, place, { replicas: 1, queues }, operator.mirrors)
  } finally {
    await operator.close()
  }
}

async function replayed(
  { log, place }: Runtime,
  folder: string,
  stages: readonly RunnableStage[],
): Promise<Replayed> {
  const callbacks = threadCallbacks((digest) => loadModule(folder, digest))
  try {
    const began = performance.now()
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    return { report, ms: performance.now() - began }
  } finally {
    await callbacks.close()
  }
}

function leftLines(place: Place): readonly string[] {
  const { log, mirror } = streamNames(place)
  return ['', 'The log stays on the server until an operator removes it:'].concat(
    [mirror, log].map((stream) => `nats stream rm ${stream}`),
  )
}

// The stages as an operator runs them, `warrant up <stage>`, each in a process of its own. One that
// ends by itself is reported with its last words; none may outlive this process.

interface StageProcesses {
  /** Rejects when one of them ends before it was asked to; else it never settles. */
  readonly broken: Promise<never>
  /** Notifies them to drain, and resolves when they have ended. */
  stop(): Promise<void>
}

interface StageProcessesOptions {
  readonly url: string
  readonly realm: string
  /** Where callback modules are kept. */
  readonly folder: string
  readonly stages: readonly RunnableStage[]
}

/** Beside this one, compiled or not. */
const main = fileURLToPath(
  new URL(`../main.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
)
const wordsCharactersMax = 2_000

function startStages(options: StageProcessesOptions): StageProcesses {
  const started = options.stages.map(({ name }) => startStage(name, options))
  const kill = (): void => {
    for (const { child } of started) child.kill('SIGKILL')
  }
  process.once('exit', kill)
  let isStopping = false
  const broken = new Promise<never>((_resolve, reject) => {
    for (const { stage, ended } of started) {
      const report = async (): Promise<void> => {
        const words = await ended
        const message = `the ${stage} stage ended by itself: ${words || 'it printed nothing'}`
        if (!isStopping) reject(new Fault('stage_ended', message))
      }
      void report()
    }
  })
  // No one may be listening any more.
  broken.catch(() => undefined)
  return {
    broken,
    async stop() {
      isStopping = true
      for (const { child } of started) child.kill('SIGTERM')
      await Promise.all(started.map(({ ended }) => ended))
      process.off('exit', kill)
    },
  }
}

interface Started {
  readonly stage: string
  readonly child: ChildProcess
  /** Resolves with its last words. */
  readonly ended: Promise<string>
}

function startStage(stage: string, { url, realm, folder }: StageProcessesOptions): Started {
  const words = ['--log', url, '--realm', realm, 'up', stage]
  const child = spawn(process.execPath, [...process.execArgv, main, ...words], {
    env: { ...environment(), WARRANT_HOME: folder, WARRANT_LISTEN: '', WARRANT_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C is for anyone who plays: the stages go on until the last call has its verdict.
    detached: true,
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-wordsCharactersMax)
  })
  const ended = new Promise<string>((end) => {
    child.once('error', ({ message }) => end(message))
    child.once('close', () => end(said.trim().split('\n').at(-1) ?? ''))
  })
  return { stage, child, ended }
}
