// What a catalog file would change of a catalog, in change sets that each fit a fact and are all
// tried before the first is bound.
import { Collection, type CatalogFile, type CatalogOperation } from '#schemas/catalog'
import type { Catalog } from '#rules/catalog/catalog'
import { Fault } from '#record/fault'
import { catalogDifference, isPolicyAdmin } from '#rules/catalog/catalog-operations'
import { catalogSettings } from '#rules/catalog/settings'
import { bytesOf, inSets } from '#record/change-sets'
import { checkedCatalog, type Operations } from './change-check.ts'
import { setBytesMax } from './graph-plan.ts'

interface Planning {
  /** Whether what the file lacks is taken away. */
  readonly exact: boolean
  /** Who will sign all of it; null where no one will. */
  readonly by: string | null
  readonly note: string | undefined
}

interface ReadCatalog {
  readonly file: CatalogFile
  /** The settings that the file names; the others are absent. */
  readonly settings: ReadonlySet<string>
}

/** Throws a Fault with what is wrong and how to fix it. */
export function plannedCatalog(
  catalog: Catalog,
  { file, settings }: ReadCatalog,
  { exact, by, note = '' }: Planning,
): readonly Operations[] {
  const named = exact ? new Set([...settings, ...catalogSettings]) : settings
  const ids = new Set(file.principals.map(({ id }) => id))
  const gone = exact ? entriesGone(catalog, file, ids) : []
  const operations = [...catalogDifference(catalog, file, named), ...gone]
  const pieces = operations.map((operation) => [[operation]])
  const sets = inSets<CatalogOperation>(pieces, bytesOf, setBytesMax - bytesOf(note))
  let after = catalog
  for (const [index, set] of sets.entries()) {
    if (index > 0 && by !== null) refuseLostAuthor(after, by)
    after = checkedCatalog(after, set)
  }
  return sets.map((set) => ({ kind: 'catalog', operations: set }))
}

/** What names others goes before what is named. */
const inOrder: readonly Collection[] = Collection.options.toReversed()

/** Removals of the entries that the file lacks. */
export function entriesGone(
  catalog: Catalog,
  file: Omit<CatalogFile, 'principals'>,
  principals: Pick<ReadonlySet<string>, 'has'>,
): readonly CatalogOperation[] {
  return inOrder.flatMap((collection) => {
    const kept =
      collection === 'principals'
        ? principals
        : new Set((file[collection] ?? []).map(({ id }) => id))
    const gone = [...catalog[collection].keys()].filter((id) => !kept.has(id))
    return gone.map((id) => ({ op: 'remove' as const, collection, id }))
  })
}

/** Half of it would be bound, and the rest void. */
function refuseLostAuthor(catalog: Catalog, by: string): void {
  const author = catalog.principals.get(by)
  if (author !== undefined && isPolicyAdmin(author)) return
  const who = `\`${by}\` may not sign the last of several change sets`
  const message = `${who}: sign as one who stays a policy admin`
  throw new Fault('policy_admin_lost', message)
}
