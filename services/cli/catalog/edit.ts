// One edit of the catalog each, as the operations of one change set.
import { parseExactJson } from '#core/kernel/json'
import { CatalogOperation, type Collection } from '#schemas/catalog'
import type { Catalog } from '#core/catalog/catalog'
import { firstProblem } from '#core/kernel/problem'
import { Fault } from '#core/kernel/fault'
import type { EditOptions } from '../editing/edit-options.ts'
import { usage } from '../terminal/failure.ts'
import { edit } from '../editing/edit.ts'
import { inInput, readInput } from '../opening/input.ts'

type Words = Readonly<Record<string, unknown>>

/** A whole entry replaces the one that is there; words change only what they name of it. */
export async function putEntry(
  collection: Collection,
  words: readonly string[],
  options: EditOptions,
): Promise<number> {
  const [only = ''] = words
  if (words.length === 1 && only.startsWith('{')) {
    return edit(options, { kind: 'catalog', operations: [put(collection, jsonOf(only))] })
  }
  if (words.every((each) => each.indexOf('=') > 0)) {
    const said = Object.fromEntries(words.map(word))
    const operations = (catalog: Catalog) => [put(collection, merged(catalog, collection, said))]
    return edit(options, { kind: 'catalog', operations })
  }
  if (words.length > 1) throw usage('an entry is one JSON object, one file, or only key=value')
  const operation = await inInput(only, async () => {
    const input = await readInput(only, () => false)
    return put(collection, input.as === 'value' ? input.value : null)
  })
  return edit(options, { kind: 'catalog', operations: [operation] })
}

export function removeEntry(
  collection: Collection,
  id: string,
  options: EditOptions,
): Promise<number> {
  const operations = [{ op: 'remove' as const, collection, id }]
  return edit(options, { kind: 'catalog', operations })
}

export function setSetting(key: string, text: string, options: EditOptions): Promise<number> {
  const operations = [operationOf({ op: 'set', key, value: valueOf(text) }, key)]
  return edit(options, { kind: 'catalog', operations })
}

function merged(catalog: Catalog, collection: Collection, said: Words): Words {
  const { id } = said
  if (typeof id !== 'string') throw usage('give its id: id=…')
  const stored: Words | undefined = catalog[collection].get(id)
  const all = Object.entries({ ...stored, ...said })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}

const texts = new Set([
  'id',
  'owner',
  'description',
  'safetyClass',
  'sensitivity',
  'cardinality',
  'confirmation',
  'tier',
  'group',
])
const lists = new Set(['roles', 'keys', 'via', 'members', 'concepts', 'allowedFields', 'tags'])

/** `key=value`: text is text, a list may be reported with commas, and anything else is JSON. */
function word(text: string): readonly [string, unknown] {
  const at = text.indexOf('=')
  const key = text.slice(0, at)
  const value = text.slice(at + 1)
  if (value === 'null') return [key, null]
  if (texts.has(key)) return [key, value]
  if (!lists.has(key) || value.startsWith('[')) return [key, valueOf(value)]
  return [key, value === '' ? [] : value.split(',')]
}

function put(collection: Collection, entry: unknown): CatalogOperation {
  return operationOf({ op: 'put', collection, entry }, 'the entry')
}

/**
 * What was written as an operation; what no catalog can hold is reported before anything is bound.
 */
function operationOf(value: unknown, where: string): CatalogOperation {
  const parsed = CatalogOperation.safeParse(value)
  if (parsed.success) return parsed.data
  const { at, message } = firstProblem(parsed.error.issues)
  const place = at.replace(/^(entry|value)\/?/, '')
  const whole = place === '' ? where : `${where} at ${place}`
  throw new Fault('operation_invalid', `${whole}: ${message}`)
}

function jsonOf(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw usage(`the entry is not JSON: ${error instanceof Error ? error.message : 'unreadable'}`)
  }
}

function valueOf(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (error) {
    if (error instanceof Fault) throw error
    return text
  }
}
