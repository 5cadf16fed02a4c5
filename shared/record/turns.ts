// What waits for a thread, by caller: callers take turns, and each is served one turn at a time, so
// that who asks much waits for nothing but its own.

/** What is served in one turn, in the order in which it came. */
interface Turn<T> {
  readonly caller: string
  readonly served: readonly [T, ...T[]]
}

export class Turns<T> {
  /** By caller, whose turn is next first. */
  readonly #waiting = new Map<string, T[]>()
  readonly #busy = new Set<string>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  countOf(caller: string): number {
    return this.#waiting.get(caller)?.length ?? 0
  }

  add(caller: string, one: T): void {
    const others = this.#waiting.get(caller)
    if (others === undefined) this.#waiting.set(caller, [one])
    else others.push(one)
  }

  /** Before what waits already: it is served once more. */
  addAgain(caller: string, served: readonly T[]): void {
    if (served.length > 0) {
      this.#waiting.set(caller, [...served, ...(this.#waiting.get(caller) ?? [])])
    }
  }

  /** Whether someone waits who is not being served. */
  get hasNext(): boolean {
    return this.#nextCaller() !== undefined
  }

  /** At most so many of the caller who comes next; null where no one waits. Ended by `end`. */
  next(max = 1): Turn<T> | null {
    const caller = this.#nextCaller()
    if (caller === undefined) return null
    const [first, ...others] = this.#waiting.get(caller) ?? []
    this.#waiting.delete(caller)
    if (first === undefined) return null
    if (others.length >= max) this.#waiting.set(caller, others.slice(max - 1))
    this.#busy.add(caller)
    return { caller, served: [first, ...others.slice(0, max - 1)] }
  }

  end({ caller }: Pick<Turn<T>, 'caller'>): void {
    this.#busy.delete(caller)
  }

  /** No one waits any more: gives those who did. */
  clear(): readonly T[] {
    const left = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    return left
  }

  #nextCaller(): string | undefined {
    for (const caller of this.#waiting.keys()) if (!this.#busy.has(caller)) return caller
    return undefined
  }
}
