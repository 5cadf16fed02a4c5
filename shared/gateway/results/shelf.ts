// Which results a store holds, and what must go for a new one: all stores keep the same rules. It
// never holds a result.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { Fault } from '#record/fault'
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

/** Of what is kept under a name: the same each time, and unguessable without the store's key. */
export function namedResultId(name: string, key: Uint8Array): string {
  const mark = createHmac('sha256', key).update(name).digest().subarray(0, 18)
  return `res_${mark.toString('base64url')}`
}

/** An owner as it may stand in the name of a file. */
export function ownerMark(owner: string): string {
  return createHash('sha256').update(owner).digest('hex').slice(0, 32)
}

interface OwnShelf {
  readonly held: Map<string, ShelvedResult>
  bytes: number
}

/** In the order in which they came. */
export class Shelf {
  readonly #limits: ResultLimits
  readonly #held = new Map<string, ShelvedResult>()
  readonly #byOwner = new Map<string, OwnShelf>()
  #bytes = 0
  /** Before it nothing expires. */
  #expiresAt = Infinity

  constructor(limits: ResultLimits) {
    this.#limits = limits
  }

  get(id: string): ShelvedResult | undefined {
    return this.#held.get(id)
  }

  ids(): readonly string[] {
    return [...this.#held.keys()]
  }

  add(result: ShelvedResult): void {
    const { id, owner, bytes, expiresAt } = result
    const own = this.#byOwner.get(owner) ?? { held: new Map<string, ShelvedResult>(), bytes: 0 }
    this.#byOwner.set(owner, own)
    own.held.set(id, result)
    own.bytes += bytes
    this.#held.set(id, result)
    this.#bytes += bytes
    this.#expiresAt = Math.min(this.#expiresAt, expiresAt)
  }

  remove(id: string): void {
    const found = this.#held.get(id)
    if (found === undefined) return
    const { owner, bytes } = found
    this.#held.delete(id)
    this.#bytes -= bytes
    const own = this.#byOwner.get(owner)
    if (own === undefined) return
    own.held.delete(id)
    own.bytes -= bytes
    if (own.held.size === 0) this.#byOwner.delete(owner)
  }

  expired(now: number): readonly ShelvedResult[] {
    if (now < this.#expiresAt) return []
    const gone: ShelvedResult[] = []
    // Those that expired are looked for again until they are removed.
    this.#expiresAt = Infinity
    for (const one of this.#held.values()) {
      this.#expiresAt = Math.min(this.#expiresAt, one.expiresAt)
      if (one.expiresAt <= now) gone.push(one)
    }
    return gone
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
    const own = this.#byOwner.get(owner)
    let ownBytes = (own?.bytes ?? 0) + bytes
    const leaving: ShelvedResult[] = []
    for (const one of own?.held.values() ?? []) {
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
