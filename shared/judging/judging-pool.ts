// Calls judged beside the thread that serves everyone: a call that is short and takes little is
// judged at once, another in a thread of its own with a deadline, and of each caller only one at a
// time, so that no agent's call holds up another's.
import { Worker } from 'node:worker_threads'
import { askedThread } from '#system/asked-thread'
import { Turns } from '#record/turns'
import type { AskedCall } from '#shell/hooks/hook-input'
import { Effort, TooDear } from '#shell/effort'
import { judgeHere, type HookJudge, type JudgedBy, type JudgedEvent } from './judging.ts'
import type { HookSeedFolders } from './hook-seed.ts'

export interface PoolOptions extends JudgedBy {
  /** Those that the tables come from: each thread reads them itself. */
  readonly folders: HookSeedFolders
  /** For tests. */
  readonly msMax?: number
}

/** What is judged at once takes a few milliseconds at most; what is found to take more does not. */
const charactersMax = 1_000
const atOnce = 10_000
/** Far longer than what the budget of the judge lets through takes. */
const judgingMsMax = 5_000
const threadsMax = 2
/** Of one caller. */
const waitingMax = 64

interface Waiting {
  readonly event: JudgedEvent
  readonly settle: (answer: Answer) => void
}

type Answer = { readonly asked: AskedCall } | { readonly failed: string }

export function judgingPool(options: PoolOptions): HookJudge {
  const { folders, key, readable, msMax = judgingMsMax } = options
  const judgedAtOnce = (event: JudgedEvent): Promise<AskedCall> => {
    const tables = { ...options.tables, effort: new Effort(atOnce) }
    return judgeHere({ ...options, tables }).judged(event)
  }
  const turns = new Turns<Waiting>()
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const start = (): Worker => {
    const worker = started({ folders, key, readable })
    all.add(worker)
    const gone = (): void => {
      all.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
    }
    // Without a listener an error that comes when nothing waits would end the process.
    worker.on('error', gone)
    worker.on('exit', gone)
    return worker
  }
  const work = async (): Promise<void> => {
    if (idle.length === 0 && all.size >= threadsMax) return
    const turn = turns.next()
    if (turn === null) return
    const worker = idle.pop() ?? start()
    const [{ event, settle }] = turn.served
    const answer = await askedThread(worker, event, msMax)
    turns.end(turn)
    if (isAnswer(answer)) {
      idle.push(worker)
      settle(answer)
    } else {
      all.delete(worker)
      await worker.terminate()
      settle({ failed: tooLong(msMax) })
    }
    void work()
  }
  const queued = (event: JudgedEvent): Promise<Answer> =>
    new Promise((settle) => {
      if (turns.countOf(event.principal) >= waitingMax) {
        throw new Error('too many calls of this caller wait: make it again later')
      }
      turns.add(event.principal, { event, settle })
      void work()
    })
  return {
    tables: options.tables,
    async judged(event) {
      try {
        if (lengthOf(event) <= charactersMax) return await judgedAtOnce(event)
      } catch (error) {
        if (!(error instanceof TooDear)) throw error
      }
      const answer = await queued(event)
      if ('failed' in answer) throw new Error(answer.failed)
      return answer.asked
    },
    async close() {
      for (const { settle } of turns.clear()) settle({ failed: 'the server is stopping' })
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

/** What a thread of ours sends is what was asked for, or null. */
function isAnswer(answer: unknown): answer is Answer {
  return answer !== null
}

function tooLong(msMax: number): string {
  return `it took longer than ${msMax / 1_000} s: make several shorter calls of it`
}

/** Of all texts in it, as far as it matters. */
function lengthOf({ call }: JudgedEvent): number {
  let length = 0
  const rest: unknown[] = [call.args]
  for (let one = rest.pop(); rest.length + length <= charactersMax; one = rest.pop()) {
    length += typeof one === 'string' ? one.length : 1
    if (typeof one === 'object' && one !== null) {
      for (const [name, value] of Object.entries(one)) {
        length += name.length
        rest.push(value)
      }
    }
    if (rest.length === 0) return length
  }
  return charactersMax + 1
}

function started(workerData: Pick<PoolOptions, 'folders' | 'key' | 'readable'>): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const program = isSource ? './from-source.mjs' : './judging-program.js'
  const worker = new Worker(new URL(program, import.meta.url), {
    workerData,
    env: {},
    execArgv: isSource ? ['--conditions=warrant-source'] : [],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  worker.unref()
  return worker
}
