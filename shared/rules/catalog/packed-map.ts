// A map of very many entries in little memory: their ids are parts of a few long texts, and what
// some have in common, apart from the id, is there once. It reads as a Map does, in the order of
// one. An entry is made when it is asked for, so two of one id are equal and not the same object.
import type { JoinLayers } from './layered-map.ts'

interface Entry {
  readonly id: string
}

interface Block<V> {
  /** One after the other. */
  readonly ids: string
  /** Where each of them ends. */
  readonly ends: Uint32Array
  /** Each entry with no id. */
  readonly rests: readonly V[]
}

/** So that it is found without dividing. */
const blockBits = 10
const blockSize = 1 << blockBits
/** Of the places in the table, at least so many are for one entry. */
const roomEach = 2

/** How layers of such entries are joined. `shared`: the same entry as one that is equal. */
export function packing<V extends Entry>(shared: (entry: V) => V): JoinLayers<V> {
  return (below, over, gone) => {
    const packed = isPacked(below) ? below : PackedMap.of(below.values(), shared)
    return packed.with(over, gone)
  }
}

function isPacked<V extends Entry>(map: ReadonlyMap<string, V>): map is PackedMap<V> {
  return map instanceof PackedMap
}

/** A list of such entries, each of which is made when it is asked for. */
export function packedList<V extends Entry>(
  entries: Iterable<V>,
  shared: (entry: V) => V,
): Iterable<V> {
  const blocks = [...blocksOf(restsOf(entries, shared))]
  return { [Symbol.iterator]: () => entriesIn(blocks) }
}

/** Until so many are there, a plain Map holds them. */
export const packedMin = 1_024
/** Of those that are held, so many are taken in at once. */
const batchPart = 4

/** Takes entries in one by one: the last of an id counts, in the place of the first. */
export class Packing<V extends Entry> {
  readonly #shared: (entry: V) => V
  #held: PackedMap<V> | null = null
  #batch = new Map<string, V>()

  constructor(shared: (entry: V) => V) {
    this.#shared = shared
  }

