// How far the log is, asked by anyone who looks at this process from outside: an answer within a
// second, or none. However often it is asked, the log receives one question at a time.
import type { Timer } from '#ports/clock'
import type { Head, LogReader } from '#ports/log'
import { timedOut, withTimeout } from '#runtime/engine/timeout'

const answerMsMax = 1_000

/** Null where the log does not say it in time. */
export type AskHead = () => Promise<Head | null>

export function askHead(log: LogReader, timer: Timer): AskHead {
  let asked: Promise<Head | null> | null = null
  const answer = async (): Promise<Head | null> => {
    try {
      return await log.head()
    } catch {
      return null
    } finally {
      asked = null
    }
  }
  return async () => {
    asked ??= answer()
    const head = await withTimeout(timer, answerMsMax, asked)
    return head === timedOut ? null : head
  }
}
