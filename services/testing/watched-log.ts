// A log that knows when every job of every queue has ended, so that a test can say that nothing
// more will come without waiting for a while.
import { Notifier } from '#log/delivery'
import { covering } from '#record/pattern'
import type { Job, Log } from '#ports/log'

export class Watch {
  readonly #queues = new Map<string, (name: string) => boolean>()
  readonly #ended = new Set<string>()
  readonly #notifier = new Notifier()
  /** Up to here every job of the queues known so far was ended. */
  #cleared = 0

  /** The log with its jobs watched. All handles of one store share a watch. */
  over(log: Log): Log {
    return {
      append: log.append.bind(log),
      get: log.get.bind(log),
      read: log.read.bind(log),
      follow: log.follow.bind(log),
      work: (queue, names, options) => this.#work(log, queue, names, options),
      head: log.head.bind(log),
      close: log.close.bind(log),
    }
  }

  /** Resolves when no fact of the log is still a job. */
  async settled(log: Log): Promise<void> {
    for (let seen = this.#ended.size; await this.outstanding(log); seen = this.#ended.size) {
      // A job may have been ended while the log was read: then it is read again.
      if (this.#ended.size === seen) await this.#notifier.wait()
    }
    // Who follows the log in this process folds its last facts in a turn of its own.
    await new Promise((resolve) => void setImmediate(resolve))
  }

  /** Whether a fact of the log is a job that was not ended yet. */
  async outstanding(log: Log): Promise<boolean> {
    for await (const { name, position } of log.read({ from: this.#cleared + 1 })) {
      for (const [queue, covers] of this.#queues) {
        if (covers(name) && !this.#ended.has(`${queue} ${position}`)) return true
      }
      this.#cleared = position
    }
    return false
  }

  async *#work(log: Log, ...[queue, names, options]: Parameters<Log['work']>): AsyncGenerator<Job> {
    if (!this.#queues.has(queue)) this.#cleared = 0
    this.#queues.set(queue, covering(names))
    for await (const job of log.work(queue, names, options)) {
      yield {
        fact: job.fact,
        attempt: job.attempt,
        retry: (delayMs) => job.retry(delayMs),
        done: async () => {
          await job.done()
          this.#ended.add(`${queue} ${job.fact.position}`)
          this.#notifier.ring()
        },
      }
    }
  }
}
