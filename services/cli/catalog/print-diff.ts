// What changed in the catalog, field by field. Of keys only their short names are
// shown, as everywhere.
import type { CatalogChange } from '#core/catalog/catalog-difference'
import { keyIdOf } from '#core/kernel/signature'
import { counted, jsonText } from '#present/wording'
import { marked } from '../graph/print-diff.ts'
import { toned, type Line } from '../terminal/line.ts'

const nouns = {
  principals: 'principal',
  groups: 'group',
  confirmations: 'confirmation',
  capabilities: 'capability',
} as const

export function catalogDiffLines(changes: readonly CatalogChange[]): readonly Line[] {
  if (changes.length === 0) return ['no changes']
  return [toned('dim', counted(changes.length, 'change')), ...changes.flatMap(changeLines)]
}

function changeLines(change: CatalogChange): readonly Line[] {
  const { collection, id, before, after } = change
  if (collection === null) {
    return [marked('changed', 0, `${id}: ${jsonText(before)} → ${jsonText(after)}`)]
  }
  const name = `${nouns[collection]} ${id}`
  const was = fieldsOf(before)
  const is = fieldsOf(after)
  if (before === null || after === null) {
    const mark = before === null ? 'added' : 'removed'
    const fields = [...(before === null ? is : was)]
    return [
      marked(mark, 0, name),
      ...fields.map(([key, value]) => marked(mark, 1, `${key}: ${value}`)),
    ]
  }
  const keys = [...new Set([...was.keys(), ...is.keys()])]
  return [
    marked('changed', 0, name),
    ...keys.flatMap((key) => fieldLine(key, was.get(key), is.get(key))),
  ]
}

function fieldLine(key: string, was: string | undefined, is: string | undefined): readonly Line[] {
  if (was === is) return []
  if (was === undefined) return [marked('added', 1, `${key}: ${is}`)]
  if (is === undefined) return [marked('removed', 1, `${key}: ${was}`)]
  return [marked('changed', 1, `${key}: ${was} → ${is}`)]
}

function fieldsOf(entry: unknown): ReadonlyMap<string, string> {
  if (typeof entry !== 'object' || entry === null) return new Map()
  const fields = Object.entries(entry).filter(([key, value]) => key !== 'id' && value !== undefined)
  return new Map(fields.map(([key, value]) => [key, valueText(key, value)]))
}

function valueText(key: string, value: unknown): string {
  if (key !== 'keys' || !Array.isArray(value)) return jsonText(value)
  return value.map((each) => keyIdOf(String(each))).join(', ')
}
