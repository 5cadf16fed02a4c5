// A small pool of threads, shared fairly: agents that wait take turns, and each has at most one
// thread at a time, so that one whose calls hang delays no one else by more than its own place.
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
  /** By agent, whose turn is next first. */
  const waiting = new Map<string, Waiting[]>()
  const busy = new Set<string>()
  const threads: KeptThread[] = []
  const idle: KeptThread[] = []
  const under = new Set<Promise<void>>()
  let isDue = false
  let growing: NodeJS.Timeout | undefined

  const nextAgent = (): string | undefined => firstFree(waiting, busy)
  const grow = (): void => {
    growing = undefined
    if (nextAgent() === undefined || idle.length > 0) return
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
    for (let agent = nextAgent(); agent !== undefined; agent = nextAgent()) {
      if (threads.length === 0) addThread()
      const thread = idle.pop()
      if (thread === undefined) {
        if (threads.length < threadsMax) growing ??= setTimeout(grow, growMs)
        return
      }
      const run = runBatch(thread, agent, batchOf(waiting, agent)).finally(() => {
        under.delete(run)
      })
      under.add(run)
    }
  }
  const runBatch = async (
    thread: KeptThread,
    agent: string,
    batch: readonly Waiting[],
  ): Promise<void> => {
    busy.add(agent)
    const ended = await thread.call(batch.map(({ call }) => call))
    busy.delete(agent)
    idle.push(thread)
    const again = answerAll(batch, ended)
    if (again.length > 0) waiting.set(agent, [...again, ...(waiting.get(agent) ?? [])])
    dispatch()
  }

  return {
    call: (agent, call) =>
      new Promise((answer) => {
        add(waiting, agent, { call, answer })
        // What is asked for in one go is sent in one batch.
        if (!isDue) queueMicrotask(dispatch)
        isDue = true
      }),
    async stop() {
      while (under.size > 0 || waiting.size > 0) {
        await Promise.all(under)
        if (under.size === 0 && waiting.size > 0) await new Promise(setImmediate)
      }
      clearTimeout(growing)
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

function add(waiting: Map<string, Waiting[]>, agent: string, one: Waiting): void {
  const others = waiting.get(agent)
  if (others === undefined) waiting.set(agent, [one])
  else others.push(one)
}

/** What does not fit into the batch waits for the agent's next turn. */
function batchOf(waiting: Map<string, Waiting[]>, agent: string): readonly Waiting[] {
  const all = waiting.get(agent) ?? []
  waiting.delete(agent)
  if (all.length > batchCallsMax) waiting.set(agent, all.slice(batchCallsMax))
  return all.slice(0, batchCallsMax)
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

function firstFree(
  waiting: ReadonlyMap<string, unknown>,
  busy: ReadonlySet<string>,
): string | undefined {
  for (const agent of waiting.keys()) if (!busy.has(agent)) return agent
  return undefined
}
