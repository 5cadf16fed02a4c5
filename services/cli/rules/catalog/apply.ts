// Applies operations from a file as one change set of the catalog: all of them or none.
import { CatalogOperation } from '#schemas/catalog'
import type { EditOptions } from '../editing/edit-options.ts'
import { edit } from '../editing/edit.ts'
import { readOperations } from '../editing/operations-file.ts'

export async function applyToCatalog(file: string, options: EditOptions): Promise<number> {
  const operations = await readOperations(file, CatalogOperation)
  return edit(options, { kind: 'catalog', operations })
}
