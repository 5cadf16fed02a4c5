// The latest facts, kept in memory, so that anyone who keeps up reads no file. It must never hold a
// gap: what it has ends at the last position that is known.
import { assert } from '#record/fault'
import type { Fact } from '#ports/log'

const factsMax = 4_096
const bytesMax = 16_777_216

export class Tail {
  #facts: Fact[] = []
  readonly #byName = new Map<string, Fact>()
  #bytes = 0
  #last: number

  constructor(last: number) {
    this.#last = last
  }

  get last(): number {
    return this.#last
  }

  extend(facts: readonly Fact[]): void {
    for (const fact of facts) {
      assert(fact.position === this.#last + 1, 'the tail has no gap')
      this.#last = fact.position
      this.#bytes += fact.bytes.length
      this.#facts.push(fact)
      this.#byName.set(fact.name, fact)
    }
    while (this.#facts.length > 2 * factsMax || this.#bytes > 2 * bytesMax) this.#halve()
  }

  /** Forgets all facts: the last position is that one. */
  reset(last: number): void {
    this.#facts = []
    this.#byName.clear()
    this.#bytes = 0
    this.#last = last
  }

  /** At most that many facts from that position on; undefined if they are no longer here. */
  page(from: number, countMax: number): readonly Fact[] | undefined {
    if (from > this.#last) return []
    const index = from - (this.#last - this.#facts.length + 1)
    return index < 0 ? undefined : this.#facts.slice(index, index + countMax)
  }

  /** The facts at those positions; undefined if one is not here. */
  some(positions: readonly number[]): readonly Fact[] | undefined {
    const before = this.#last - this.#facts.length + 1
    const facts: Fact[] = []
    for (const position of positions) {
      const fact = this.#facts[position - before]
      if (fact === undefined) return undefined
      facts.push(fact)
    }
    return facts
  }

  /** The fact of that name, if it is here. */
  named(name: string): Fact | undefined {
    return this.#byName.get(name)
  }

  #halve(): void {
    const gone = this.#facts.splice(0, Math.ceil(this.#facts.length / 2))
    for (const { name, bytes } of gone) {
      this.#bytes -= bytes.length
      this.#byName.delete(name)
    }
  }
}
