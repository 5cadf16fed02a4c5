// The stages as an operator runs them, `warrant up <stage>`, each in a process of its own. One that
// ends by itself is reported with its last words; none may outlive this process.
import { environment } from '#wiring/environment'
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Fault } from '#record/fault'
import type { RunnableStage } from '#runtime/engine/worker'

export interface StageProcesses {
  /** Rejects when one of them ends before it was asked to; else it never settles. */
  readonly broken: Promise<never>
  /** Notifies them to drain, and resolves when they have ended. */
  stop(): Promise<void>
}

export interface StageProcessesOptions {
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

export function startStages(options: StageProcessesOptions): StageProcesses {
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
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('close', () => resolve(said.trim().split('\n').at(-1) ?? ''))
  })
  return { stage, child, ended }
}
