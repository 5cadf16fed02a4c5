// A value in a few sentences of data: how much there is, which fields, and what their values come
// to. Deterministic, and without what is sensitive only where the value came redacted.
import { compareBytes, utf8 } from '#platform/bytes'
import type { Json } from '#record/canonical'

type Row = Readonly<Record<string, Json | undefined>>

const sampleRows = 10
const most = {
  keys: 10,
  numericKeys: 5,
  otherKeys: 5,
  distinct: 10,
  sortedKeys: 20,
  text: 80,
  subKeys: 5,
  item: 100,
  whole: 500,
}

/** At most so many; where there are more, the last one says how many were left out. */
export function factsOf(value: Json, factsMax: number): readonly string[] {
  if (typeof value === 'string') return [textFact(value)]
  if (typeof value !== 'object' || value === null) return [cut(spelled(value), 200)]
  if (!isItems(value)) return objectFacts(value, factsMax)
  return isRow(value[0]) ? rowFacts(value, factsMax) : listFacts(value, factsMax)
}

export function isItems(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export function isRow(value: Json | undefined): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** By code points, so that no character is cut in two. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join('')
}

export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

function textFact(text: string): string {
  const length = lengthOf(text)
  return length <= most.whole ? text : `${cut(text, most.whole)}… (${length} chars total)`
}

function spelled(value: Json): string {
  return JSON.stringify(value)
}

function bounded(facts: readonly string[], total: number, factsMax: number): readonly string[] {
  if (total <= factsMax) return facts.slice(0, factsMax)
  const omitted = `… (${total - (factsMax - 1)} more facts omitted; full data via handle)`
  return [...facts.slice(0, factsMax - 1), omitted]
}

function listFacts(items: readonly Json[], factsMax: number): readonly string[] {
  const shown = items.slice(0, factsMax).map((item) => cut(spelled(item), most.item))
  return bounded([`List of ${items.length} items`, ...shown], items.length + 1, factsMax)
}

function objectFacts(value: Row, factsMax: number): readonly string[] {
  const members = Object.entries(value)
  const keys = members.map(([key]) => key).toSorted(byCodePoint)
  const facts = members.slice(0, factsMax).map(([key, member]) => `${key}: ${memberFact(member)}`)
  const first = `Keys: ${keys.slice(0, most.sortedKeys).join(', ')}`
  return bounded([first, ...facts], members.length + 1, factsMax)
}

function memberFact(member: Json | undefined): string {
  if (typeof member === 'string') return cut(member, most.text)
  if (isItems(member)) return `list of ${member.length} items`
  if (isRow(member))
    return `dict with keys [${Object.keys(member).slice(0, most.subKeys).join(', ')}]`
  return spelled(member ?? null)
}

function rowFacts(items: readonly Json[], factsMax: number): readonly string[] {
  // What is no row counts as one, and has no fields.
  const rows = items.filter((item) => isRow(item))
  const keys = topKeys(rows)
  const columns = keys.map((key) => columnOf(rows, key))
  const numbers = columns.flatMap(({ key, values }) => {
    return areNumbers(values) ? [{ key, values }] : []
  })
  const others = columns.slice(0, most.otherKeys).flatMap(({ key, values }) => {
    return areNumbers(values) ? [] : columnFact(key, values)
  })
  const facts = [
    `Total rows: ${items.length}`,
    `Top keys: ${keys.join(', ')}`,
    ...numbers.slice(0, most.numericKeys).map(numberFact),
    ...others,
  ]
  return bounded(facts, facts.length, factsMax)
}

/** Those that most of the first rows have, the first met first. */
function topKeys(rows: readonly Row[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const row of rows.slice(0, sampleRows)) {
    for (const key of Object.keys(row)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one)
  return sorted.slice(0, most.keys).map(([key]) => key)
}

interface Column<T = Json> {
  readonly key: string
  readonly values: readonly T[]
}

function columnOf(rows: readonly Row[], key: string): Column {
  const values: Json[] = []
  for (const row of rows) if (Object.hasOwn(row, key)) values.push(row[key] ?? null)
  return { key, values }
}

function areNumbers(values: readonly Json[]): values is readonly number[] {
  return values.length > 0 && values.every((one) => typeof one === 'number')
}

function numberFact({ key, values }: Column<number>): string {
  let [min, max, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  for (const one of values) {
    min = Math.min(min, one)
    max = Math.max(max, one)
    sum += one
  }
  const average = twoDecimals(sum / values.length)
  return `${key}: min=${twoDecimals(min)}, max=${twoDecimals(max)}, avg=${average}`
}

function columnFact(key: string, column: readonly Json[]): readonly string[] {
  if (column.length > 0 && column.every((one) => typeof one === 'boolean')) {
    const yes = column.filter((one) => one).length
    return [`${key}: true=${yes}, false=${column.length - yes}`]
  }
  const counts = new Map<string, number>()
  for (const one of column) {
    if (typeof one === 'string') counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  if (counts.size < 2 || counts.size > most.distinct) return []
  const parts = [...counts].toSorted(([one], [other]) => byCodePoint(one, other))
  return [`${key} distribution: ${parts.map(([text, count]) => `${text}=${count}`).join(', ')}`]
}

function byCodePoint(one: string, other: string): number {
  return compareBytes(utf8(one), utf8(other))
}

/** The exact value to two decimals; what lies between two goes to the even one. */
export function twoDecimals(value: number): string {
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}.00`
  const eighths = value * 8
  // Only odd eighths lie exactly between two hundredths; the engine rounds these away from zero.
  if (!Number.isInteger(eighths) || Math.abs(eighths % 2) !== 1) return value.toFixed(2)
  const hundredths = (BigInt(Math.abs(eighths)) * 25n) / 2n
  const even = hundredths % 2n === 0n ? hundredths : hundredths + 1n
  const fraction = String(even % 100n).padStart(2, '0')
  return `${value < 0 ? '-' : ''}${even / 100n}.${fraction}`
}
