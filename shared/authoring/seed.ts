// Brings a seed folder into a log: as signed change sets that add what is not there and change what
// differs. On an empty log it is the genesis, and the catalog then begins with an policy admin.
import type { CatalogOperation } from '#schemas/catalog'
import { Fault } from '#record/fault'
import { keepModule } from './callback-store.ts'
import type { Operations } from './change-check.ts'
import { change, type KeyAuthor } from './change.ts'
import { plannedSeed, type OnlyInLog, type PlannedSeed } from './plan/seed-plan.ts'
import type { Runtime } from '#runtime/engine/runtime'
import { authorOf, type AuthorOptions, type SeedAuthor } from './seed-author.ts'
import { refuseUnknownCallbacks } from './seed-callbacks.ts'
import { readSeed } from './seed-files.ts'

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
  /** What the log has and the folder does not, also after this. */
  readonly leftAlone: PlannedSeed['leftAlone']
  /** The same, one by one, with what the catalog has. */
  readonly onlyInLog: readonly OnlyInLog[]
}

export interface SeedChange {
  readonly kind: 'graph' | 'catalog'
  readonly operations: number
  readonly revision: number | null
}

export async function seedFolder(
  runtime: Runtime,
  folder: string,
  options: AuthorOptions,
): Promise<SeedReport> {
  const { sets, bound, report } = await agreedSeed(runtime, folder, options)
  if (options.dryRun !== true)
    return { ...report, changes: await bindSeed(runtime, takenFrom(sets), bound) }
  return { ...report, changes: sets.map((set) => seedChange(set, null)) }
}

/** What is to be bound, and no more of it: of a million agents, all else goes meanwhile. */
async function agreedSeed(runtime: Runtime, folder: string, options: AuthorOptions) {
  const { state } = runtime.follower
  const files = await readSeed(folder)
  const isGenesis = state.catalogRevision === 0
  const author = await authorOf(runtime, files.catalog, { ...options, isGenesis })
  const { note, prune = false } = options
  const plan = plannedSeed(state, files, { author, prune, note })
  await refuseUnknownCallbacks(runtime, files, plan.after.graph)
  const { sets, leftAlone, stays: onlyInLog } = plan
  if (options.dryRun !== true && sets.length > 0)
    await options.beforeSigning?.({ author: author.id, sets, plan, files })
  const bound = { source: files.callbacks?.source ?? null, folder: files.digest, author, note }
  const kept = { author: author.id, createdKey: author.created, leftAlone, onlyInLog }
  return { sets: [...sets], bound, report: { ...kept, ...talliedSeed(sets) } }
}

function seedChange({ kind, operations }: Operations, revision: number | null): SeedChange {
  return { kind, operations: operations.length, revision }
}

/** Of change sets that are bound together. */
export interface SeedBinding {
  /** Of the callback module; null where there is none. */
  readonly source: string | null
  /** The digest of the folder that they were made from. */
  readonly folder: string
  readonly author: KeyAuthor
  readonly note?: string | undefined
}

function* takenFrom<T>(list: T[]): Generator<T> {
  for (let next = list.shift(); next !== undefined; next = list.shift()) yield next
}

/** Binds what was planned, one set after the other. */
export async function bindSeed(
  runtime: Runtime,
  sets: Iterable<Operations>,
  { source, folder, author, note }: SeedBinding,
): Promise<readonly SeedChange[]> {
  const { id, privateKey } = author
  const changes: SeedChange[] = []
  for (const set of sets) {
    // The module must be there before anything is decided by it.
    if (source !== null && changes.length === 0) await keepModule(folderOf(runtime), source)
    const options = { folder, ...(note !== undefined && { note }) }
    const { revision } = await change(runtime, set, { id, privateKey }, options)
    changes.push(seedChange(set, revision))
  }
  return changes
}

function folderOf({ folder }: Runtime): string {
  if (folder !== null) return folder
  const message = 'this log has no folder that could keep `callbacks.ts`'
  throw new Fault('callbacks_homeless', message)
}

export function talliedSeed(sets: readonly Operations[]): Pick<SeedReport, 'graph' | 'catalog'> {
  const [graph, catalog] = [new Map<string, number>(), new Map<string, number>()]
  for (const set of sets) {
    if (set.kind === 'graph') for (const { op } of set.operations) tally(graph, op)
    else for (const operation of set.operations) tally(catalog, subjectOf(operation))
  }
  return { graph: Object.fromEntries(graph), catalog: Object.fromEntries(catalog) }
}

function subjectOf(operation: CatalogOperation): string {
  if (operation.op === 'put') return operation.collection
  return operation.op === 'set' ? operation.key : operation.op
}

function tally(counts: Map<string, number>, word: string): void {
  counts.set(word, (counts.get(word) ?? 0) + 1)
}
