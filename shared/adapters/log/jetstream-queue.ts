// One worker's jobs of a queue through all eras. It must never let a new era keep away what is left
// of an old one.
import type { Fault } from '#core/fault'
import type { Job } from '#ports/log'
import { Bell, type JobSource } from './delivery.ts'
import type { Era } from './jetstream-eras.ts'
import type { JetStreamJobs } from './jetstream-jobs.ts'

type OpenEra = (era: Era) => Promise<JetStreamJobs>

/** The jobs of all eras, the oldest first: what is left of a sealed one is still to be done. */
export class JobsOfEras implements JobSource {
  readonly bell = new Bell()
  readonly inFlightMax: number
  readonly #open: OpenEra
  readonly #sources = new Map<number, JetStreamJobs>()
  #left = false
  #failure: Fault | null = null

  constructor(inFlightMax: number, open: OpenEra) {
    this.inFlightMax = inFlightMax
    this.#open = open
  }

  get ended(): boolean {
    if (!this.#left) return false
    for (const source of this.#sources.values()) if (!source.ended) return false
    return true
  }

  /** How many are with the worker, seen or not. */
  get out(): number {
    let out = 0
    for (const source of this.#sources.values()) out += source.out
    return out
  }

  /** Whether the worker has as many as it may have seen and not ended. */
  get isFull(): boolean {
    let seen = 0
    for (const source of this.#sources.values()) seen += source.out - source.unseen
    return seen >= this.inFlightMax
  }

  /** Works these eras too. */
  async join(eras: readonly Era[]): Promise<void> {
    for (const era of eras) {
      if (this.#left || this.#sources.has(era.era)) continue
      const source = await this.#open(era)
      this.#sources.set(era.era, source)
      if (this.#isLeft()) source.leave()
      this.bell.ring()
    }
  }

  next(): Job | undefined {
    if (this.#failure !== null) throw this.#failure
    for (const source of this.#sources.values()) {
      const job = source.next()
      if (job !== undefined) return job
    }
    return undefined
  }

  leave(): void {
    this.#left = true
    for (const source of this.#sources.values()) source.leave()
  }

  close(): void {
    this.#left = true
    for (const source of this.#sources.values()) source.close()
    this.bell.ring()
  }

  fail(fault: Fault): void {
    this.#failure = fault
    this.bell.ring()
  }

  /** May have become so while something else was awaited. */
  #isLeft(): boolean {
    return this.#left
  }
}
