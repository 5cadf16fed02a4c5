// How far long work is, on one line: how much is done, how fast, and how long it may still take.
import { duration } from '#present/wording'
import type { Progress } from '#runtime/reporting/progress'

/** How much was done when. */
export interface Sample {
  readonly at: number
  readonly done: number
}

const secondMs = 1_000

/** `samples` are of this work alone, the oldest first; the last is the present. */
export function progressText(
  { doing, of, total, done }: Progress,
  samples: readonly Sample[],
): string {
  const rate = ratePerSecond(samples)
  const isTotalKnown = total !== null && total > 0
  const share = isTotalKnown ? Math.min(100, Math.floor((100 * done) / total)) : null
  const count = share === null ? `${done} ${of}` : `${done} of ${total} ${of} (${share} %)`
  const speed = rate === null ? [] : [`${rateText(rate)} a second`]
  const leftMs = isTotalKnown && rate !== null ? ((total - done) / rate) * secondMs : null
  // Whole seconds: a line that changes five times a second must be readable.
  const left =
    leftMs === null || leftMs <= 0
      ? []
      : [`${duration(Math.ceil(leftMs / secondMs) * secondMs)} left`]
  return `${doing}: ${[count, ...speed, ...left].join(', ')}`
}

/** Null where nothing was done between the first and the last. */
function ratePerSecond(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return null
  if (last.at <= first.at || last.done <= first.done) return null
  return ((last.done - first.done) * secondMs) / (last.at - first.at)
}

function rateText(rate: number): string {
  return rate < 10 ? rate.toFixed(1).replace('.0', '') : String(Math.round(rate))
}
