// How much one question may take: so much time, so many facts, and so many questions at once. The
// log is only read, whatever is asked.
import { setImmediate as turn } from 'node:timers/promises'
import { Fault } from '#record/fault'
import type { Fact, LogReader } from '#ports/log'

export interface QuestionBounds {
  /** So long one question may take, in milliseconds. */
  readonly msMax: number
  /** So many facts it may read. */
  readonly factsMax: number
  /** So many are answered at once, and so many more wait for that. */
  readonly atOnceMax: number
  readonly waitingMax: number
}

export const boundsDefault: QuestionBounds = {
  msMax: 30_000,
  factsMax: 5_000_000,
  atOnceMax: 2,
  waitingMax: 32,
}

/** Where reading ended before the end of the log, and why. */
export interface CutShort {
  readonly after: number
  readonly why: 'time' | 'facts' | 'intents'
}

/** What one question may still take. */
export interface Remaining {
  /** Why it may read no further; null while it may. Throws where the client gave it up. */
  ended(): CutShort['why'] | null
  /** A fact was read. */
  count(): void
}

/** From now on. */
export function remainingFrom(
  { msMax, factsMax }: Pick<QuestionBounds, 'msMax' | 'factsMax'>,
  signal: AbortSignal,
): Remaining {
  const until = performance.now() + msMax
  let facts = 0
  return {
    ended() {
      if (signal.aborted) throw new Fault('question_too_long', 'the client gave the call up')
      if (facts >= factsMax) return 'facts'
      return performance.now() >= until ? 'time' : null
    },
    count() {
      facts += 1
    },
  }
}

/** The log, for as long as the question may take. Throws a Fault `question_too_long` after that. */
export function withinBounds(log: LogReader, remaining: Remaining): LogReader {
  return {
    get: (name) => log.get(name),
    head: () => log.head(),
    read: (range, names) =>
      taking(log.read(range, names), remaining, (why, { position }) => {
        const most = why === 'time' ? 'it took as long' : `it read as many ${why}`
        const what = `${most} as one call may, up to position ${position}`
        throw new Fault('question_too_long', what)
      }),
  }
}

export interface EndingLog extends LogReader {
  /** Null where all was read. */
  cut(): CutShort | null
}

/** The same, where reading all of it just ends: what was found until then is an answer too. */
export function endingInBounds(log: LogReader, remaining: Remaining): EndingLog {
  let cut: CutShort | null = null
  return {
    ...withinBounds(log, remaining),
    read(range, names) {
      if (names !== undefined) return log.read(range, names)
      return taking(log.read(range), remaining, (why, { position }) => {
        cut = { after: position - 1, why }
      })
    },
    cut: () => cut,
  }
}

const factsBetweenTurns = 256

async function* taking(
  facts: AsyncIterable<Fact>,
  remaining: Remaining,
  end: (why: CutShort['why'], fact: Fact) => void,
): AsyncGenerator<Fact, void, void> {
  let count = 0
  for await (const fact of facts) {
    count += 1
    // Others are answered meanwhile, and that a client gave up is seen.
    if (count % factsBetweenTurns === 0) await turn()
    const why = remaining.ended()
    if (why !== null) {
      end(why, fact)
      return
    }
    remaining.count()
    yield fact
  }
}

/** Does so many at once, each in its turn; refuses more than can wait. */
export function inTurnAtMost({
  atOnceMax,
  waitingMax,
}: Pick<QuestionBounds, 'atOnceMax' | 'waitingMax'>): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (act) => {
    if (running >= atOnceMax) {
      if (waiting.length >= waitingMax) {
        const what = `${waitingMax} calls wait already`
        throw new Fault('caller_busy', what, { retry: 'soon' })
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await act()
    } finally {
      // Its place goes to the next at once.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
