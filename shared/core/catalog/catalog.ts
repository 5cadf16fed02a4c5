// The catalog as one immutable value: who there is, what can be done, who confirms, how often. A
// change set is applied whole or not at all, and never leaves a name that leads nowhere.
import {
  CatalogFile,
  Collection,
  type Capability,
  type CatalogOperation,
  type Confirmation,
  type Group,
  type Limit,
  type Principal,
  type TrustedEvidence,
} from '#schemas/catalog'
import { applyOperation, draftOf } from './catalog-change.ts'
import { firstProblem, unreadable } from '../kernel/problem.ts'
import { firstFault } from './references.ts'

export interface Catalog {
  readonly principals: ReadonlyMap<string, Principal>
  /** Ids that ever had a key, even if they are gone: unsigned, nothing under them counts. */
  readonly keyed: ReadonlySet<string>
  readonly groups: ReadonlyMap<string, Group>
  readonly capabilities: ReadonlyMap<string, Capability>
  readonly confirmations: ReadonlyMap<string, Confirmation>
  /** By what each is about: `class READ`, `capability mail.send`. */
  readonly limits: ReadonlyMap<string, Limit>
  readonly trustedEvidence: readonly TrustedEvidence[]
  readonly knownConstraints: readonly string[]
  readonly learning: boolean
  readonly now: string | null
  readonly callbacks: string | null
  /** The version of the rules; 1 where no change set has said any. */
  readonly rules: number
}

/** `at` says where: `principals/alice/owner`. The message says what, and how to mend it. */
export interface CatalogRefusal {
  readonly code: string
  readonly message: string
  readonly at: string
}

export type CatalogResult =
  | { readonly catalog: Catalog; readonly refused?: never }
  | { readonly refused: CatalogRefusal; readonly catalog?: never }

export const emptyCatalog: Catalog = {
  principals: new Map(),
  keyed: new Set(),
  groups: new Map(),
  capabilities: new Map(),
  confirmations: new Map(),
  limits: new Map(),
  trustedEvidence: [],
  knownConstraints: [],
  learning: false,
  now: null,
  callbacks: null,
  rules: 1,
}

/** The catalog after all of the operations, or the first thing that is wrong with them. */
export function applyCatalogChange(
  catalog: Catalog,
  operations: readonly CatalogOperation[],
): CatalogResult {
  const draft = draftOf(catalog)
  for (const operation of operations) {
    const refused = applyOperation(draft, operation)
    if (refused !== null) return { refused }
  }
  const refused = firstFault(draft, operations)
  return refused === null ? { catalog: draft } : { refused }
}

export type CatalogFileResult =
  | { readonly file: CatalogFile; readonly refused?: never }
  | { readonly refused: CatalogRefusal; readonly file?: never }

/**
 * The seed file as people wrote it. Whether its names lead anywhere depends on where it is brought
 * in.
 */
export function parseCatalogFile(value: unknown): CatalogFileResult {
  const problem = unreadable(value)
  if (problem !== null) return { refused: { code: 'catalog_invalid', ...problem } }
  const parsed = CatalogFile.safeParse(value)
  if (!parsed.success) {
    return { refused: { code: 'catalog_invalid', ...firstProblem(parsed.error.issues) } }
  }
  const repeated = repeatedId(parsed.data)
  return repeated === null ? { file: parsed.data } : { refused: repeated }
}

/** The catalog of a seed file, or the first thing that is wrong with the file. */
export function catalogFromFile(value: unknown): CatalogResult {
  const { file, refused } = parseCatalogFile(value)
  if (refused !== undefined) return { refused }
  return applyCatalogChange(emptyCatalog, operationsFromCatalogFile(file))
}

