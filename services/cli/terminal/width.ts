// How wide lines for people may be, and how longer ones are broken: between words, and below what
// they begin with. What is no terminal gets lines as long as they are, unless COLUMNS limits them.
import { createRequire } from 'node:module'
import { environment } from '#wiring/environment'
import type * as StringWidth from 'string-width'
import { toned, visible, type Line } from './line.ts'

const columnsMin = 20

interface Load {
  (name: 'string-width'): typeof StringWidth
}

const load: Load = createRequire(import.meta.url)

/**
 * How many columns of a terminal a text takes. What divides other scripts into characters takes
 * longer to load than a short command runs, and most texts have no use for it.
 */
export function columnsOfText(text: string): number {
  if (/^[\u0020-\u007E]*$/.test(text)) return text.length
  return load('string-width').default(text)
}

/** Null where lines stay as long as they are. */
export function terminalColumns(stream: Pick<NodeJS.WriteStream, 'columns'>): number | null {
  const asked = Number(environment()['COLUMNS'] ?? '')
  // Some terminals do not know how wide they are, and say 0.
  const columns = Number.isSafeInteger(asked) && asked > 0 ? asked : stream.columns
  return columns > 0 ? Math.max(columns, columnsMin) : null
}

/**
 * The lines, those that are too long as several. A word is never broken, since it may be copied,
 * but in a tree, which one looks at.
 */
export function wrapped(
  lines: readonly Line[],
  columns: number | null = terminalColumns(process.stdout),
): readonly Line[] {
  if (columns === null) return lines
  return lines.flatMap((line): readonly Line[] => {
    if (typeof line === 'string') return wrappedText(line, columns)
    return wrappedText(line.text, columns).map((text) => toned(line.tone, text))
  })
}

/** At least that much of a line is left for words, however far it is indented. */
const wordColumnsMin = 16

/** How a line of a tree begins: where it stands, its dots or its branch, and its own mark. */
const ofTree = /^( *)((?:[●✗○](?: [●✗○])* +|[├└] )(?:✗ )?)/u
const treeWordsMin = 6

function wrappedText(text: string, columns: number): readonly string[] {
  const clean = visible(text)
  if (columnsOfText(clean) <= columns) return [clean]
  const [whole, place = '', mark = ''] = ofTree.exec(clean) ?? []
  if (whole !== undefined) {
    const room = Math.max(0, columns - mark.length - treeWordsMin)
    const begin = place.slice(0, room) + mark
    const rows = brokenAt(clean.slice(whole.length), columns - begin.length, true)
    return rows.map((row, index) => (index === 0 ? begin : ' '.repeat(begin.length)) + row)
  }
  const [begin = ''] = /^ *(\+\S+ +|- |\d+ {2,})?/.exec(clean) ?? []
  const indent = ' '.repeat(Math.max(0, Math.min(begin.length, columns - wordColumnsMin)))
  const rows = brokenAt(clean.slice(begin.length), columns - indent.length)
  const first = begin.trim() === '' ? indent : begin
  return rows.map((row, index) => (index === 0 ? first : indent) + row)
}

/** The words of a text in rows of at most so many columns, where words are short enough. */
export function brokenAt(text: string, columns: number, breaksWords = false): readonly string[] {
  const rows: string[] = []
  let row = ''
  const words = text.split(/(?<=\S) (?=\S)/)
  for (const word of breaksWords ? words.flatMap((one) => piecesOf(one, columns)) : words) {
    const longer = row === '' ? word : `${row} ${word}`
    if (row !== '' && columnsOfText(longer) > columns) {
      rows.push(row)
      row = word
    } else row = longer
  }
  return [...rows, row]
}

/** A word in pieces of at most so many columns. */
function piecesOf(word: string, columns: number): readonly string[] {
  if (columnsOfText(word) <= columns) return [word]
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const wide = columnsOfText(segment)
    if (piece !== '' && used + wide > columns) {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += segment
    used += wide
  }
  return [...pieces, piece]
}
