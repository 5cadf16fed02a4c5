// Many operations in change sets that each fit one fact. What belongs together stays together as
// long as it fits; nothing is reordered.
import { utf8Length } from '#platform/bytes'

/** Operations that must never be parted: half of them would mean something else. */
export type Bundle<Operation> = readonly Operation[]

/** Bundles that are better not parted, and may be if they are too large. */
export type Piece<Operation> = readonly Bundle<Operation>[]

/**
 * The bytes that an operation takes in a fact, with the comma after it. Canonical text has its keys
 * in another order, and as many bytes.
 */
export function bytesOf(operation: unknown): number {
  return utf8Length(JSON.stringify(operation)) + 1
}

/**
 * The pieces in sets of at most that many bytes. A bundle that is larger by itself gets a set of
 * its own, for its author to refuse.
 */
export function inSets<Operation>(
  pieces: Iterable<Piece<Operation>>,
  sizeOf: (operation: Operation) => number,
  bytesMax: number,
): readonly (readonly Operation[])[] {
  return [...eachSet(pieces, sizeOf, bytesMax)]
}

/** The same one by one, so that not all of them are in memory. */
export function* eachSet<Operation>(
  pieces: Iterable<Piece<Operation>>,
  sizeOf: (operation: Operation) => number,
  bytesMax: number,
): Generator<readonly Operation[]> {
  let set: Operation[] = []
  let bytesLeft = bytesMax
  const take = function* (operations: readonly Operation[], bytes: number) {
    if (operations.length > 0 && set.length > 0 && bytes > bytesLeft) {
      yield set
      set = []
      bytesLeft = bytesMax
    }
    set.push(...operations)
    bytesLeft -= bytes
  }
  const size = (operations: readonly Operation[]): number =>
    operations.reduce((bytes, operation) => bytes + sizeOf(operation), 0)
  for (const piece of pieces) {
    const whole = piece.flat()
    const bytes = size(whole)
    if (bytes <= bytesMax) yield* take(whole, bytes)
    else for (const bundle of piece) yield* take(bundle, size(bundle))
  }
  if (set.length > 0) yield set
}
