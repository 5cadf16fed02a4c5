// Whether a change set could be applied now, and if not, which of its operations to fix and how. It
// binds nothing.
import type { CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import type { Catalog, CatalogRefusal } from '#rules/catalog/catalog'
import { unshownMessageIn } from '#rules/catalog/catalog-file'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { refuseUnknownRules } from '#rules/catalog/rules-version'
import { Fault } from '#record/fault'
import { placeholderWritten } from '#record/placeholder'
import { applyChange } from '#knowledge/graph/graph-change'
import type { Graph } from '#knowledge/graph/revision'
import { nearNames } from '#knowledge/graph/near-names'
import { didYouMean, nearest } from '#record/quote'
import type { GraphRefusal } from '#knowledge/graph/operation'
import { hasPolicyAdmin } from '#rules/catalog/catalog-operations'
import { operationText } from './operation-text.ts'
import type { State } from '#state/state'

/** Operations, or what makes them of the graph or catalog as it is when they are bound. */
type Wanted<Held, Operation> = readonly Operation[] | ((held: Held) => readonly Operation[])

export type Change =
  | { readonly kind: 'graph'; readonly operations: Wanted<Graph, GraphOperation> }
  | { readonly kind: 'catalog'; readonly operations: Wanted<Catalog, CatalogOperation> }

export type Operations =
  | { readonly kind: 'graph'; readonly operations: readonly GraphOperation[] }
  | { readonly kind: 'catalog'; readonly operations: readonly CatalogOperation[] }

/** What is wanted of the graph or catalog as it is now. */
export function operationsOf(state: Pick<State, 'graph' | 'catalog'>, wanted: Change): Operations {
  return wanted.kind === 'graph'
    ? { kind: 'graph', operations: made(wanted.operations, state.graph) }
    : { kind: 'catalog', operations: made(wanted.operations, state.catalog) }
}

/** The same, if it can be applied. Throws a Fault with the code of what is wrong with it. */
export function tried(state: Pick<State, 'graph' | 'catalog'>, wanted: Change): Operations {
  const now = operationsOf(state, wanted)
  if (now.kind === 'graph') checkedGraph(state.graph, now.operations)
  else checkedCatalog(state.catalog, now.operations)
  return now
}

function made<Held, Operation>(
  operations: readonly Operation[] | ((held: Held) => readonly Operation[]),
  held: Held,
): readonly Operation[] {
  return typeof operations === 'function' ? operations(held) : operations
}

/** The graph after the operations. */
export function checkedGraph(graph: Graph, operations: readonly GraphOperation[]): Graph {
  const placeholder = placeholderWritten(operations)
  if (placeholder !== null) throw new Fault('placeholder_left', placeholder.message)
  const applied = applyChange(graph, operations, { literals: true })
  if ('graph' in applied) return applied.graph
  const { refused } = applied
  throw new Fault(refused.code, graphMessage(graph, operations, refused))
}

function graphMessage(
  graph: Graph,
  operations: readonly GraphOperation[],
  { code, message, at }: GraphRefusal,
): string {
  const operation = operations[at]
  if (operation === undefined) return message
  const where = operations.length === 1 ? '' : `operation ${at + 1} (${operationText(operation)}): `
  const unknown = unknownName(code, operation)
  const near = unknown === null ? '' : didYouMean(nearNames(graph, unknown))
  return `${where}${message}${near}`
}

/** The name that is no primitive's, where that is what is wrong. */
function unknownName(code: GraphRefusal['code'], operation: GraphOperation): string | null {
  if (code === 'name_unknown') return operation.name
  return code === 'target_dangling' && operation.op === 'relate' ? operation.relatum.target : null
}

/** The catalog after the operations: one that someone can still change. */
export function checkedCatalog(catalog: Catalog, operations: readonly CatalogOperation[]): Catalog {
  const { catalog: after, refused } = applyCatalogChange(catalog, operations)
  if (refused !== undefined) {
    const { code, message, at } = refused
    const where = at === '' ? '' : `${at}: `
    throw new Fault(code, `${where}${message}${nearEntries(catalog, operations, refused)}`)
  }
  const unshown = unshownMessageIn(operations, catalog)
  if (unshown !== null) throw new Fault(unshown.code, `${unshown.at}: ${unshown.message}`)
  refuseUnknownRules(after)
  if (hasPolicyAdmin(after)) return after
  const message = 'at least one policy admin with a key must remain'
  throw new Fault('policy_admin_lost', message)
}

/** Where an entry is not there: those that may have been meant. */
function nearEntries(
  catalog: Catalog,
  operations: readonly CatalogOperation[],
  { code, at }: CatalogRefusal,
): string {
  if (code !== 'unknown_entry') return ''
  for (const operation of operations) {
    if (operation.op === 'put' || operation.op === 'set') continue
    if (operation.op === 'accept_rollback') continue
    const collection = operation.op === 'remove' ? operation.collection : 'principals'
    if (at !== `${collection}/${operation.id}`) continue
    return didYouMean(nearest(catalog[collection].keys(), operation.id))
  }
  return ''
}
