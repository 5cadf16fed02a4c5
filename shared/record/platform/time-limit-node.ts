// Work that is stopped where it takes too long, also in the middle of a search by a pattern. Its
// twin is `time-limit-browser.ts`.
import { createContext, Script } from 'node:vm'

const call = new Script('run()')
const box: Record<string, unknown> = createContext({})

/** What it comes to; null where it was still running after that long, and was stopped. */
export function endedWithin<T>(msMax: number, run: () => T): { readonly value: T } | null {
  const before = box['run']
  const ended: { value: T }[] = []
  box['run'] = () => {
    ended.push({ value: run() })
  }
  try {
    call.runInContext(box, { timeout: msMax })
  } catch (error) {
    if (!isTimeout(error)) throw error
  } finally {
    box['run'] = before
  }
  return ended[0] ?? null
}

function isTimeout(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false
  return error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
