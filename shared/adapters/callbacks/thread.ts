// Callbacks in a worker thread of their own: what hangs is killed and refuses, what throws refuses, and
// nothing there has a clock, randomness, a locale or a way out, so that a replay answers the same.
import { Worker } from 'node:worker_threads'
import { Fault } from '#core/fault'
import { callbackMsMax, type CallbackOutcome, type Callbacks } from '#ports/callbacks'
import { moduleUrl } from './module.ts'
import { threadSource } from './thread-source.ts'

/** The source text of the module of that digest, or null where it is not here. */
export type LoadModule = (digest: string) => Promise<string | null>

interface Call {
  readonly url: string
  readonly name: string
  readonly context: unknown
  readonly resolve: (outcome: CallbackOutcome) => void
}

const startMsMax = 10_000

export function threadCallbacks(load: LoadModule): Callbacks {
  const urls = new Map<string, Promise<string | null>>()
  const queue: Call[] = []
  let thread: Thread | null = null
  let running: Promise<void> | null = null

  const drain = async (): Promise<void> => {
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) {
      try {
        thread ??= await startThread()
        const outcome = await thread.call(call)
        call.resolve(outcome)
        if ('faulted' in outcome && outcome.faulted === tooLate) thread = await dropped(thread)
      } catch (error) {
        thread = null
        const why = error instanceof Error ? error.message : 'unknown'
        call.resolve({ faulted: `the callback thread failed: ${why}` })
      }
    }
  }
  const urlOf = (digest: string): Promise<string | null> => {
    const known = urls.get(digest) ?? load(digest).then((source) => moduleUrl(source))
    urls.set(digest, known)
    return known
  }

  return {
    async run(module, name, context) {
      if (module === null) return { faulted: 'the catalog pins no callback module' }
      const url = await urlOf(module).catch((error: unknown) => {
        urls.delete(module)
        return error instanceof Fault ? error : null
      })
      if (url instanceof Fault) return { faulted: url.message }
      if (url === null) {
        urls.delete(module)
        return { faulted: `the callback module ${module} is not here` }
      }
      return new Promise((resolve) => {
        queue.push({ url, name, context, resolve })
        running ??= drain().finally(() => {
          running = null
        })
      })
    },
    async close() {
      await running
      await thread?.stop()
      thread = null
    },
  }
}

const tooLate = `it did not answer within ${callbackMsMax} ms`

interface Thread {
  call(call: Pick<Call, 'url' | 'name' | 'context'>): Promise<CallbackOutcome>
  stop(): Promise<void>
}

async function dropped(thread: Thread): Promise<null> {
  await thread.stop()
  return null
}

async function startThread(): Promise<Thread> {
  const worker = new Worker(threadSource, {
    eval: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  worker.unref()
  await replied(worker, startMsMax, () => undefined)
  return {
    async call({ url, name, context }) {
      const reply = await replied(worker, callbackMsMax, () => {
        worker.postMessage({ url, name, context: JSON.stringify(context) })
      })
      return reply === null ? { faulted: tooLate, recorded: true } : outcomeOf(reply)
    },
    async stop() {
      await worker.terminate()
    },
  }
}

function outcomeOf(reply: unknown): CallbackOutcome {
  if (typeof reply !== 'object' || reply === null) return { faulted: 'it answered nothing' }
  if ('faulted' in reply && typeof reply.faulted === 'string') return { faulted: reply.faulted }
  if (!('answer' in reply) || typeof reply.answer !== 'string') {
    return { faulted: 'it did not answer JSON' }
  }
  const recorded = 'recorded' in reply && reply.recorded === true
  return { answer: JSON.parse(reply.answer), recorded }
}

/** The next message of the thread, null if it takes longer; rejects when the thread dies. */
function replied(worker: Worker, msMax: number, ask: () => void): Promise<unknown> {
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
