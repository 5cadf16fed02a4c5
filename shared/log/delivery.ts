// How facts and jobs reach their readers: one that waits is woken by a notifier, and looks again.
// It must never decide what is delivered; its source does.
import type { Arriving, Fact, Job } from '#ports/log'

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

/** Gives the next one that is there; undefined where what comes next has to be waited for. */
export type Take<T> = () => T | undefined

const none = (): undefined => undefined
const end = { done: true, value: undefined } as const

/**
 * Each by itself, of what comes several at a time: what is there already costs no turn of a
 * generator.
 */
export function oneByOne<T>(
  several: AsyncGenerator<Take<T>, void, void>,
): AsyncIterableIterator<T, void, void> & Arriving<T> {
  let take: Take<T> = none
  const taken = (): Promise<IteratorResult<T, void>> | undefined => {
    const value = take()
    return value === undefined ? undefined : Promise.resolve({ done: false, value })
  }
  const leave = async (): Promise<void> => {
    take = none
    await several.return()
  }
  const further = async (): Promise<IteratorResult<T, void>> => {
    for (;;) {
      take = none
      const next = await several.next()
      if (next.done === true) return end
      take = next.value
      const found = taken()
      if (found !== undefined) return found
    }
  }
  const failed = async (error: unknown): Promise<never> => {
    await leave()
    throw error
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    ready: () => take(),
    next() {
      try {
        return taken() ?? further().catch(failed)
      } catch (error) {
        return failed(error)
      }
    },
    async return() {
      await leave()
      return end
    },
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
): AsyncGenerator<Take<Fact>, void, void> {
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
      let at = 0
      yield () => (over() ? undefined : page[at++])
      next += page.length
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
): AsyncGenerator<Take<Job>, void, void> {
  // At once, and not when the reader comes back: who knows how long its last job takes.
  const leave = (): void => {
    source.leave()
    source.notifier.ring()
  }
  signal.addEventListener('abort', leave)
  try {
    const over = (): boolean => signal.aborted || source.ended
    while (!over()) {
      yield () => (over() ? undefined : source.next())
      // In the same turn as it was found empty, or a ring in between would be missed.
      if (!over()) await source.notifier.wait()
    }
  } finally {
    signal.removeEventListener('abort', leave)
    source.leave()
  }
}
