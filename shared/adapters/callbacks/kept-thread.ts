// One worker thread that answers calls one after the other, started when it is needed and replaced
// when it hangs or dies. What a call leaves behind may end the thread, and never the process.
import { Worker } from 'node:worker_threads'
import { callbackMsMax } from '#ports/callbacks'
import { threadSource } from './thread-source.ts'

/**
 * What the thread sent: anything; null where it was killed for taking too long, an Error where it
 * died.
 */
export type Reply = unknown

export interface Called {
  readonly url: string
  readonly name: string
  readonly context: unknown
}

export interface KeptThread {
  /** Never throws. */
  call(call: Called): Promise<Reply>
  /** Ends the thread after the calls that were made. */
  stop(): Promise<void>
}

const startMsMax = 10_000
/** A thread may die of what an earlier call left behind: then the call is tried on a fresh one. */
const triesMax = 2

export function keptThread(workerData: { readonly outside: boolean }): KeptThread {
  let worker: Worker | null = null
  const drop = async (): Promise<void> => {
    const dropped = worker
    worker = null
    await dropped?.terminate()
  }
  const tried = async ({ url, name, context }: Called): Promise<Reply> => {
    try {
      worker ??= await started(workerData, (ended) => {
        if (worker === ended) worker = null
      })
      const asked = worker
      const message = { url, name, context: JSON.stringify(context) }
      return await replied(asked, callbackMsMax, () => asked.postMessage(message))
    } catch (error) {
      return error instanceof Error ? error : new Error('it threw no error')
    }
  }
  const answered = async (before: Promise<Reply>, call: Called): Promise<Reply> => {
    await before
    let reply: Reply = null
    for (let tries = 0; tries < triesMax; tries += 1) {
      reply = await tried(call)
      if (reply === null || reply instanceof Error) await drop()
      if (!(reply instanceof Error)) return reply
    }
    return reply
  }
  let last: Promise<Reply> = Promise.resolve()
  return {
    call(call) {
      last = answered(last, call)
      return last
    },
    async stop() {
      await last
      await drop()
    },
  }
}

async function started(
  workerData: { readonly outside: boolean },
  onEnd: (worker: Worker) => void,
): Promise<Worker> {
  const worker = new Worker(threadSource, {
    eval: true,
    env: {},
    execArgv: [],
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  // Without a listener an error that comes when nobody waits would end the process.
  worker.on('error', () => onEnd(worker))
  worker.on('exit', () => onEnd(worker))
  const ready = await replied(worker, startMsMax, () => undefined)
  if (ready === null) throw new Error(`it did not start within ${startMsMax} ms`)
  return worker
}

/** The next message of the thread, null if it takes longer; rejects when the thread dies. */
function replied(worker: Worker, msMax: number, ask: () => void): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const settle = (run: () => void): void => {
      clearTimeout(timeout)
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
      // Only while somebody waits for it may the thread keep the process alive.
      worker.unref()
      run()
    }
    const onMessage = (message: unknown): void => settle(() => resolve(message))
    const onError = (error: Error): void => settle(() => reject(error))
    const onExit = (): void => settle(() => reject(new Error('it exited')))
    const timeout = setTimeout(() => settle(() => resolve(null)), msMax)
    worker.ref()
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
    ask()
  })
}
