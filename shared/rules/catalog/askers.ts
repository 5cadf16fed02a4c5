// Who may have asked an agent to act, and would then not count as a second pair of eyes: the
// members of all groups, and whatever belongs to one of them.
import type { Catalog } from './catalog.ts'

const known = new WeakMap<Catalog, readonly string[]>()

export function askersOf(catalog: Catalog): readonly string[] {
  const found = known.get(catalog) ?? find(catalog)
  known.set(catalog, found)
  return found
}

function find({ groups, principals }: Catalog): readonly string[] {
  const askers = new Set([...groups.values()].flatMap(({ members }) => members))
  // Each round adds those who belong to one that was added; the last one adds none.
  for (let size = -1; size !== askers.size;) {
    size = askers.size
    for (const { id, owner } of principals.values()) {
      if (owner !== undefined && askers.has(owner)) askers.add(id)
    }
  }
  return [...askers]
}
