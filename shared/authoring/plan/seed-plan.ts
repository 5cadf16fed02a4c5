// What applying a seed folder would change of a log, in change sets that are all tried before any
// is bound. What the log has and the folder lacks stays, and is named, unless it is to go.
import type { z } from 'zod'
import type { FaultCode } from '#schemas/faults/registry'
import { CatalogFile, Principal, type CatalogOperation } from '#schemas/catalog'
import { GraphFile } from '#schemas/graph'
import type { Catalog } from '#rules/catalog/catalog'
import { catalogToFile } from '#rules/catalog/catalog-file'
import {
  asPolicyAdmin,
  eachDifference,
  hasPolicyAdmin,
  isPolicyAdmin,
  ownersFirst,
  policyAdminsAmong,
} from '#rules/catalog/catalog-operations'
import { packedMin } from '#rules/catalog/packed-map'
import {
  draftOfPrincipals,
  listedPrincipals,
  packingPrincipals,
} from '#rules/catalog/people/held-principals'
import { principalsPut } from '#rules/catalog/people/principals-put'
import type { SeedCatalog } from '../changes/sliced-catalog.ts'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { newestRules } from '#rules/catalog/rules-version'
import { bytesOf, eachSet, type Piece } from '#record/change-sets'
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
  const bytesMax = setBytesMax - bytesOf(note)
  const pieces = onePiece(eachDifference(catalog, file, named), gone)
  const sets: CatalogPlan['sets'][number][] = []
  let after = catalog
  for (const set of eachSet<CatalogOperation>(pieces, bytesOf, bytesMax)) {
    const applied = applyCatalogChange(after, set)
    if (applied.refused !== undefined) {
      const { code, message, at } = applied.refused
      throw faultIn('catalog', code, at === '' ? message : `${at}: ${message}`)
    }
    after = applied.catalog
    if (sets.length === 0 && isGenesis && author !== null) refuseForeignAuthor(after, author)
    sets.push(heldSet(set))
  }
  if (!hasPolicyAdmin(after)) {
    const message = 'at least one policy admin with a key must remain'
    throw faultIn('catalog', 'policy_admin_lost', message)
  }
  return { sets, after }
}

/** One by one: as many lists as there are operations would take more than these do. */
function* onePiece<T>(...lists: readonly Iterable<T>[]): Generator<Piece<T>> {
  for (const operations of lists) for (const operation of operations) yield [[operation]]
}

/** Of very many principals, each set makes its operations again when it is asked for them. */
function heldSet(operations: readonly CatalogOperation[]): CatalogPlan['sets'][number] {
  const kind = 'catalog'
  const entries = principalsPut(operations)
  if (entries.length < Math.max(packedMin, operations.length)) return { kind, operations }
  const listed = listedPrincipals(entries)
  const put = { op: 'put', collection: 'principals' } as const
  return {
    kind,
    get operations() {
      return Array.from(listed, (entry) => ({ ...put, entry }))
    },
  }
}

interface WantedCatalog {
  readonly file: Omit<CatalogFile, 'principals'> & { readonly principals: Iterable<Principal> }
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
  const wanted = withAuthor(over.principals, catalog, { author, isGenesis, isExact })
  const named = new Set([...settings, ...(isExact ? catalogSettings : [])])
  const ordered = ownersFirst(
    adminsFirst(wanted),
    (id) => wanted.get(id) ?? catalog.principals.get(id),
  )
  const file = { ...over, principals: ordered }
  const gone = isExact ? entriesGone(catalog, over, wanted) : []
  if (isGenesis && file.rules === undefined) {
    file.rules = newestRules
    named.add('rules')
  }
  if (callbacks === null) return { file, named, gone }
  named.add('callbacks')
  return { file: { ...file, callbacks: digestOf(callbacks.source) }, named, gone }
}

/** Where no one is a policy admin, the author becomes one. */
function withAuthor(
  wanted: SeedCatalog['principals'],
  { principals }: Catalog,
  {
    author,
    isGenesis,
    isExact,
  }: Pick<SeedPlanning, 'author'> & { readonly isGenesis: boolean; readonly isExact: boolean },
): SeedCatalog['principals'] {
  if (author === null || hasPolicyAdmin({ principals: wanted })) return wanted
  const others = isGenesis || isExact ? new Map<string, Principal>() : principals
  for (const one of others.values()) if (isPolicyAdmin(one) && !wanted.has(one.id)) return wanted
  const found = wanted.get(author.id) ?? others.get(author.id)
  if (found === undefined && !isGenesis) return wanted
  const draft = draftOfPrincipals(wanted)
  draft.set(author.id, asPolicyAdmin(author, found))
  return draft
}

/** The first change set must hold its own author, however many are needed. */
function adminsFirst(wanted: SeedCatalog['principals']): Iterable<Principal> {
  const admins = policyAdminsAmong(wanted.values())
  return {
    *[Symbol.iterator]() {
      yield* admins
      for (const principal of wanted.values()) if (!isPolicyAdmin(principal)) yield principal
    },
  }
}

/** What the file says of each entry and setting, over what the catalog has of it. */
function catalogOver(catalog: Catalog, { catalog: file, written }: SeedFiles): SeedCatalog {
  const { principals: _, ...rest } = catalogToFile(withoutPrincipals(catalog))
  const over = CatalogFile.safeParse({
    ...objectOf(overlaid(rest, written.catalog?.settings ?? {})),
    principals: [],
  })
  if (!over.success) throw notCatalog(over.error.issues)
  const changed = packingPrincipals()
  for (const entry of file.principals.values()) {
    const one = principalOver(catalog, entry, written.catalog?.principals.get(entry.id))
    if (one !== null) changed.add(one)
  }
  return { ...over.data, principals: changed.held() }
}

function withoutPrincipals(catalog: Catalog): Catalog {
  return { ...catalog, principals: new Map() }
}

/** Null where the file has nothing else than is there. */
function principalOver(
  { principals }: Catalog,
  entry: Principal,
  written: unknown,
): Principal | null {
  const stored = principals.get(entry.id)
  if (stored === undefined) return entry
  const value = overlaid(stored, written)
  if (canonical(jsonOf(value)) === canonical(jsonOf(stored))) return null
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

function excessOfCatalog(catalog: Catalog, file: SeedCatalog): readonly Excess[] {
  const { principals: _, ...rest } = catalogToFile(withoutPrincipals(catalog))
  const { principals: wanted, ...other } = file
  const found: Excess[] = []
  for (const entry of catalog.principals.values()) {
    const own = wanted.get(entry.id)
    if (own === undefined) found.push({ path: ['principals'], value: entry })
    else if (JSON.stringify(own) !== JSON.stringify(entry))
      found.push(...excessOver(entry, own, ['principals', entry.id]))
  }
  return [...found, ...excessOver(rest, other)]
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
