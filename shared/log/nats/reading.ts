// A stream read in order, a page at a time. What comes faster than it is taken is released and
// asked for again later, so that anyone who is slow needs no more memory.
import type { NatsLink, StreamReading } from './link.ts'
import type { Stored } from './message.ts'

/** More than this waits for no one. */
const waitingMax = 20_000

export interface ReadingOptions {
  readonly stream: string
  readonly from: number
  /** Only those subjects; all, if there are none. */
  readonly filters: readonly string[]
}

export class OrderedReading {
  readonly #link: NatsLink
  readonly #options: ReadingOptions
  #page: Stored[] = []
  #reading: StreamReading | null = null
  #next: number
  #full = false
  #ended = false
  #wake: (() => void) | null = null

  private constructor(link: NatsLink, options: ReadingOptions) {
    this.#link = link
    this.#options = options
    this.#next = options.from
  }

  static async open(link: NatsLink, options: ReadingOptions): Promise<OrderedReading> {
    const reading = new OrderedReading(link, options)
    await reading.#begin()
    return reading
  }

  /** What has come since the last page, waiting for more if there is none; null at the end. */
  async page(): Promise<readonly Stored[] | null> {
    while (this.#page.length === 0) {
      if (this.#ended) return null
      if (this.#full) await this.#begin()
      else await new Promise<void>((resolve) => void (this.#wake = resolve))
    }
    const page = this.#page
    this.#page = []
    return page
  }

  /** Takes what came another way, if it is what comes next: it comes once more, and is dropped. */
  offer(stored: Stored): void {
    if (stored.position !== this.#next || this.#ended || this.#full) return
    this.#page.push(stored)
    this.#next += 1
    this.#ring()
  }

  /** What has come is still there as a last page. */
  stop(): void {
    this.#ended = true
    this.#reading?.stop()
    this.#ring()
  }

  async #begin(): Promise<void> {
    this.#full = false
    const { stream, filters } = this.#options
    const reading = await this.#link.ordered(stream, this.#next, filters, (stored) => {
      // What was on the way when it was stopped is redelivered.
      if (this.#full || this.#ended || stored.position < this.#next) return
      const isGap = filters.length === 0 && stored.position > this.#next
      if (isGap) {
        this.stop()
        return
      }
      this.#page.push(stored)
      this.#next = stored.position + 1
      // Between accounts an empty message ends an answer, and what would come after it is lost.
      if (this.#page.length >= waitingMax || stored.bytes.length === 0) this.#pause()
      this.#ring()
    })
    this.#reading = reading
    if (this.#hasEnded()) reading.stop()
    void this.#watch(reading)
  }

  async #watch(reading: StreamReading): Promise<void> {
    await reading.ended
    if (this.#reading !== reading || this.#full) return
    this.#ended = true
    this.#ring()
  }

  #pause(): void {
    this.#full = true
    this.#reading?.stop()
  }

  /** May have become so while the reading was opened. */
  #hasEnded(): boolean {
    return this.#ended || this.#full
  }

  #ring(): void {
    this.#wake?.()
    this.#wake = null
  }
}
