// Asks a thread that answers each message with one of its own.
import type { Worker } from 'node:worker_threads'

/** Its answer; null where the thread ends, fails or takes longer than so many milliseconds. */
export function askedThread(thread: Worker, request: unknown, msMax: number): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (answer: unknown): void => {
      clearTimeout(timeout)
      thread.off('message', settle)
      thread.off('error', fail)
      thread.off('exit', fail)
      // Only while something waits for it may the thread keep the process alive.
      thread.unref()
      resolve(answer)
    }
    const fail = (): void => settle(null)
    const timeout = setTimeout(fail, msMax)
    thread.ref()
    thread.on('message', settle)
    thread.on('error', fail)
    thread.on('exit', fail)
    thread.postMessage(request)
  })
}
