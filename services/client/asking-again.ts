// Asks again, as a new intent, what was denied since too many of the agent's intents were open: the
// stages were away, or behind, and the denial has used up its identifier. So too for an identifier
// of a clock that is ahead of the log: the answer has shown what the log's time is.
import { Fault } from '#record/fault'
import type { Verdict } from '#replay/verdicts/verdict'
import { unlessAborted, type AskOptions, type IntentFields } from './asking.ts'

type Ask = (fields: IntentFields, options?: AskOptions) => Promise<Verdict>
type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<void>

const retriesDefault = 3
const retriesMax = 10
/** Before the first; each after that is twice as long as the one before. */
const pauseMsMin = 1_000

/** The same, up to so many times more; within `waitMs` where it is given. */
export function askingAgain(ask: Ask, pause: Pause = paused): Ask {
  return async (fields, options = {}) => {
    const { retries = retriesDefault, key, waitMs } = options
    if (!Number.isInteger(retries) || retries < 0 || retries > retriesMax) {
      const message = `retries is ${retries}: give a whole number from 0 to ${retriesMax}`
      throw new Fault('options_invalid', message)
    }
    // What has a name of its own is that one intent, and its denial stands.
    const most = key === undefined ? retries : 0
    const end = performance.now() + (waitMs ?? Infinity)
    const verdict = await ask(fields, options)
    if (most === 0 || !isOfItsMoment(verdict)) return verdict
    return again(verdict, (within) => ask(fields, { ...options, ...within }), {
      most,
      end,
      pause: (ms) => pause(ms, options.signal),
    })
  }
}

interface Again {
  readonly most: number
  /** By the clock of this process; infinite where no one said how long it may take. */
  readonly end: number
  readonly pause: (ms: number) => Promise<void>
}

async function again(
  denied: Verdict,
  ask: (within: Pick<AskOptions, 'waitMs'>) => Promise<Verdict>,
  { most, end, pause }: Again,
): Promise<Verdict> {
  const leftMs = (): number => Math.max(0, end - performance.now())
  let verdict = denied
  for (let turn = 0; turn < most && isOfItsMoment(verdict); turn += 1) {
    const pauseMs = pauseMsMin * 2 ** turn
    if (leftMs() <= pauseMs) return verdict
    await pause(pauseMs)
    verdict = await ask(end === Infinity ? {} : { waitMs: Math.floor(leftMs()) })
  }
  return verdict
}

/** Whether nothing else was against it. */
function isOfItsMoment({ outcome, reasons }: Pick<Verdict, 'outcome' | 'reasons'>): boolean {
  return outcome === 'deny' && reasons.every((reason) => passes(reason))
}

function passes({ code, params: { issues = [] } }: Verdict['reasons'][number]): boolean {
  if (code === 'too_many_open') return true
  return issues.length > 0 && issues.every(({ cause }) => cause === 'clock_ahead')
}

async function paused(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await unlessAborted(signal, () => over)
  } finally {
    clearTimeout(timer)
  }
}
