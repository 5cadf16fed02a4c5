// Waits for a log on servers that is out of reach when a process starts: it may be down just then,
// or between two leaders. What trying again cannot help is thrown.
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '#record/fault'

const againMs = 1_000
const reportMs = 5_000

/** Opens it again and again; `report` is called with the reason every few seconds. */
export async function untilReached<T>(
  open: () => Promise<T>,
  report: (fault: Fault) => void,
): Promise<T> {
  for (let reportedAt = -Infinity; ;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof Fault) || error.retry !== 'soon') throw error
      if (performance.now() - reportedAt >= reportMs) {
        reportedAt = performance.now()
        report(error)
      }
    }
    await sleep(againMs)
  }
}
