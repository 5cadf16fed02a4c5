// One worker thread that answers calls in batches, started when it is needed and replaced when a
// call hangs or kills it. What a call leaves behind may end the thread, and never the process.
import { Worker } from 'node:worker_threads'
import { hasEscapedKey, parseJson } from '#record/json'
import { threadSource } from './thread-source.ts'

export interface Called {
  readonly url: string
  readonly name: string
  readonly context: unknown
}

/** What became of a call: nothing that a thread sends is believed, so a reply is anything. */
export type Ended =
  | { readonly reply: unknown }
  | { readonly failed: 'hung' | 'died' }
  /** Another call took the thread with it, or the batch took long enough: call it again. */
  | null

export interface KeptThread {
  /** What became of each call of a batch, of at least one of them. Never throws. */
  call(batch: readonly Called[]): Promise<readonly Ended[]>
  /** Ends the thread. Must not be called while a batch is under way. */
  stop(): Promise<void>
}

const startMsMax = 10_000
/** How often to look whether the thread gets on. */
const lookMs = 50
/** A call that kills its thread is tried on a fresh one: another may have begun to fill it. */
const triesMax = 2

interface Started {
  readonly worker: Worker
  /** How many calls of the batch have ended. */
  readonly progress: Int32Array
  /** The modules that it has, by their URLs. */
  readonly modules: Map<string, number>
}

export function keptThread(workerData: { readonly outside: boolean }, msMax: number): KeptThread {
  let thread: Started | null = null
  const drop = async (): Promise<void> => {
    const dropped = thread
    thread = null
    await dropped?.worker.terminate()
  }
  const tried = async (batch: readonly Called[]): Promise<readonly Ended[]> => {
    try {
      thread ??= await started(workerData, (ended) => {
        if (thread?.worker === ended) thread = null
      })
      const asked = thread
      const message = messageFor(asked, batch)
      Atomics.store(asked.progress, 0, 0)
      const received = await next(asked, msMax, () => asked.worker.postMessage(message))
      if ('message' in received) return repliesIn(received.message, batch)
      return endedAt(Atomics.load(asked.progress, 0), batch, received.failed)
    } catch {
      return endedAt(0, batch, 'died')
    }
  }
  return {
    async call(batch) {
      let ended: readonly Ended[] = []
      for (let tries = 0; tries < triesMax; tries += 1) {
        ended = await tried(batch)
        const failed = failureIn(ended)
        if (failed !== null) await drop()
        if (failed !== 'died') return ended
      }
      return ended
    },
    stop: drop,
  }
}

function failureIn(ended: readonly Ended[]): 'hung' | 'died' | null {
  for (const one of ended) if (one !== null && 'failed' in one) return one.failed
  return null
}

/** The call at that place failed; those before it ended, but what they answered is lost. */
function endedAt(place: number, batch: readonly Called[], failed: 'hung' | 'died'): Ended[] {
  const at = Math.min(place, batch.length - 1)
  return batch.map((_, index) => (index === at ? { failed } : null))
}

function repliesIn(message: unknown, batch: readonly Called[]): readonly Ended[] {
  const sent: unknown = typeof message === 'string' ? parseJson(message) : null
  const replies: readonly unknown[] = Array.isArray(sent) ? sent : []
  return batch.map((_, index) => (index < replies.length ? { reply: replies[index] } : null))
}

// Contexts are large, and the calls of one intent share them; a module is larger, and stays.
function messageFor({ modules }: Started, batch: readonly Called[]) {
  const load: [number, string][] = []
  const texts: unknown[] = []
  const places = new Map<unknown, number>()
  const calls = batch.map(({ url, name, context }) => {
    const place = places.get(context) ?? texts.push(sentAs(context)) - 1
    places.set(context, place)
    const module = modules.get(url) ?? modules.size
    if (!modules.has(url)) load.push([module, url])
    modules.set(url, module)
    return [module, name, place] as const
  })
  return { load, texts, calls }
}

/** As text, which each call parses; as a value where a thread's parser could misread a key. */
function sentAs(context: unknown): unknown {
  const text = JSON.stringify(context)
  return hasEscapedKey(text) ? parseJson(text) : text
}

async function started(
  { outside }: { readonly outside: boolean },
  onEnd: (worker: Worker) => void,
): Promise<Started> {
  const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(threadSource, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: { outside, progress },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  // Without a listener an error that comes when nothing waits would end the process.
  worker.on('error', () => onEnd(worker))
  worker.on('exit', () => onEnd(worker))
  const thread = { worker, progress, modules: new Map<string, number>() }
  const ready = await next(thread, startMsMax, () => undefined)
  if ('message' in ready) return thread
  await worker.terminate()
  throw new Error(`a callback thread ${ready.failed} when it was started`)
}

type Received = { readonly message: unknown } | { readonly failed: 'hung' | 'died' }

/** The next message of the thread, unless it dies, or makes no progress for that long. */
function next({ worker, progress }: Started, msMax: number, ask: () => void): Promise<Received> {
  return new Promise((resolve) => {
    const settle = (received: Received): void => {
      clearTimeout(timeout)
      worker.off('message', onMessage)
      worker.off('error', onDeath)
      worker.off('exit', onDeath)
      // Only while something waits for it may the thread keep the process alive.
      worker.unref()
      resolve(received)
    }
    const onMessage = (message: unknown): void => settle({ message })
    const onDeath = (): void => settle({ failed: 'died' })
    let seen = 0
    let since = performance.now()
    const look = (): void => {
      const ended = Atomics.load(progress, 0)
      const now = performance.now()
      if (ended === seen && now - since >= msMax) {
        settle({ failed: 'hung' })
        return
      }
      if (ended !== seen) since = now
      seen = ended
      timeout = setTimeout(look, lookMs)
    }
    let timeout = setTimeout(look, lookMs)
    worker.ref()
    worker.on('message', onMessage)
    worker.on('error', onDeath)
    worker.on('exit', onDeath)
    ask()
  })
}
