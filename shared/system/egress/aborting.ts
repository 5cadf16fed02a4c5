// How waiting for the outside ends when its signal aborts: at once, whatever the outside does.
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { Happened } from '#schemas/action/tool-failure'

export function abortFailure({ reason }: AbortSignal, happened: Happened): ToolFailure {
  const isLate = reason instanceof Error && reason.name === 'TimeoutError'
  return new ToolFailure(isLate ? 'timed_out' : 'cancelled', happened)
}

/** Settles as the promise does, or fails as soon as the signal aborts. */
export async function orAbort<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  happened: () => Happened,
): Promise<T> {
  let abort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(abortFailure(signal, happened()))
  })
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
