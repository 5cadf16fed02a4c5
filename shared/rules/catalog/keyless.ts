// Who had a key once and has none. Such a principal stays one that must sign, so nothing under its
// name counts until it has a key again; taking the last key away is therefore always safe.
import type { Catalog } from './catalog.ts'

/** Their ids, in the order of the catalog. */
export function keylessIn({ principals, keyed }: Catalog): readonly string[] {
  const found: string[] = []
  for (const { id, keys } of principals.values()) {
    if (keys.length === 0 && keyed.has(id)) found.push(id)
  }
  return found
}
