// Tables in texts: what a column is called says of its cells what a name says of its value. Lines
// of CSV, of markdown and of what databases print. Linear.
import { withoutEnd } from '#record/reading/text-end'
import { labelOf } from '../../field-names.ts'
import type { Finding, TextRange } from '../span.ts'
import { secretNameOf, type SecretName } from './secret-names.ts'
import { isMethod, isQuotedSecret } from './values.ts'

const columnsMax = 64
const nameMax = 40
const namesOnly = /^["']?[\p{L}_][\p{L}\p{N}_ .#/()-]*["']?$/u
const ruler = /^[\s|+:=-]*$/
const signs = ['|', '\t', ',', ';']

const words = 'pass|pwd|secret|token|credential|key|phone|mobile|fax|tel|card|cv[vc]|pin|ssn|social'
const named = new RegExp(
  `(?:${words})(?: no| number|[a-z]{1,8})?["'\`]?[ ]{0,${nameMax}}(?:[|,;\\t]|\\r?$)`,
  'gim',
)

interface Column {
  readonly at: number
  readonly secret: SecretName | null
  /** What it says of digits. */
  readonly label: string | null
}

interface Head {
  /** What stands between its cells. */
  readonly sign: string
  readonly count: number
  readonly of: readonly Column[]
}

export interface NamedDigits extends TextRange {
  readonly label: string
}

interface Found {
  readonly secrets: readonly Finding[]
  /** Cells in columns whose names say something of digits. */
  readonly digits: readonly NamedDigits[]
}

interface Table {
  readonly head: Head
  readonly secrets: Finding[]
  readonly digits: NamedDigits[]
}

/** What stands in columns that a line above them names. */
export function columnsIn(text: string): Found {
  const secrets: Finding[] = []
  const digits: NamedDigits[] = []
  if (!text.includes('\n')) return { secrets, digits }
  for (let match = named.exec(text); match !== null; match = named.exec(text)) {
    const start = text.lastIndexOf('\n', match.index) + 1
    const end = endOfLine(text, match.index)
    const head = headOf(text.slice(start, end))
    const last = head === null ? end : rowsBelow(text, end, { head, secrets, digits })
    named.lastIndex = Math.max(last, named.lastIndex)
  }
  named.lastIndex = 0
  return { secrets, digits }
}

/** Where the last line ends that has as many cells as the head; a blank line ends the table. */
function rowsBelow(text: string, start: number, table: Table): number {
  let end = start
  while (end < text.length) {
    const from = end + 1
    const to = endOfLine(text, from)
    const line = text.slice(from, to)
    const isRuler = ruler.test(line)
    const cells = isRuler ? [] : cellsOf(line, table.head.sign, from)
    if (isRuler ? line.trim() === '' : cells.length !== table.head.count) return end
    collect(text, cells, table)
    end = to
  }
  return end
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function collect(text: string, cells: readonly TextRange[], table: Table): void {
  const { head, secrets, digits } = table
  if (cells.length === 0) return
  for (const { at, secret, label } of head.of) {
    const { start, end } = cells[at] ?? { start: 0, end: 0 }
    if (secret !== null && isSecretCell(text.slice(start, end), secret, head.sign)) {
      secrets.push({ start, end, kind: 'secret' })
    } else if (label !== null) digits.push({ start, end, label })
  }
}

function headOf(line: string): Head | null {
  if (line.length > columnsMax * nameMax) return null
  for (const sign of signs) {
    if (!line.includes(sign)) continue
    const names = cellsOf(line, sign, 0).map(({ start, end }) => line.slice(start, end))
    if (names.length < 2 || names.length > columnsMax || names.some((name) => !isColumnName(name)))
      return null
    const of = names.flatMap((name, at): Column[] => {
      const [secret, label] = [secretNameOf(name), labelOf(name)]
      return secret === null && label === null ? [] : [{ at, secret, label }]
    })
    return of.length === 0 ? null : { sign, count: names.length, of }
  }
  return null
}

function isColumnName(name: string): boolean {
  return name.length <= nameMax && namesOnly.test(name)
}

/** Where its cells stand, without the blanks and quotes around them. */
function cellsOf(line: string, sign: string, from: number): readonly TextRange[] {
  const cells: TextRange[] = []
  let at = 0
  const whole = line.split(sign)
  for (const [index, cell] of whole.entries()) {
    const before = /^[\s"'`*]*/.exec(cell)?.[0].length ?? 0
    const written = withoutEnd(cell.slice(before), /[\s"'`*]/)
    const start = from + at + before
    at += cell.length + 1
    // Outside of the first and the last sign of a line there is no cell.
    const isOutside = sign === '|' && written === '' && (index === 0 || index === whole.length - 1)
    if (!isOutside) cells.push({ start, end: start + written.length })
  }
  return cells
}

function isSecretCell(cell: string, secret: SecretName, sign: string): boolean {
  if (cell.length < 4 || /\s/.test(cell) || isMethod(cell) || !isQuotedSecret(cell, secret)) {
    return false
  }
  const digits = cell.replaceAll(/[^0-9]/g, '').length
  // Pages of help have tables of tokens that are words, and of passwords that are tried.
  if (secret === 'pass') return sign !== '|' || digits > 0 || /[^\p{L}.,-]/u.test(cell)
  return cell.length >= 12 && digits >= 3 && /[A-Za-z]/.test(cell) && !/[a-z][-_.][a-z]/i.test(cell)
}
