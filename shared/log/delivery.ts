// How facts and jobs reach their readers: one that waits is woken by a notifier, and looks again.
// It must never decide what is delivered; its source does.
import type { Fact, Job } from '#ports/log'

/** Wakes all that wait. Being woken promises nothing: the woken one looks again. */
export class Notifier {
  #waiting: (() => void)[] = []

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  ring(): void {
    if (this.#waiting.length === 0) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}

export interface FactSource {
  readonly notifier: Notifier
  readonly ended: boolean
  /** Facts from that position on, without a gap; none if there are none yet. */
  page(from: number): readonly Fact[]
  /** Lets others have their turn before the next page. */
  pause(): Promise<void>
}

/** Pages between two pauses: with one, who follows falls behind as fast as others append. */
const pagesMax = 8

export async function* follow(
  source: FactSource,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<Fact, void, void> {
  const over = (): boolean => signal.aborted || source.ended
  const wake = (): void => source.notifier.ring()
  signal.addEventListener('abort', wake)
  try {
    let next = Math.max(from, 1)
    let pages = 0
    while (!over()) {
      const page = source.page(next)
      if (page.length === 0) {
        await source.notifier.wait()
        pages = 0
        continue
      }
      if (pages > 0 && pages % pagesMax === 0) await source.pause()
      pages += 1
      for (const fact of page) {
        if (over()) return
        yield fact
        next = fact.position + 1
      }
    }
  } finally {
    signal.removeEventListener('abort', wake)
  }
}

export interface JobSource {
  readonly notifier: Notifier
  readonly ended: boolean
  next(): Job | undefined
  /** No more jobs: those that no one has seen yet are given back. May be called again. */
  leave(): void
}

export async function* deliver(
  source: JobSource,
  signal: AbortSignal,
): AsyncGenerator<Job, void, void> {
  // At once, and not when the reader comes back: who knows how long its last job takes.
  const leave = (): void => {
    source.leave()
    source.notifier.ring()
  }
  signal.addEventListener('abort', leave)
  try {
    while (!signal.aborted && !source.ended) {
      const job = source.next()
      if (job === undefined) await source.notifier.wait()
      else yield job
    }
  } finally {
    signal.removeEventListener('abort', leave)
    source.leave()
  }
}
