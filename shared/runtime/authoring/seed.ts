// Brings a seed folder into a log: as signed change sets that add what is not there and replace
// what differs. On an empty log it is the genesis, and the catalog then begins with an
// policy admin.
import type { FaultCode } from '#schemas/faults/registry'
import type { CatalogFile, CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import type { Catalog } from '#core/catalog/catalog'
import { applyCatalogChange } from '#core/catalog/catalog-change'
import { digestOf } from '#core/kernel/digest'
import { Fault } from '#core/kernel/fault'
import type { Graph } from '#core/graph/revision'
import { find } from '#core/graph/revision'
import { newestRules } from '#core/catalog/rules-version'
import { catalogDifference, isPolicyAdmin, withPolicyAdmin } from '#core/catalog/catalog-operations'
import { bytesOf, inSets } from '#core/authoring/change-sets'
import { graphDifference, type GraphDifference } from '#core/authoring/seed-operations'
import { keepModule } from './callback-store.ts'
import { change } from './change.ts'
import { graphPlan, setBytesMax, type GraphPlan } from './graph-plan.ts'
import type { Runtime } from '../engine/runtime.ts'
import { authorOf, type AuthorOptions, type SeedAuthor } from './seed-author.ts'
import { refuseUnknownCallbacks } from './seed-callbacks.ts'
import { readSeed, seedFileNames, type SeedFiles } from './seed-files.ts'

export interface SeedReport {
  readonly author: string
  /** The key that was made for the author, if there was none. */
  readonly createdKey: SeedAuthor['created']
  /** In the order in which they were bound; the revision is null for a dry run. */
  readonly changes: readonly SeedChange[]
  /** How many operations of each kind: `add`, `describe`, `relate`, … */
  readonly graph: Readonly<Record<string, number>>
  /** How many entries of each collection, and which settings. */
  readonly catalog: Readonly<Record<string, number>>
  /** What the log has and the folder does not. */
  readonly leftAlone: {
    readonly primitives: number
    readonly levels: number
    readonly edges: number
  }
}

export interface SeedChange {
  readonly kind: 'graph' | 'catalog'
  readonly operations: number
  readonly revision: number | null
}

type ChangeSet =
  | { readonly kind: 'graph'; readonly operations: readonly GraphOperation[] }
  | { readonly kind: 'catalog'; readonly operations: readonly CatalogOperation[] }

export async function seedFolder(
  runtime: Runtime,
  folder: string,
  options: AuthorOptions,
): Promise<SeedReport> {
  const { state } = runtime.follower
  const files = await readSeed(folder)
  const isGenesis = state.catalogRevision === 0
  const dryRun = options.dryRun === true
  const author = await authorOf(runtime, files.catalog, { ...options, isGenesis })
  const graph = seededGraph(state.graph, files, author.id)
  await refuseUnknownCallbacks(runtime, files, graph.after)
  const catalog = catalogPlan(state.catalog, files, { author, isGenesis })
  // Until the new graph stands, new capabilities must not be there: nothing is allowed in between.
  const graphSets = graph.sets.map((operations) => ({ kind: 'graph' as const, operations }))
  const sets = isGenesis ? [...catalog.sets, ...graphSets] : [...graphSets, ...catalog.sets]
  if (!dryRun && sets.length > 0) await options.beforeSigning?.({ author: author.id, sets })
  const changes = dryRun
    ? sets.map(({ kind, operations }) => ({ kind, operations: operations.length, revision: null }))
    : await bind(runtime, files, { sets, author })
  return {
    author: author.id,
    createdKey: author.created,
    changes,
    graph: tally(graph.sets.flat().map(({ op }) => op)),
    catalog: tally(catalog.sets.flatMap(({ operations }) => operations.map(subjectOf))),
    leftAlone: { ...graph.difference.leftAlone, primitives: onlyInGraph(state.graph, files) },
  }
}

async function bind(
  runtime: Runtime,
  { callbacks }: SeedFiles,
  seeding: { readonly sets: readonly ChangeSet[]; readonly author: SeedAuthor },
): Promise<readonly SeedChange[]> {
  const { id, privateKey } = seeding.author
  // The module must be there before anything is decided by it.
  if (callbacks !== null && seeding.sets.length > 0) {
    await keepModule(folderOf(runtime), callbacks.source)
  }
  const changes: SeedChange[] = []
  for (const set of seeding.sets) {
    const { revision } = await change(runtime, set, { id, privateKey })
    changes.push({ kind: set.kind, operations: set.operations.length, revision })
  }
  return changes
}

function folderOf({ folder }: Runtime): string {
  if (folder !== null) return folder
  const message = 'this log has no folder that could keep `callbacks.ts`'
  throw new Fault('callbacks_homeless', message)
}

interface SeededGraph extends GraphPlan {
  readonly difference: GraphDifference
}

function seededGraph(graph: Graph, files: SeedFiles, by: string): SeededGraph {
  return inGraphFile(() => {
    const difference = graphDifference(graph, files.graph)
    const plan = graphPlan(graph, {
      by,
      pieces: (order) => {
        if (order === 'file') return difference.pieces
        return graphDifference(graph, files.graph, order).pieces
      },
    })
    return { ...plan, difference }
  })
}

function inGraphFile<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof Fault ? inFile('graph', error.code, error.message) : error
  }
}

