// What applying a seed folder would change of a log, in change sets that are all tried before any
// is bound. What the log has and the folder lacks stays, and is named, unless it is to go.
import type { z } from 'zod'
import type { FaultCode } from '#schemas/faults/registry'
import { CatalogFile, Principal, type CatalogOperation } from '#schemas/catalog'
import { GraphFile } from '#schemas/graph'
import type { Catalog } from '#rules/catalog/catalog'
import { catalogToFile } from '#rules/catalog/catalog-file'
import {
  catalogDifference,
  hasPolicyAdmin,
  isPolicyAdmin,
  withPolicyAdmin,
} from '#rules/catalog/catalog-operations'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { newestRules } from '#rules/catalog/rules-version'
import { bytesOf, inSets, type Piece } from '#record/change-sets'
import { excessOver, overlaid, type Excess } from '../changes/overlay.ts'
import { graphDifference, type GraphDifference } from '../changes/seed-operations.ts'
import { graphToFile, primitiveToFile } from '#knowledge/graph/graph'
import { find, type Graph } from '#knowledge/graph/revision'
import { canonical, jsonOf } from '#record/canonical'
import { digestOf } from '#record/digest'
import { catalogSettings } from '#rules/catalog/settings'
import { Fault } from '#record/fault'
import type { State } from '#state/state'
import { entriesGone } from '../catalog-import.ts'
import type { Operations } from '../change-check.ts'
import { exactGraphPlan } from '../graph-import.ts'
import { graphPlan, setBytesMax, type GraphPlan } from '../graph-plan.ts'
import { seedFileNames, type SeedFiles } from '../seed-files.ts'

/** Something that only the log has: of the graph or of the catalog. */
export interface OnlyInLog extends Excess {
  readonly of: 'graph' | 'catalog'
}

export interface PlannedSeed {
  /** In the order in which they are to be bound. */
  readonly sets: readonly Operations[]
  readonly after: Pick<State, 'graph' | 'catalog'>
  /** What the log has and the folder lacks: it stays, or goes where that was asked for. */
  readonly onlyInLog: readonly OnlyInLog[]
  /** What of it is still there afterwards. */
  readonly stays: readonly OnlyInLog[]
  /** The same of the graph, counted. */
  readonly leftAlone: GraphDifference['leftAlone'] & { readonly primitives: number }
}

export interface SeedPlanning {
  /** Who will sign. */
  readonly author: { readonly id: string; readonly publicKey: string } | null
  /** Whether what only the log has is taken away. */
  readonly prune: boolean
  readonly note?: string | undefined
}

/** Throws a Fault with the file and the place of what cannot be applied. */
export function plannedSeed(
  state: Pick<State, 'graph' | 'catalog' | 'catalogRevision'>,
  files: SeedFiles,
  planning: SeedPlanning,
): PlannedSeed {
  const isGenesis = state.catalogRevision === 0
  const graph = plannedGraph(state.graph, files, planning)
  const catalog = plannedCatalogOf(state.catalog, files, { ...planning, isGenesis })
  const graphSets = graph.sets.map((operations) => ({ kind: 'graph' as const, operations }))
  // Until the new graph stands, new capabilities must not be there: nothing is allowed in between.
  const sets = isGenesis ? [...catalog.sets, ...graphSets] : [...graphSets, ...catalog.sets]
  const after = { graph: graph.after, catalog: catalog.after }
  const stays = isGenesis ? [] : onlyIn(after, files)
  const onlyInLog = planning.prune && !isGenesis ? onlyIn(state, files) : stays
  const { leftAlone: parts } = graphDifference(after.graph, files.graph)
  const leftAlone = { ...parts, primitives: onlyInGraph(after.graph, files) }
  return { sets, after, onlyInLog, stays, leftAlone }
}

