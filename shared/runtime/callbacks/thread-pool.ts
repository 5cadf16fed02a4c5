// A small pool of threads, shared fairly: agents that wait take turns, and each has at most one
// thread at a time, so that one whose calls hang delays no one else by more than its own place.
import { assert } from '#record/fault'
import { Turns } from '#record/turns'
import { keptThread, type Called, type Ended, type KeptThread } from './kept-thread.ts'

export interface ThreadPool {
  /** On the account of that agent. Never throws. */
  call(agent: string, call: Called): Promise<NonNullable<Ended>>
  /** Ends the threads after the calls that were made. */
  stop(): Promise<void>
}

const threadsMax = 4
const batchCallsMax = 64
/** A thread costs more than a short wait: another is started only where calls wait this long. */
const growMs = 10

interface Waiting {
  readonly call: Called
  readonly answer: (ended: NonNullable<Ended>) => void
}

export function threadPool(workerData: { readonly outside: boolean }, msMax: number): ThreadPool {
  const turns = new Turns<Waiting>()
  const threads: KeptThread[] = []
  const idle: KeptThread[] = []
  const under = new Set<Promise<void>>()
  let isDue = false
  let growing: NodeJS.Timeout | undefined

  const grow = (): void => {
    growing = undefined
    if (!turns.hasNext || idle.length > 0) return
    addThread()
    dispatch()
  }
  const addThread = (): void => {
    const thread = keptThread(workerData, msMax)
    threads.push(thread)
    idle.push(thread)
  }
  const dispatch = (): void => {
    isDue = false
    while (turns.hasNext) {
      if (threads.length === 0) addThread()
      const thread = idle.pop()
      if (thread === undefined) {
        if (threads.length < threadsMax) growing ??= setTimeout(grow, growMs)
        return
      }
      const run = runBatch(thread).finally(() => {
        under.delete(run)
      })
      under.add(run)
    }
  }
  const runBatch = async (thread: KeptThread): Promise<void> => {
    const turn = turns.next(batchCallsMax)
    assert(turn !== null, 'someone waits')
    const { caller, served } = turn
    const ended = await thread.call(served.map(({ call }) => call))
    turns.end(turn)
    idle.push(thread)
    turns.addAgain(caller, answerAll(served, ended))
    dispatch()
  }

  return {
    call: (agent, call) =>
      new Promise((answer) => {
        turns.add(agent, { call, answer })
        // What is asked for in one go is sent in one batch.
        if (!isDue) queueMicrotask(dispatch)
        isDue = true
      }),
    async stop() {
      while (under.size > 0 || !turns.isEmpty) {
        await Promise.all(under)
        if (under.size === 0 && !turns.isEmpty) await new Promise(setImmediate)
      }
      clearTimeout(growing)
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

/** Returns those that are to be called again. */
function answerAll(batch: readonly Waiting[], ended: readonly Ended[]): readonly Waiting[] {
  const again: Waiting[] = []
  for (const [index, one] of batch.entries()) {
    const end = ended[index] ?? null
    if (end === null) again.push(one)
    else one.answer(end)
  }
  return again
}
