// Another reading of a text: without what shows nothing, or with one encoding taken away. A view
// knows where each of its units stands in the text, so what is found in it can be replaced there.
// Building and asking are linear in the text.
import { showsNothing } from '#knowledge/known/invisible'
import { eachMatch } from './matches.ts'
import type { Finding } from './span.ts'

export interface TextView {
  readonly text: string
  /** The same span in the text that the view was made of. */
  origin(span: Finding): Finding
}

/** A match, and what is read in its place; null where it stands as it is. */
export type ViewReading = (match: string) => string | null

/**
 * The view with every match of the expression read otherwise, or null where none is. The expression
 * is global and takes linear time.
 */
export function viewWith(source: string, expression: RegExp, read: ViewReading): TextView | null {
  const starts: number[] = []
  const ends: number[] = []
  const views: number[] = []
  const widths: number[] = []
  const parts: string[] = []
  let taken = 0
  let length = 0
  eachMatch(source, expression, ({ 0: match, index }) => {
    const reading = read(match)
    if (reading === null) return
    parts.push(source.slice(taken, index), reading)
    length += index - taken
    starts.push(index)
    ends.push(index + match.length)
    views.push(length)
    widths.push(reading.length)
    length += reading.length
    taken = index + match.length
  })
  if (starts.length === 0) return null
  parts.push(source.slice(taken))
  const text = parts.join('')
  /** The last piece that begins at or before the unit, or -1. */
  const pieceAt = (unit: number): number => {
    let [low, high] = [0, views.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((views[middle] ?? 0) <= unit) low = middle + 1
      else high = middle
    }
    return low - 1
  }
  const originOf = (unit: number, isEnd: boolean): number => {
    // An end lies behind its last unit, and takes with it all that this one was made of.
    const piece = pieceAt(isEnd ? unit - 1 : unit)
    if (piece === -1) return unit
    const into = unit - (views[piece] ?? 0)
    const width = widths[piece] ?? 0
    if (into < width || (isEnd && into === width && width > 0)) {
      return isEnd ? (ends[piece] ?? 0) : (starts[piece] ?? 0)
    }
    return (ends[piece] ?? 0) + into - width
  }
  return {
    text,
    origin: ({ start, end, kind }) => ({
      start: originOf(start, false),
      end: originOf(end, true),
      kind,
    }),
  }
}

// What no keyboard of a plain text makes, runs of it at once.
const unusual = /[^\t\n\r -~]/gu
const isUnusual = /[^\t\n\r -~]/

// The zeros of Unicode's decimal digits in the basic plane; nine more follow each.
const zeros = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
  0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0,
  0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
]
const hyphens = /^[\u2010-\u2013\u2043\u2212]$/
/** Between words, and in no word or number. */
const dashes = /^[\u2014\u2015\ufe58]$/

/** What a character stands for in plain ASCII; null for all that has no such reading. */
function asciiOf(character: string): string | null {
  const point = character.codePointAt(0) ?? 0
  if (showsNothing(point)) return ''
  if (hyphens.test(character)) return '-'
  if (dashes.test(character)) return ' '
  const digit = zeros.find((zero) => point >= zero && point < zero + 10)
  if (digit !== undefined) return String(point - digit)
  const plain = character.normalize('NFKC')
  return plain !== character && /^[ -~]{1,4}$/.test(plain) ? plain : null
}

const readings = new Map<string, string | null>()

/** Without what shows nothing, and with all digits, spaces and letters of ASCII in ASCII. */
export function plainView(source: string): TextView | null {
  if (!isUnusual.test(source)) return null
  return viewWith(source, unusual, (character) => {
    const known = readings.get(character)
    if (known !== undefined) return known
    const reading = asciiOf(character)
    // All of Unicode has so many characters: it never grows beyond them.
    readings.set(character, reading)
    return reading
  })
}
