// Change sets that are being written: operations of the graph and of the catalog, kept by this tab
// alone until they are signed or left out. What was kept is read like anything from outside.
import { signal } from '@preact/signals'
import { canonical, jsonOf } from '#record/canonical'
import { parseJson } from '#record/json'
import { CatalogOperation } from '#schemas/catalog'
import type { ChangeBody } from '#schemas/console/authoring'
import { GraphOperation } from '#schemas/graph'
import { operationsOn } from '#authoring/changes/concept-operations'
import { withNote } from '../operating/acts.ts'
import { session } from '../shell/session.ts'
import { memberMap } from '../signing/members.ts'

export interface Drafts {
  readonly graph: readonly GraphOperation[]
  readonly catalog: readonly CatalogOperation[]
}

export type DraftOf = keyof Drafts

const none: Drafts = { graph: [], catalog: [] }

/** Of another log it is another one. */
function place(): string {
  return `warrant.draft.${session.value?.log ?? ''}`
}

function kept(): Drafts {
  try {
    const value: unknown = parseJson(window.sessionStorage.getItem(place()) ?? 'null')
    const held = memberMap(value)
    const [one, other] = [GraphOperation.array(), CatalogOperation.array()]
    return {
      graph: one.safeParse(held.get('graph')).data ?? [],
      catalog: other.safeParse(held.get('catalog')).data ?? [],
    }
  } catch {
    return none
  }
}

const drafts = signal<Drafts | null>(null)

export function changesOf<Of extends DraftOf>(of: Of): Drafts[Of] {
  return (drafts.value ?? kept())[of]
}

function keep(next: Drafts): void {
  drafts.value = next
  window.sessionStorage.setItem(place(), JSON.stringify(next))
}

/** What is written of a concept takes the place of what was written of it before. */
export function addToGraph(name: string, operations: readonly GraphOperation[]): void {
  const now = drafts.value ?? kept()
  const before = new Set(operationsOn(name, now.graph))
  const rest = now.graph.filter((one) => !before.has(one))
  keep({ ...now, graph: [...rest, ...operations] })
}

/** A later operation on the same entry or key takes the place of an earlier one. */
export function addToCatalog(operation: CatalogOperation): void {
  const now = drafts.value ?? kept()
  const rest = now.catalog.filter((one) => aboutOf(one) !== aboutOf(operation))
  keep({ ...now, catalog: [...rest, operation] })
}

function aboutOf(operation: CatalogOperation): string {
  switch (operation.op) {
    case 'put':
      return canonical([operation.collection, operation.entry.id])
    case 'remove':
      return canonical([operation.collection, operation.id])
    case 'set':
      return canonical(['set', operation.key])
    case 'suspend':
    case 'unsuspend':
      return canonical(['suspend', operation.id])
    case 'leave':
    case 'stay':
    case 'arrive':
    case 'accept_rollback':
      return canonical(jsonOf(operation))
  }
}

export function dropFrom(of: DraftOf, index: number): void {
  const now = drafts.value ?? kept()
  const left = <T>(all: readonly T[]): readonly T[] => all.filter((_, at) => at !== index)
  keep(of === 'graph' ? { ...now, graph: left(now.graph) } : { ...now, catalog: left(now.catalog) })
}

export function discard(of: DraftOf): void {
  keep({ ...(drafts.value ?? kept()), [of]: [] })
}

/** As the server takes it. */
export function changeBodyOf(of: DraftOf, note: string): ChangeBody {
  const now = drafts.value ?? kept()
  const why = withNote(note)
  return of === 'graph'
    ? { of, operations: [...now.graph], ...why }
    : { of, operations: [...now.catalog], ...why }
}