interface CatalogPlan {
  readonly sets: readonly Extract<ChangeSet, { kind: 'catalog' }>[]
}

function catalogPlan(
  catalog: Catalog,
  files: SeedFiles,
  seeding: { readonly author: SeedAuthor; readonly isGenesis: boolean },
): CatalogPlan {
  const { author, isGenesis } = seeding
  const { file, named } = wantedCatalog(files, seeding)
  const pieces = catalogDifference(catalog, file, named).map((operation) => [[operation]])
  const sets = inSets<CatalogOperation>(pieces, bytesOf, setBytesMax)
  let after = catalog
  for (const [index, operations] of sets.entries()) {
    const applied = applyCatalogChange(after, operations)
    if (applied.refused !== undefined) {
      const { code, message, at } = applied.refused
      throw inFile('catalog', code, at === '' ? message : `${at}: ${message}`)
    }
    after = applied.catalog
    if (index === 0 && isGenesis) refuseForeignAuthor(after, author)
  }
  if (![...after.principals.values()].some(isPolicyAdmin)) {
    const message = 'at least one policy admin with a key must remain'
    throw inFile('catalog', 'policy_admin_lost', message)
  }
  return { sets: sets.map((operations) => ({ kind: 'catalog', operations })) }
}

function wantedCatalog(
  { catalog, settings, callbacks }: SeedFiles,
  { author, isGenesis }: { readonly author: SeedAuthor; readonly isGenesis: boolean },
): { readonly file: CatalogFile; readonly named: ReadonlySet<string> } {
  const principals = withPolicyAdmin(catalog.principals, author, isGenesis)
  // The first change set must hold its own author, however many are needed.
  const first = principals.filter(isPolicyAdmin)
  const rest = principals.filter((principal) => !isPolicyAdmin(principal))
  const named = new Set(settings)
  const file = { ...catalog, principals: [...first, ...rest] }
  if (isGenesis && file.rules === undefined) {
    file.rules = newestRules
    named.add('rules')
  }
  if (callbacks === null) return { file, named }
  named.add('callbacks')
  return { file: { ...file, callbacks: digestOf(callbacks.source) }, named }
}

function refuseForeignAuthor(catalog: Catalog, { id, publicKey }: SeedAuthor): void {
  const author = catalog.principals.get(id)
  const isTheirs = author?.keys.includes(publicKey) === true
  if (author !== undefined && isTheirs && isPolicyAdmin(author)) return
  const message = `\`${id}\` must sign it, but is not a policy admin in it with that key`
  throw inFile('catalog', 'no_policy_admin', message)
}

function inFile(file: 'graph' | 'catalog', code: FaultCode, message: string): Fault {
  return new Fault(code, `\`${seedFileNames[file]}\`: ${message}`)
}

function subjectOf(operation: CatalogOperation): string {
  if (operation.op === 'put') return operation.collection
  return operation.op === 'set' ? operation.key : operation.op
}

function tally(words: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function onlyInGraph(graph: Graph, { graph: file }: SeedFiles): number {
  const shared = file.primitives.filter(({ name }) => find(graph, name) !== undefined)
  return graph.size - shared.length
}