/** What would make a catalog hold all that the file says; entries that the file lacks stay. */
export function operationsFromCatalogFile(file: CatalogFile): CatalogOperation[] {
  const { principals, groups, confirmations, capabilities } = file
  const { limits, trustedEvidence, knownConstraints, learning, now, callbacks, rules } = file
  return [
    ...principals.map((entry) => ({ op: put, collection: 'principals' as const, entry })),
    ...groups.map((entry) => ({ op: put, collection: 'groups' as const, entry })),
    ...confirmations.map((entry) => ({ op: put, collection: 'confirmations' as const, entry })),
    ...capabilities.map((entry) => ({ op: put, collection: 'capabilities' as const, entry })),
    { op: 'set', key: 'limits', value: limits },
    { op: 'set', key: 'trustedEvidence', value: trustedEvidence },
    { op: 'set', key: 'knownConstraints', value: knownConstraints },
    { op: 'set', key: 'learning', value: learning },
    { op: 'set', key: 'now', value: now ?? null },
    { op: 'set', key: 'callbacks', value: callbacks ?? null },
    ...(rules === undefined ? [] : [{ op: 'set' as const, key: 'rules' as const, value: rules }]),
  ]
}

const put = 'put' as const

/** The seed file that would make this catalog. */
export function catalogToFile(catalog: Catalog): CatalogFile {
  return {
    principals: [...catalog.principals.values()],
    groups: [...catalog.groups.values()],
    capabilities: [...catalog.capabilities.values()],
    confirmations: [...catalog.confirmations.values()],
    limits: [...catalog.limits.values()],
    trustedEvidence: [...catalog.trustedEvidence],
    knownConstraints: [...catalog.knownConstraints],
    learning: catalog.learning,
    ...(catalog.now === null ? {} : { now: catalog.now }),
    ...(catalog.callbacks === null ? {} : { callbacks: catalog.callbacks }),
    rules: catalog.rules,
  }
}

// In a change set a second put replaces the first; in a file it is a slip that hides an entry.
function repeatedId(file: CatalogFile): CatalogRefusal | null {
  for (const collection of Collection.options) {
    const seen = new Set<string>()
    for (const [index, { id }] of file[collection].entries()) {
      if (seen.has(id)) {
        const message = `\`${id}\` stands twice: keep one of them`
        return { code: 'id_repeated', message, at: `${collection}/${index}/id` }
      }
      seen.add(id)
    }
  }
  return null
}

/** What confirming asks for; `id` is null for the default confirmation. */
export interface Confirming extends Omit<Confirmation, 'id'> {
  readonly id: string | null
}

/** The agent's owner, who has 15 minutes to decide; the approval is good for 5. */
const defaultConfirmation: Confirming = {
  id: null,
  tier: 'confirm',
  quorum: 1,
  decideWithinMs: 15 * 60 * 1000,
  useWithinMs: 5 * 60 * 1000,
}

/** The confirmation of that id, the default without one, and null where the id leads nowhere. */
export function confirmationOf(catalog: Catalog, id: string | undefined): Confirming | null {
  return id === undefined ? defaultConfirmation : (catalog.confirmations.get(id) ?? null)
}

const usesByDefault = { READ: 60, WRITE: 10, DESTRUCTIVE: 2 } as const
const windowMsByDefault = 60_000
const serviceFactor = 10

/**
 * How often the principal may use the capability; null means without end. What the catalog says of
 * the capability wins over what it says of the class, and that over the defaults. The role
 * `service` multiplies whichever it is.
 */
export function limitOf(
  catalog: Catalog,
  capability: Pick<Capability, 'id' | 'safetyClass'>,
  principal: { readonly roles: readonly string[] } | null | undefined,
): { readonly uses: number; readonly windowMs: number } | null {
  const limit =
    catalog.limits.get(`capability ${capability.id}`) ??
    catalog.limits.get(`class ${capability.safetyClass}`)
  const uses = limit?.uses ?? usesByDefault[capability.safetyClass]
  if (uses === 'unlimited') return null
  const factor = principal?.roles.includes('service') === true ? serviceFactor : 1
  return { uses: uses * factor, windowMs: limit?.windowMs ?? windowMsByDefault }
}
