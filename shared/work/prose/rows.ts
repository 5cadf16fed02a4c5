// In which line a place of a text is.

/** A function from places, in ascending order, to their lines; the first one has `first`. */
export function rowsFrom(text: string, first: number): (at: number) => number {
  let row = first
  let next = text.indexOf('\n')
  return (at) => {
    while (next >= 0 && next < at) {
      row += 1
      next = text.indexOf('\n', next + 1)
    }
    return row
  }
}