  add(entry: V): void {
    this.#batch.set(entry.id, entry)
    const many = Math.max(packedMin, (this.#held?.size ?? 0) / batchPart)
    if (this.#batch.size >= many) this.#take()
  }

  #take(): PackedMap<V> {
    this.#held = (this.#held ?? PackedMap.of([], this.#shared)).with(this.#batch, new Set())
    this.#batch = new Map()
    return this.#held
  }

  held(): ReadonlyMap<string, V> {
    return this.#held === null ? this.#batch : this.#take()
  }
}

export class PackedMap<V extends Entry> implements ReadonlyMap<string, V> {
  /** The same entry as one that is equal. */
  readonly #shared: (entry: V) => V
  readonly #blocks: readonly Block<V>[]
  /** Open addressing: the place of an entry, counted from 1; 0 where there is none. */
  readonly #table: Uint32Array
  readonly size: number

  private constructor(
    shared: (entry: V) => V,
    blocks: readonly Block<V>[],
    table: Uint32Array = new Uint32Array(roomFor(sizeOf(blocks))),
  ) {
    this.#shared = shared
    this.#blocks = blocks
    this.#table = table
    this.size = sizeOf(blocks)
  }

  static of<V extends Entry>(entries: Iterable<V>, shared: (entry: V) => V): PackedMap<V> {
    return PackedMap.#indexed(shared, [...blocksOf(restsOf(entries, shared))])
  }

  static #indexed<V extends Entry>(shared: (entry: V) => V, blocks: readonly Block<V>[]) {
    const map = new PackedMap(shared, blocks)
    map.#enter(0)
    return map
  }

  /** With these put over it; what is `gone` is removed first, so put again it comes last. */
  with(over: ReadonlyMap<string, V>, gone: ReadonlySet<string>): PackedMap<V> {
    const shared = this.#shared
    const blocks = gone.size > 0 ? this.#blocksWithout(gone) : [...this.#blocks]
    const whole = gone.size > 0 ? PackedMap.#indexed(shared, blocks) : this
    const added: V[] = []
    const copied = new Map<number, V[]>()
    for (const [id, entry] of over) {
      const place = whole.#placeOf(id)
      if (place < 0) added.push(entry)
      else {
        const at = place >> blockBits
        const rests = copied.get(at) ?? [...(blocks[at]?.rests ?? [])]
        rests[place & (blockSize - 1)] = restOf(entry, shared)
        copied.set(at, rests)
      }
    }
    for (const [at, rests] of copied) {
      const block = blocks[at]
      if (block !== undefined) blocks[at] = { ...block, rests }
    }
    const last = sizeOf(blocks) % blockSize === 0 ? undefined : blocks.pop()
    blocks.push(...blocksOf(lastAnd(last, restsOf(added, shared))))
    if (roomFor(sizeOf(blocks)) !== whole.#table.length) return PackedMap.#indexed(shared, blocks)
    const map = new PackedMap(shared, blocks, whole.#table.slice())
    map.#enter(whole.size)
    return map
  }

  #blocksWithout(gone: ReadonlySet<string>): Block<V>[] {
    return [...blocksOf(pairsWithout(this.#blocks, gone))]
  }

  /** Those from that place on into the table. */
  #enter(from: number): void {
    const table = this.#table
    const mask = table.length - 1
    for (let place = from; place < this.size; place += 1) {
      let at = hashOf(this.#idAt(place)) & mask
      while (table[at] !== 0) at = (at + 1) & mask
      table[at] = place + 1
    }
  }

  #idAt(place: number): string {
    const block = this.#blocks[place >> blockBits]
    return block === undefined ? '' : idIn(block, place & (blockSize - 1))
  }

  /** -1 where there is none. */
  #placeOf(id: string): number {
    const table = this.#table
    const mask = table.length - 1
    for (let at = hashOf(id) & mask; ; at = (at + 1) & mask) {
      const place = (table[at] ?? 0) - 1
      if (place < 0 || this.#isAt(place, id)) return place
    }
  }

  #isAt(place: number, id: string): boolean {
    const block = this.#blocks[place >> blockBits]
    const index = place & (blockSize - 1)
    const from = block?.ends[index - 1] ?? 0
    return block?.ends[index] === from + id.length && block.ids.startsWith(id, from)
  }

  get(id: string): V | undefined {
    const place = this.#placeOf(id)
    const found = this.#blocks[place >> blockBits]?.rests[place & (blockSize - 1)]
    return place < 0 || found === undefined ? undefined : { ...found, id }
  }

  has(id: string): boolean {
    return this.#placeOf(id) >= 0
  }

  *entries(): Generator<[string, V], undefined> {
    for (const entry of entriesIn(this.#blocks)) yield [entry.id, entry]
    return undefined
  }

  *keys(): Generator<string, undefined> {
    for (const block of this.#blocks) for (const [id] of pairsOf(block)) yield id
    return undefined
  }

  values(): Generator<V, undefined> {
    return entriesIn(this.#blocks)
  }

  [Symbol.iterator](): Generator<[string, V], undefined> {
    return this.entries()
  }

  forEach(call: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.entries()) call(value, key, this)
  }
}

/** An id, and the entry without it. */
type Pair<V> = readonly [string, V]

function* restsOf<V extends Entry>(
  entries: Iterable<V>,
  shared: (entry: V) => V,
): Generator<Pair<V>> {
  for (const entry of entries) yield [entry.id, restOf(entry, shared)]
}

/** With an empty id, which keeps its place among the other members. */
function restOf<V extends Entry>(entry: V, shared: (entry: V) => V): V {
  return shared({ ...entry, id: '' })
}

function* pairsOf<V>(block: Block<V>): Generator<Pair<V>> {
  for (const [index, found] of block.rests.entries()) yield [idIn(block, index), found]
}

function* entriesIn<V extends Entry>(blocks: readonly Block<V>[]): Generator<V, undefined> {
  for (const block of blocks) {
    for (const [id, found] of pairsOf(block)) yield { ...found, id }
  }
  return undefined
}

function idIn({ ids, ends }: Block<unknown>, index: number): string {
  return ids.slice(ends[index - 1] ?? 0, ends[index])
}

function* lastAnd<V>(last: Block<V> | undefined, more: Iterable<Pair<V>>): Generator<Pair<V>> {
  if (last !== undefined) yield* pairsOf(last)
  yield* more
}

function* pairsWithout<V>(
  blocks: readonly Block<V>[],
  gone: ReadonlySet<string>,
): Generator<Pair<V>> {
  for (const block of blocks) for (const pair of pairsOf(block)) if (!gone.has(pair[0])) yield pair
}

function* blocksOf<V>(pairs: Iterable<Pair<V>>): Generator<Block<V>> {
  let [ids, ends, rests, end]: [string[], number[], V[], number] = [[], [], [], 0]
  for (const [id, found] of pairs) {
    ids.push(id)
    ends.push((end += id.length))
    rests.push(found)
    if (rests.length < blockSize) continue
    yield { ids: ids.join(''), ends: Uint32Array.from(ends), rests }
    ;[ids, ends, rests, end] = [[], [], [], 0]
  }
  if (rests.length > 0) yield { ids: ids.join(''), ends: Uint32Array.from(ends), rests }
}

/** All but the last are full. */
function sizeOf(blocks: readonly Block<unknown>[]): number {
  const last = blocks.at(-1)
  return last === undefined ? 0 : (blocks.length - 1) * blockSize + last.rests.length
}

/** A power of two. */
function roomFor(size: number): number {
  let room = blockSize
  while (room < size * roomEach) room *= 2
  return room
}

/** FNV-1a, with the last bits mixed by those before them. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) >>> 0
}