function plannedGraph(
  graph: Graph,
  files: SeedFiles,
  { author, prune, note = '' }: SeedPlanning,
): GraphPlan {
  const by = author?.id ?? ''
  const bytesMax = setBytesMax - bytesOf(note)
  return inFile('graph', () => {
    if (prune && files.written.graph !== null) {
      const read = { file: files.graph, provenances: new Map(), lines: null }
      return exactGraphPlan(graph, read, { by, bytesMax })
    }
    const file = graphOver(graph, files)
    return graphPlan(graph, {
      by,
      bytesMax,
      pieces: (order) => graphDifference(graph, file, order).pieces,
    })
  })
}

/** What the file says of each primitive, over what the graph has of it. */
function graphOver(graph: Graph, { graph: file, written }: SeedFiles): GraphFile {
  const raw = listIn(written.graph, 'primitives')
  const primitives = file.primitives.map((primitive, index) => {
    const record = find(graph, primitive.name)
    if (record === undefined) return primitive
    return overlaid(primitiveToFile(graph, record), raw[index] ?? primitive)
  })
  return GraphFile.parse({ primitives })
}

interface CatalogPlan {
  readonly sets: readonly Extract<Operations, { kind: 'catalog' }>[]
  readonly after: Catalog
}

function plannedCatalogOf(
  catalog: Catalog,
  files: SeedFiles,
  planning: SeedPlanning & { readonly isGenesis: boolean },
): CatalogPlan {
  const { author, isGenesis, note = '' } = planning
  const { file, named, gone } = wantedCatalog(catalog, files, planning)
  const operations = [...catalogDifference(catalog, file, named), ...gone]
  const bytesMax = setBytesMax - bytesOf(note)
  const sets = inSets<CatalogOperation>(onePiece(operations), bytesOf, bytesMax)
  let after = catalog
  for (const [index, set] of sets.entries()) {
    const applied = applyCatalogChange(after, set)
    if (applied.refused !== undefined) {
      const { code, message, at } = applied.refused
      throw faultIn('catalog', code, at === '' ? message : `${at}: ${message}`)
    }
    after = applied.catalog
    if (index === 0 && isGenesis && author !== null) refuseForeignAuthor(after, author)
  }
  if (!hasPolicyAdmin(after)) {
    const message = 'at least one policy admin with a key must remain'
    throw faultIn('catalog', 'policy_admin_lost', message)
  }
  return { sets: sets.map((set) => ({ kind: 'catalog', operations: set })), after }
}

/** One by one: as many lists as there are operations would take more than these do. */
function* onePiece<T>(operations: readonly T[]): Generator<Piece<T>> {
  for (const operation of operations) yield [[operation]]
}

interface WantedCatalog {
  readonly file: CatalogFile
  /** The settings that it has something to say of. */
  readonly named: ReadonlySet<string>
  readonly gone: readonly CatalogOperation[]
}

function wantedCatalog(
  catalog: Catalog,
  files: SeedFiles,
  { author, prune, isGenesis }: SeedPlanning & { readonly isGenesis: boolean },
): WantedCatalog {
  const { catalog: parsed, settings, callbacks, written } = files
  const isExact = prune && written.catalog !== null
  const over = isGenesis || isExact ? parsed : catalogOver(catalog, files)
  const principals =
    author === null ? over.principals : withPolicyAdmin(over.principals, author, isGenesis)
  // The first change set must hold its own author, however many are needed.
  const first = principals.filter(isPolicyAdmin)
  const rest = principals.filter((principal) => !isPolicyAdmin(principal))
  const named = new Set([...settings, ...(isExact ? catalogSettings : [])])
  const file = { ...over, principals: [...first, ...rest] }
  const gone = isExact ? entriesGone(catalog, file) : []
  if (isGenesis && file.rules === undefined) {
    file.rules = newestRules
    named.add('rules')
  }
  if (callbacks === null) return { file, named, gone }
  named.add('callbacks')
  return { file: { ...file, callbacks: digestOf(callbacks.source) }, named, gone }
}

