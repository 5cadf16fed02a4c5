// A log that delivers each job twice, as a server may.
import { Notifier } from '#log/delivery'
import type { Log } from '#ports/log'
import { logOf } from './wrapped-log.ts'

/** The log with each job delivered twice, the second time when the first was ended. */
export function twice(log: Log): Log {
  return {
    ...logOf(log),
    async *work(queue, names, options) {
      for await (const job of log.work(queue, names, options)) {
        const first = new Notifier()
        const { fact, attempt } = job
        const ring = async (): Promise<void> => first.ring()
        const ended = first.wait()
        yield { fact, attempt, done: ring, retry: (delayMs) => job.retry(delayMs) }
        await ended
        yield job
      }
    },
  }
}
