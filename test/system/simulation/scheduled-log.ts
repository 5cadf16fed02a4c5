// A log whose every step waits for its turn: before an append and after it, before each fact of a
// fold, before and after a job, some of which are delivered twice.
import type { MemoryStore } from '#log/memory/log'
import type { Job, Log } from '#ports/log'
import type { Scheduler } from './scheduler.ts'

const twicePercent = 10

export function scheduledLog(store: MemoryStore, scheduler: Scheduler, actor: string): Log {
  const inner = store.open()
  const turn = (): Promise<void> => scheduler.turn(actor)
  return {
    async append(entry) {
      await turn()
      const appended = await inner.append(entry)
      await turn()
      return appended
    },
    async get(name) {
      await turn()
      return inner.get(name)
    },
    async head() {
      await turn()
      return inner.head()
    },
    async *read(range, names) {
      await turn()
      yield* inner.read(range, names)
    },
    async *follow(from, signal) {
      for await (const fact of inner.follow(from, signal)) {
        await turn()
        yield fact
      }
    },
    async *work(queue, names, options) {
      for await (const job of inner.work(queue, names, options)) {
        await turn()
        yield scheduled(job, turn)
        if (scheduler.chance(twicePercent)) yield again(job)
      }
    },
    close: () => inner.close(),
  }
}

function scheduled(job: Job, turn: () => Promise<void>): Job {
  return {
    fact: job.fact,
    attempt: job.attempt,
    async done() {
      await turn()
      await job.done()
    },
    async retry(delayMs) {
      await turn()
      await job.retry(delayMs)
    },
  }
}

function again(job: Job): Job {
  const ended = (): Promise<void> => Promise.resolve()
  return { fact: job.fact, attempt: job.attempt, done: ended, retry: ended }
}
