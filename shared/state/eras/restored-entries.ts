// The entries of a catalog as a snapshot has them, line by line.
import type { Catalog } from '#rules/catalog/catalog'
import type { LineOf } from './genesis-lines.ts'

export interface RestoredEntries {
  readonly principal: Map<string, LineOf<'principal'>['entry']>
  readonly keyed: Set<string>
  readonly group: Map<string, LineOf<'group'>['entry']>
  readonly capability: Map<string, LineOf<'capability'>['entry']>
  readonly confirmation: Map<string, LineOf<'confirmation'>['entry']>
  readonly limit: Map<string, LineOf<'limit'>['entry']>
  readonly resource: Map<string, LineOf<'resource'>['entry']>
}

export function noEntries(): RestoredEntries {
  return {
    principal: new Map(),
    keyed: new Set(),
    group: new Map(),
    capability: new Map(),
    confirmation: new Map(),
    limit: new Map(),
    resource: new Map(),
  }
}

export type EntryLine = LineOf<keyof RestoredEntries>

export function takeEntry(entries: RestoredEntries, line: EntryLine): void {
  switch (line.line) {
    case 'principal':
      entries.principal.set(line.entry.id, line.entry)
      return
    case 'keyed':
      entries.keyed.add(line.principal)
      return
    case 'group':
      entries.group.set(line.entry.id, line.entry)
      return
    case 'capability':
      entries.capability.set(line.entry.id, line.entry)
      return
    case 'confirmation':
      entries.confirmation.set(line.entry.id, line.entry)
      return
    case 'limit':
      entries.limit.set(line.key, line.entry)
      return
    case 'resource':
      entries.resource.set(line.entry.id, line.entry)
  }
}

/** The catalog with all of them. */
export function withEntries(catalog: Catalog, entries: RestoredEntries): Catalog {
  return {
    ...catalog,
    principals: entries.principal,
    keyed: entries.keyed,
    groups: entries.group,
    capabilities: entries.capability,
    confirmations: entries.confirmation,
    limits: entries.limit,
    resources: entries.resource,
  }
}
