// Tries again what the server does not take at the moment. All who were refused were refused at the
// same moment, so the pause grows, and is of another length for each.
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '#record/fault'

const pauseMsMin = 100
const pauseMsMax = 5_000

export interface Patience {
  /** After so long it is not tried again. */
  readonly waitMs: number
  /** Whether another try can help, and is still wanted. */
  readonly isWorthIt: (fault: Fault) => boolean
}

export function untilTaken<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const end = performance.now() + patience.waitMs
  // Nearly always the first is taken, and an asynchronous function would cost as much again.
  return attempt().catch((error: unknown) => again(attempt, patience, { error, end }))
}

async function again<T>(
  attempt: () => Promise<T>,
  { isWorthIt }: Patience,
  { error: first, end }: { readonly error: unknown; readonly end: number },
): Promise<T> {
  let error = first
  for (let pauseMs = pauseMsMin; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
    const leftMs = end - performance.now()
    if (leftMs <= 0 || !(error instanceof Fault) || !isWorthIt(error)) throw error
    await sleep(Math.min(pauseMs * (0.5 + Math.random()), leftMs))
    try {
      return await attempt()
    } catch (next) {
      error = next
    }
  }
}