/** What the file says of each entry and setting, over what the catalog has of it. */
function catalogOver(catalog: Catalog, { catalog: file, written }: SeedFiles): CatalogFile {
  const { principals: _, ...rest } = catalogToFile(catalog)
  const over = CatalogFile.safeParse({
    ...objectOf(overlaid(rest, objectOf(written.catalog))),
    principals: [],
  })
  if (!over.success) throw notCatalog(over.error.issues)
  const raw = listIn(written.catalog, 'principals')
  const named = file.principals.map((entry, at) => principalOver(catalog, entry, raw[at]))
  const ids = new Set(file.principals.map(({ id }) => id))
  const others = [...catalog.principals.values()].filter(({ id }) => !ids.has(id))
  return { ...over.data, principals: [...named, ...others] }
}

/** The stored one where the file differs in nothing. */
function principalOver({ principals }: Catalog, entry: Principal, written: unknown): Principal {
  const stored = principals.get(entry.id)
  if (stored === undefined) return entry
  const value = overlaid(stored, written)
  if (canonical(jsonOf(value)) === canonical(jsonOf(stored))) return stored
  const over = Principal.safeParse(value)
  if (over.success) return over.data
  throw notCatalog(over.error.issues, ['principals', entry.id])
}

function notCatalog([issue]: readonly z.core.$ZodIssue[], above: readonly string[] = []): Fault {
  const where =
    issue === undefined ? '' : `${[...above, ...issue.path].join('/')}: ${issue.message}`
  const fix = 'with what the log has, it is no catalog: write the entry in full, and --prune'
  return faultIn('catalog', 'catalog_invalid', `${where}: ${fix}`)
}

function refuseForeignAuthor(
  catalog: Catalog,
  { id, publicKey }: NonNullable<SeedPlanning['author']>,
): void {
  const author = catalog.principals.get(id)
  const isTheirs = author?.keys.includes(publicKey) === true
  if (author !== undefined && isTheirs && isPolicyAdmin(author)) return
  const message = `\`${id}\` must sign it, but is not a policy admin in it with that key`
  throw faultIn('catalog', 'no_policy_admin', message)
}

/** They go with no file: the rules, the cells, who began it, and the pin of the callbacks. */
const neverGone: ReadonlySet<string> = new Set(['rules', 'cells', 'dev', 'callbacks'])

function onlyIn(
  { graph, catalog }: Pick<State, 'graph' | 'catalog'>,
  files: SeedFiles,
): readonly OnlyInLog[] {
  const ofGraph = files.written.graph === null ? [] : excessOver(graphToFile(graph), files.graph)
  const ofCatalog = files.written.catalog === null ? [] : excessOfCatalog(catalog, files.catalog)
  return [
    ...ofGraph.map((excess) => ({ of: 'graph' as const, ...excess })),
    ...ofCatalog
      .filter(({ path: [first = ''] }) => !neverGone.has(first))
      .map((excess) => ({ of: 'catalog' as const, ...excess })),
  ]
}

function excessOfCatalog(catalog: Catalog, file: CatalogFile): readonly Excess[] {
  const { principals, ...rest } = catalogToFile(catalog)
  const { principals: named, ...other } = file
  const wanted = new Map(named.map((entry) => [entry.id, entry]))
  const ofPrincipals = principals.flatMap((entry): readonly Excess[] => {
    const own = wanted.get(entry.id)
    if (own === undefined) return [{ path: ['principals'], value: entry }]
    return own === entry ? [] : excessOver(entry, own, ['principals', entry.id])
  })
  return [...ofPrincipals, ...excessOver(rest, other)]
}

function onlyInGraph(graph: Graph, { graph: file }: SeedFiles): number {
  const shared = file.primitives.filter(({ name }) => find(graph, name) !== undefined)
  return graph.size - shared.length
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

function listIn(value: unknown, key: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const list: unknown = Object.getOwnPropertyDescriptor(value, key)?.value
  return Array.isArray(list) ? list : []
}

function inFile<T>(file: 'graph' | 'catalog', run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof Fault ? faultIn(file, error.code, error.message) : error
  }
}

function faultIn(file: 'graph' | 'catalog', code: FaultCode, message: string): Fault {
  return new Fault(code, `\`${seedFileNames[file]}\`: ${message}`)
}
