// A map of many entries of which few change at a time: the next one shares what stayed the same,
// so that a change costs what it changes. It reads as a Map does, in the order of one.

/** Fewer are copied at once. */
const plainMax = 1_024
/** A layer is at most this part of the one below it, or the two become one. */
const layerPart = 8

/** A copy to be changed. */
export interface DraftMap<V> extends ReadonlyMap<string, V> {
  set(key: string, value: V): unknown
  delete(key: string): boolean
}

/** What a layer becomes: the same without what is gone, with what is put over it. */
export type JoinLayers<V> = (
  below: ReadonlyMap<string, V>,
  over: ReadonlyMap<string, V>,
  gone: ReadonlySet<string>,
) => ReadonlyMap<string, V>

/** `join`: how its layers are kept; as plain Maps if not given. */
export function draftMapOf<V>(
  map: ReadonlyMap<string, V>,
  join: JoinLayers<V> = joinedPlainly,
): DraftMap<V> {
  if (isLayered(map)) return map.draft()
  return map.size < plainMax ? new Map(map) : new LayeredMap(map, join).draft()
}

/** The keys whose values may differ in the two, and perhaps others, each once. */
export function keysApart<V>(
  one: ReadonlyMap<string, V>,
  other: ReadonlyMap<string, V>,
): Iterable<string> {
  const [first, second] = [LayeredMap.layersOf(one), LayeredMap.layersOf(other)]
  const shared = first.find((layer) => second.includes(layer))
  if (shared === undefined) return eachKey(one, other)
  const keys = new Set<string>()
  for (const layers of [first, second]) {
    for (const layer of layers.slice(0, layers.indexOf(shared))) {
      for (const key of LayeredMap.keysOver(layer)) keys.add(key)
    }
  }
  return keys
}

function* eachKey<V>(
  one: ReadonlyMap<string, V>,
  other: ReadonlyMap<string, V>,
): Generator<string> {
  yield* one.keys()
  for (const key of other.keys()) if (!one.has(key)) yield key
}

/** As it reads: what was replaced keeps its place, and what was put again comes last. */
function joinedPlainly<V>(
  below: ReadonlyMap<string, V>,
  over: ReadonlyMap<string, V>,
  gone: ReadonlySet<string>,
): ReadonlyMap<string, V> {
  const whole = new Map(below)
  for (const key of gone) whole.delete(key)
  for (const [key, value] of over) whole.set(key, value)
  return whole
}

class LayeredMap<V> implements ReadonlyMap<string, V>, DraftMap<V> {
  /** Shared with others, and never changed; itself of layers, or the lowest. */
  #below: ReadonlyMap<string, V>
  /** What is new, and what was replaced. */
  #over: ReadonlyMap<string, V>
  /** What was removed from below: put again, it comes last. */
  #gone: ReadonlySet<string>
  readonly #join: JoinLayers<V>
  size: number
  /** The same two, as long as this is a draft. */
  #drafted: { readonly over: Map<string, V>; readonly gone: Set<string> } | null = null

  constructor(below: ReadonlyMap<string, V>, join: JoinLayers<V>) {
    this.#below = below
    this.#over = new Map()
    this.#gone = new Set()
    this.#join = join
    this.size = below.size
  }

  /** From the top to the lowest. */
  static layersOf<V>(map: ReadonlyMap<string, V>): readonly ReadonlyMap<string, V>[] {
    return isLayered(map) ? [map, ...LayeredMap.layersOf(map.#below)] : [map]
  }

  /** What that layer has over those below it. */
  static keysOver<V>(layer: ReadonlyMap<string, V>): Iterable<string> {
    return isLayered(layer) ? [...layer.#over.keys(), ...layer.#gone] : layer.keys()
  }

  draft(): DraftMap<V> {
    if (this.#above >= plainMax) this.#settle()
    const draft = new LayeredMap(this.#above >= plainMax ? this : this.#below, this.#join)
    const isCopied = draft.#below !== this
    const over = new Map(isCopied ? this.#over : [])
    const gone = new Set(isCopied ? this.#gone : [])
    draft.#drafted = { over, gone }
    draft.#over = over
    draft.#gone = gone
    draft.size = this.size
    return draft
  }

  get #above(): number {
    return this.#over.size + this.#gone.size
  }

  /** Joins what is too large for a layer of its own with what is below. It reads as before. */
  #settle(): void {
    this.#drafted = null
    for (let below = this.#below; ; below = this.#below) {
      const room = isLayered(below) ? below.#above : below.size
      if (this.#above * layerPart < room) return
      if (!isLayered(below)) {
        this.#below = this.#join(below, this.#over, this.#gone)
        this.#over = new Map()
        this.#gone = new Set()
        return
      }
      const lower = below.#below
      const gone = [...this.#gone].filter((key) => lower.has(key))
      this.#over = this.#join(below.#over, this.#over, this.#gone)
      this.#gone = new Set([...below.#gone, ...gone])
      this.#below = lower
    }
  }

  get(key: string): V | undefined {
    const found = this.#over.get(key)
    return found ?? (this.#gone.has(key) ? undefined : this.#below.get(key))
  }

  has(key: string): boolean {
    return this.#over.has(key) || (!this.#gone.has(key) && this.#below.has(key))
  }

  set(key: string, value: V): this {
    const { over } = this.#draftOf()
    if (!this.has(key)) this.size += 1
    over.set(key, value)
    return this
  }

  delete(key: string): boolean {
    const { over, gone } = this.#draftOf()
    if (!this.has(key)) return false
    this.size -= 1
    over.delete(key)
    if (this.#below.has(key)) gone.add(key)
    return true
  }

  #draftOf() {
    if (this.#drafted === null) throw new Error('broken invariant: only a draft is changed')
    return this.#drafted
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
    const [below, over, gone] = [this.#below, this.#over, this.#gone]
    for (const key of below.keys()) if (!gone.has(key)) yield key
    for (const key of over.keys()) if (!below.has(key) || gone.has(key)) yield key
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
