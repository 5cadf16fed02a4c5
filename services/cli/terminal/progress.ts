// Shows on a terminal how far long work is, on one line that is written over and goes away at the
// end. Where standard error is no terminal it shows nothing; answers on standard output are never
// touched.
import { systemClock, systemTimer } from '#system/clock'
import type { Clock, Timer } from '#ports/clock'
import type { OnProgress, Progress } from '#runtime/reporting/progress'
import { visible } from './line.ts'
import { duration } from '#present/wording'

// How far long work is, on one line: how much is done, how fast, and how long it may still take.

/** How much was done when. */
interface Sample {
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

interface Terminal {
  readonly columns: number
  write(text: string): void
}

interface Showing {
  /** Null where there is none to show it on. */
  readonly terminal: Terminal | null
  readonly clock: Clock
  readonly timer: Timer
}

export interface ProgressBar {
  /** May be called for each fact: it draws a few times a second. */
  readonly on: OnProgress
  /** Takes the line away. Must be called whatever happens, and may be called again. */
  end(): void
}

/** Work that ends sooner shows nothing. */
const quietMs = 700
const betweenMs = 200
/** The rate is of the last eight seconds: what comes next is most like what was last. */
const samplesMax = 40
const columnsDefault = 80
const clearLine = '\r\u001b[K'

export function showProgress(showing: Showing = onStandardError()): ProgressBar {
  const { terminal } = showing
  if (terminal === null) return { on: () => undefined, end: () => undefined }
  const line = new ProgressLine(terminal, showing)
  return { on: (progress) => line.on(progress), end: () => line.end() }
}

/** Runs the work, and takes the line away however it ends. */
export async function withProgress<T>(work: (on: OnProgress) => Promise<T>): Promise<T> {
  const shown = showProgress()
  try {
    return await work(shown.on)
  } finally {
    shown.end()
  }
}

function onStandardError(): Showing {
  const { stderr } = process
  const terminal = {
    get columns() {
      // Some terminals do not know how wide they are, and say 0.
      return stderr.columns > 0 ? stderr.columns : columnsDefault
    },
    write: (text: string) => void stderr.write(text),
  }
  return { terminal: stderr.isTTY ? terminal : null, clock: systemClock, timer: systemTimer }
}

class ProgressLine {
  readonly #terminal: Terminal
  readonly #clock: Clock
  readonly #timer: Timer
  #latest: Progress | null = null
  #samples: Sample[] = []
  #dueAt: number
  #isDrawn = false
  #hasEnded = false
  #cancel: (() => void) | null = null

  constructor(terminal: Terminal, { clock, timer }: Pick<Showing, 'clock' | 'timer'>) {
    this.#terminal = terminal
    this.#clock = clock
    this.#timer = timer
    this.#dueAt = clock.now() + quietMs
  }

  on(progress: Progress): void {
    if (this.#hasEnded) return
    const isOther = this.#latest?.doing !== progress.doing
    this.#latest = progress
    const now = this.#clock.now()
    if (isOther) this.#samples = [{ at: now, done: progress.done }]
    // Work that leaves timers no time is drawn here; what has become slow, by the timer.
    if (now >= this.#dueAt) this.#draw()
    else this.#cancel ??= this.#timer.after(this.#waitMs(now), () => this.#draw())
  }

  end(): void {
    this.#hasEnded = true
    this.#cancel?.()
    if (this.#isDrawn) this.#terminal.write(clearLine)
    this.#isDrawn = false
  }

  #waitMs(now: number): number {
    // A clock may be set back.
    return Math.min(this.#dueAt - now, quietMs)
  }

  #draw(): void {
    this.#cancel?.()
    this.#cancel = null
    if (this.#latest === null) return
    const now = this.#clock.now()
    this.#dueAt = now + betweenMs
    this.#samples.push({ at: now, done: this.#latest.done })
    if (this.#samples.length > samplesMax) this.#samples.shift()
    const text = visible(progressText(this.#latest, this.#samples))
    this.#terminal.write(`${clearLine}${text.slice(0, this.#terminal.columns - 1)}`)
    this.#isDrawn = true
  }
}
