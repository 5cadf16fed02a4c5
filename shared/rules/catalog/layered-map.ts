// A map of many entries of which few change at a time: the next one shares what stayed the same,
// so that a change costs what it changes. It reads as a Map does, in the order of one.

/** Fewer are copied at once. */
const plainMax = 1_024
/** What lies above is at most this part of what lies below, or it becomes one layer. */
const layerPart = 16

/** A copy to be changed. */
export interface DraftMap<V> extends ReadonlyMap<string, V> {
  set(key: string, value: V): unknown
  delete(key: string): boolean
}

export function draftMapOf<V>(map: ReadonlyMap<string, V>): DraftMap<V> {
  if (isLayered(map)) return map.draft()
  return map.size < plainMax ? new Map(map) : new LayeredMap(map).draft()
}

/** The keys whose values may differ in the two, and perhaps others. */
export function keysApart<V>(
  one: ReadonlyMap<string, V>,
  other: ReadonlyMap<string, V>,
): Iterable<string> {
  const [first, second] = [LayeredMap.layersOf(one), LayeredMap.layersOf(other)]
  if (first.below !== second.below) return new Set([...one.keys(), ...other.keys()])
  return new Set([...first.over.keys(), ...first.gone, ...second.over.keys(), ...second.gone])
}

class LayeredMap<V> implements ReadonlyMap<string, V>, DraftMap<V> {
  /** Shared with others, and never changed. */
  #below: ReadonlyMap<string, V>
  /** What is new, and what was replaced. */
  #over: Map<string, V>
  /** What was removed from below: put again, it comes last. */
  #gone: Set<string>
  size: number

  constructor(below: ReadonlyMap<string, V>) {
    this.#below = below
    this.#over = new Map()
    this.#gone = new Set()
    this.size = below.size
  }

  static layersOf<V>(map: ReadonlyMap<string, V>) {
    if (!isLayered(map)) return { below: map, over: new Map<string, V>(), gone: [] }
    return { below: map.#below, over: map.#over, gone: map.#gone }
  }

  draft(): DraftMap<V> {
    const above = this.#over.size + this.#gone.size
    if (above >= Math.max(plainMax, this.#below.size / layerPart)) {
      // As it reads: what was replaced keeps its place, and what was put again comes last.
      const whole = new Map(this.#below)
      for (const key of this.#gone) whole.delete(key)
      for (const [key, value] of this.#over) whole.set(key, value)
      this.#below = whole
      this.#over = new Map()
      this.#gone = new Set()
    }
    const draft = new LayeredMap(this.#below)
    draft.#over = new Map(this.#over)
    draft.#gone = new Set(this.#gone)
    draft.size = this.size
    return draft
  }

  get(key: string): V | undefined {
    return this.#over.get(key) ?? (this.#gone.has(key) ? undefined : this.#below.get(key))
  }

  has(key: string): boolean {
    return this.#over.has(key) || (this.#below.has(key) && !this.#gone.has(key))
  }

  set(key: string, value: V): this {
    if (!this.has(key)) this.size += 1
    this.#over.set(key, value)
    return this
  }

  delete(key: string): boolean {
    if (!this.has(key)) return false
    this.size -= 1
    this.#over.delete(key)
    if (this.#below.has(key)) this.#gone.add(key)
    return true
  }

  *entries(): Generator<[string, V], undefined> {
    const [below, over, gone] = [this.#below, this.#over, this.#gone]
    for (const [key, value] of below) {
      if (!gone.has(key)) yield [key, over.get(key) ?? value]
    }
    for (const entry of over) {
      if (!below.has(entry[0]) || gone.has(entry[0])) yield entry
    }
    return undefined
  }

  *keys(): Generator<string, undefined> {
    for (const [key] of this.entries()) yield key
    return undefined
  }

  *values(): Generator<V, undefined> {
    for (const [, value] of this.entries()) yield value
    return undefined
  }

  [Symbol.iterator](): Generator<[string, V], undefined> {
    return this.entries()
  }

  forEach(call: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.entries()) call(value, key, this)
  }
}

function isLayered<V>(map: ReadonlyMap<string, V>): map is LayeredMap<V> {
  return map instanceof LayeredMap
}
