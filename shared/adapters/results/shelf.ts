// Which results a store holds, and what must go for a new one: all stores keep the same rules. It
// never holds a result.
import { createHash, randomBytes } from 'node:crypto'
import { Fault } from '#core/kernel/fault'
import type { ResultLimits } from '#ports/results'

export interface ShelvedResult {
  readonly id: string
  readonly owner: string
  readonly expiresAt: number
  readonly bytes: number
}

/** Unguessable, and safe as the name of a file. */
export function newResultId(): string {
  return `res_${randomBytes(18).toString('base64url')}`
}

/** An owner as it may stand in the name of a file. */
export function ownerMark(owner: string): string {
  return createHash('sha256').update(owner).digest('hex').slice(0, 32)
}

/** In the order in which they came. */
export class Shelf {
  readonly #limits: ResultLimits
  readonly #held = new Map<string, ShelvedResult>()
  #bytes = 0

  constructor(limits: ResultLimits) {
    this.#limits = limits
  }

  get(id: string): ShelvedResult | undefined {
    return this.#held.get(id)
  }

  add(result: ShelvedResult): void {
    this.#held.set(result.id, result)
    this.#bytes += result.bytes
  }

  remove(id: string): void {
    this.#bytes -= this.#held.get(id)?.bytes ?? 0
    this.#held.delete(id)
  }

  expired(now: number): readonly ShelvedResult[] {
    return [...this.#held.values()].filter(({ expiresAt }) => expiresAt <= now)
  }

  /**
   * The results that must go before this one may come. Throws a Fault where it may not, though all
   * of these went.
   */
  leavingFor({ owner, bytes }: Pick<ShelvedResult, 'owner' | 'bytes'>): readonly ShelvedResult[] {
    const { resultsMax, bytesMax, resultBytesMax, ownerBytesMax } = this.#limits
    if (bytes > Math.min(resultBytesMax, ownerBytesMax)) {
      const message = `a result has ${bytes} bytes, and the store takes ${resultBytesMax}`
      throw new Fault('result_too_large', message)
    }
    const own = [...this.#held.values()].filter((one) => one.owner === owner)
    let ownBytes = own.reduce((sum, one) => sum + one.bytes, bytes)
    const leaving: ShelvedResult[] = []
    for (const one of own) {
      if (ownBytes <= ownerBytesMax) break
      leaving.push(one)
      ownBytes -= one.bytes
    }
    const left = this.#bytes - leaving.reduce((sum, one) => sum + one.bytes, 0)
    if (left + bytes > bytesMax || this.#held.size - leaving.length >= resultsMax) {
      const message = `the store holds ${this.#held.size} results in ${this.#bytes} bytes`
      throw new Fault('results_full', message)
    }
    return leaving
  }
}
