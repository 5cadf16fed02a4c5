// A set of small ids that is emptied in no time and used again, since a grounding has ended sooner
// than a fresh set of any kind would be filled. Anyone who keeps one must empty it before each use.

export interface IdSet {
  /** By id: it is in the set if this is the set's stamp. */
  stamps: Int32Array
  stamp: number
}

const stampMax = 2 ** 31 - 1

export function newIdSet(): IdSet {
  return { stamps: new Int32Array(0), stamp: 0 }
}

/** Empties the set and makes room for ids below `length`. */
export function emptySet(set: IdSet, length: number): void {
  if (set.stamps.length < length || set.stamp === stampMax) {
    set.stamps = new Int32Array(Math.max(length, set.stamps.length * 2))
    set.stamp = 0
  }
  set.stamp += 1
}

export function hasId(set: IdSet, id: number): boolean {
  return set.stamps[id] === set.stamp
}

/** Whether the id is new to the set. */
export function addId(set: IdSet, id: number): boolean {
  if (set.stamps[id] === set.stamp) return false
  set.stamps[id] = set.stamp
  return true
}
