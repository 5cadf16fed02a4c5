// Stages in a process of their own, as `warrant up` runs them, that is directed by the one who
// started it and ends with it. Run as a file it is that process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { findLog } from '#runtime/logs/log-url'
import { openRuntime } from '#runtime/wiring/open'
import { stages } from '#services/stages'

const Ready = z.object({ residentBytes: z.number() })
const Measure = z.object({
  /** Before the collection, and with it. */
  cpuMs: z.number(),
  cpuAfterMs: z.number(),
  heapBytes: z.number(),
  position: z.number(),
})

export interface NatsWorker {
  /** From its start until it had folded the log and went to work. */
  readonly readySeconds: number
  readonly residentBytes: number
  /** What it has used so far, what it holds after collection, and up to where it has folded. */
  measure(): Promise<z.infer<typeof Measure>>
  stop(): Promise<void>
  /** Ends it as a failure of its machine does. */
  kill(): Promise<void>
}

/** Resolves when it works. */
export async function startWorker(url: string, stage: string, realm = 'main'): Promise<NatsWorker> {
  const start = performance.now()
  const execArgv = [...process.execArgv, '--expose-gc']
  const child = fork(import.meta.filename, [url, stage, realm], { execArgv })
  const exit = once(child, 'exit')
  const early = exit.then(() => Promise.reject(new Error(`the worker of ${stage} ended`)))
  early.catch(() => undefined)
  const message: Promise<readonly unknown[]> = once(child, 'message')
  const [said] = await Promise.race([message, early])
  return {
    readySeconds: (performance.now() - start) / 1_000,
    residentBytes: Ready.parse(said).residentBytes,
    measure: async () => {
      const answer: Promise<readonly unknown[]> = once(child, 'message')
      child.send('measure')
      return Measure.parse((await answer)[0])
    },
    stop: async () => {
      child.disconnect()
      await exit
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exit
    },
  }
}

function cpuUsedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

async function work(url: string, name: string, realm: string): Promise<void> {
  const runtime = await openRuntime({
    log: findLog(url, {}),
    realm,
    stages: stages.filter((stage) => stage.name === name),
  })
  // Anyone who started it has ended, or has no more use for it.
  process.once('disconnect', () => void runtime.stop().then(() => process.exit()))
  process.on('message', () => {
    // What it uses to measure is not of its work.
    const cpuMs = cpuUsedMs()
    globalThis.gc?.()
    const { position } = runtime.follower.state
    const { heapUsed: heapBytes } = process.memoryUsage()
    process.send?.({ cpuMs, cpuAfterMs: cpuUsedMs(), heapBytes, position })
  })
  process.send?.({ residentBytes: process.memoryUsage().rss })
  await runtime.workers
}

const [, program, url, stage = '', realm = ''] = process.argv
if (program === import.meta.filename && url !== undefined) await work(url, stage, realm)
