// What a search ranges over: the subjects that the caller may ask about, the resources that the
// catalog lists, the actions that its capabilities are named by. Nothing else can be found.
import type { Search } from '#schemas/intent'
import type { Catalog } from '../catalog.ts'
import { subjectOf } from './subjects.ts'

type Known = Pick<Catalog, 'principals' | 'capabilities' | 'resources'>
type Sought = Pick<Search, 'for' | 'type'>

/** So many lists of one catalog are kept: page after page is asked of the same one. */
const keptMax = 64

const kept = new WeakMap<object, Map<string, readonly string[]>>()

/** Their ids, or the names of actions, in order. */
export function candidatesOf(
  catalog: Known,
  caller: string,
  { for: of, type }: Sought,
): readonly string[] {
  const from = { subjects: 'principals', resources: 'resources', actions: 'capabilities' } as const
  const collection = catalog[from[of]]
  const lists = kept.get(collection) ?? new Map<string, readonly string[]>()
  kept.set(collection, lists)
  const key = JSON.stringify(of === 'subjects' ? [type, caller] : [type])
  const before = lists.get(key)
  if (before !== undefined) return before
  const found = listed(catalog, caller, { for: of, type })
  if (lists.size >= keptMax) lists.clear()
  lists.set(key, found)
  return found
}

function listed(catalog: Known, caller: string, { for: of, type }: Sought): readonly string[] {
  const { principals, resources, capabilities } = catalog
  if (of === 'subjects') {
    const ids = [...principals.keys()]
    return ids.filter((id) => subjectOf(catalog, caller, { type, id }) !== null).toSorted()
  }
  if (of === 'resources') {
    // A type has no colon, so that two never name the same.
    return type.includes(':') ? [] : named(resources.keys(), `${type}:`)
  }
  return named(capabilities.keys(), `${type}.`).filter((name) => !name.includes('.'))
}

function named(ids: Iterable<string>, prefix: string): readonly string[] {
  return [...ids]
    .flatMap((id) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []))
    .filter((id) => id !== '')
    .toSorted()
}
