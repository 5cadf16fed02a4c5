// A catalog of a moment as something that is only read. It was checked when it was signed, and a
// page may not compile the schemas of arguments, so nothing of it is checked again here.
import { emptyCatalog, type Catalog } from '#rules/catalog/catalog'
import type { CatalogFile } from '#schemas/catalog'

export function catalogShown(file: CatalogFile): Catalog {
  const { principals, groups, capabilities, confirmations, trustedEvidence } = file
  const {
    knownConstraints,
    learning,
    now = null,
    callbacks = null,
    cells = null,
    dev = false,
  } = file
  const { rules = 1, conditions = [], defaults = {}, budgets = [], servers = [] } = file
  const { consoles = [], work = {} } = file
  return {
    ...emptyCatalog,
    principals: byId(principals),
    groups: byId(groups),
    capabilities: byId(capabilities),
    confirmations: byId(confirmations),
    trustedEvidence,
    knownConstraints,
    learning,
    now,
    callbacks,
    cells,
    dev,
    rules,
    conditions,
    defaults,
    budgets,
    servers,
    consoles,
    work,
  }
}

function byId<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.id, entry]))
}
