// Pieces of bytes as one.

/** One piece is given as it is: nothing is copied. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return only
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
