// A map that is replaced and never changed in place, and of which each change copies a small part:
// with many thousands of entries, a copy of all of them for each fact would be too slow.
const partsCount = 256

type Part<T> = ReadonlyMap<string, T>

const emptyPart: Part<never> = new Map<string, never>()

export class PartedMap<T> {
  readonly size: number
  readonly #parts: readonly Part<T>[]

  private constructor(parts: readonly Part<T>[], size: number) {
    this.#parts = parts
    this.size = size
  }

  static empty<T>(): PartedMap<T> {
    return new PartedMap<T>(
      Array.from({ length: partsCount }, () => emptyPart),
      0,
    )
  }

  get(key: string): T | undefined {
    return this.#parts[partOf(key)]?.get(key)
  }

  has(key: string): boolean {
    return this.#parts[partOf(key)]?.has(key) === true
  }

  /** In no order that means anything. */
  *values(): Generator<T> {
    for (const part of this.#parts) yield* part.values()
  }

  with(key: string, value: T): PartedMap<T> {
    return this.#changed(key, (part) => part.set(key, value))
  }

  without(key: string): PartedMap<T> {
    return this.has(key) ? this.#changed(key, (part) => part.delete(key)) : this
  }

  #changed(key: string, change: (part: Map<string, T>) => unknown): PartedMap<T> {
    const index = partOf(key)
    const before = this.#parts[index] ?? emptyPart
    const part = new Map(before)
    change(part)
    return new PartedMap(this.#parts.with(index, part), this.size + part.size - before.size)
  }
}

function partOf(key: string): number {
  let sum = 0
  for (let at = 0; at < key.length; at += 1) sum = (Math.imul(sum, 31) + key.charCodeAt(at)) | 0
  return (sum ^ (sum >>> 16)) & (partsCount - 1)
}
