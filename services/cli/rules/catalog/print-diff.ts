// What changed in the catalog, field by field. Of keys only their short names are
// shown, as everywhere.
import type { CatalogChange } from '#rules/catalog/catalog-difference'
import { keyIdOf } from '#record/signature'
import { counted, jsonText } from '#present/wording'
import { marked } from '../graph/print-diff.ts'
import { toned, type Line } from '#cli/terminal/line'

const nouns = {
  principals: 'principal',
  groups: 'group',
  confirmations: 'confirmation',
  capabilities: 'capability',
  resources: 'resource',
} as const

export function catalogDiffLines(changes: readonly CatalogChange[]): readonly Line[] {
  return firstDiffLines(changes, Infinity).lines
}

/** The first so many of them at least, and how many there are. */
export function firstDiffLines(changes: Iterable<CatalogChange>, linesMax: number) {
  const lines: Line[] = []
  let [total, count] = [1, 0]
  for (const change of changes) {
    const own = changeLines(change)
    count += 1
    total += own.length
    if (lines.length < linesMax) lines.push(...own)
  }
  const head = count === 0 ? 'no changes' : toned('dim', counted(count, 'change'))
  return { lines: [head, ...lines], total, count }
}

function changeLines(change: CatalogChange): readonly Line[] {
  const { collection, id, before, after } = change
  if (collection === null) return fieldLines(0, id, [valueText(id, before), valueText(id, after)])
  const name = `${nouns[collection]} ${id}`
  const was = fieldsOf(before)
  const is = fieldsOf(after)
  if (before === null || after === null) {
    const mark = before === null ? 'added' : 'removed'
    const fields = [...(before === null ? is : was)]
    return [
      marked(mark, 0, name),
      ...fields.flatMap(([key, value]) => {
        return fieldLines(1, key, before === null ? [undefined, value] : [value, undefined])
      }),
    ]
  }
  const keys = [...new Set([...was.keys(), ...is.keys()])]
  return [
    marked('changed', 0, name),
    ...keys.flatMap((key) => fieldLines(1, key, [was.get(key), is.get(key)])),
  ]
}

/** A text, or of a list of entries one text each. */
type FieldText = string | readonly string[]

function fieldLines(
  depth: number,
  key: string,
  [was, is]: readonly [FieldText | undefined, FieldText | undefined],
): readonly Line[] {
  if (typeof was !== 'object' && typeof is !== 'object') {
    if (was === is) return []
    if (was === undefined) return [marked('added', depth, `${key}: ${is}`)]
    if (is === undefined) return [marked('removed', depth, `${key}: ${was}`)]
    return [marked('changed', depth, `${key}: ${was} → ${is}`)]
  }
  const [before, after] = [entriesIn(was), entriesIn(is)]
  const lines = [
    ...before.filter((one) => !after.includes(one)).map((one) => marked('removed', depth + 1, one)),
    ...after.filter((one) => !before.includes(one)).map((one) => marked('added', depth + 1, one)),
  ]
  const mark = before.length === 0 ? 'added' : after.length === 0 ? 'removed' : 'changed'
  return was === undefined || is === undefined || lines.length > 0
    ? [marked(mark, depth, `${key}:`), ...lines]
    : []
}

function entriesIn(value: FieldText | undefined): readonly string[] {
  if (value === undefined || value === none) return []
  return typeof value === 'string' ? [value] : value
}

function fieldsOf(entry: unknown): ReadonlyMap<string, FieldText> {
  if (typeof entry !== 'object' || entry === null) return new Map()
  const fields = Object.entries(entry).filter(([key, value]) => key !== 'id' && value !== undefined)
  return new Map(fields.map(([key, value]) => [key, valueText(key, value)]))
}

const none = '[]'

function valueText(key: string, value: unknown): FieldText {
  if (!Array.isArray(value)) return jsonText(value)
  if (key === 'keys') return value.map((each) => keyIdOf(String(each))).join(', ')
  const isOfEntries = value.length > 0 && value.every((one) => typeof one === 'object')
  return isOfEntries ? value.map((one) => jsonText(one)) : jsonText(value)
}
