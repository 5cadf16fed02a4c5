// How long to wait before something that failed is tried again.

const firstMs = 1_000
const backoffMsMax = 30_000

/** Twice as long after each failure, up to half a minute. */
export function backoffMs(failuresBefore: number): number {
  return Math.min(firstMs * 2 ** failuresBefore, backoffMsMax)
}
