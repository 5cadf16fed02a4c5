// Change sets of the catalog and the graph: who may make them, and what they make of the state. The
// first catalog names its own policy admin; every later change needs the signature of one who was
// there before it.
import { z } from 'zod'
import type { Principal } from '#schemas/catalog'
import type { GraphChangeData } from '#schemas/facts'
import type { Signature } from '#schemas/values'
import { jsonOf } from '#record/canonical'
import { policyAdminRole } from '#rules/catalog/duties'
import { isSignedByPerson } from '#rules/catalog/people/signed-words'
import type { Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { refuseUnknownRules } from '#rules/catalog/rules-version'
import { digestOf } from '#record/digest'
import { readEvent, type Event } from '#record/event'
import { applyChange } from '#knowledge/graph/graph-change'
import { beginAge } from '../eras/due.ts'
import { beginIdentifiers } from '../identifier-times.ts'
import { takeArrivals } from '../arrivals.ts'
import { allSlices } from '../slices/list.ts'
import { continues, take } from '../sequence.ts'
import type { State } from '../state.ts'
import type { LoggedFact } from '../folded.ts'

export function evolveGraph(state: State, fact: LoggedFact, revision: number | null) {
  if (revision === null) return 'its revision is not a number'
  const inTurn = continues(state.graphSequence, revision)
  state.graphSequence = take(state.graphSequence, revision)
  if (!inTurn) return `revision ${revision} is out of turn`
  const reading = readEvent('graph', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  if (data.revision !== revision) return `it says revision ${data.revision}`
  const why =
    data.ruling === undefined
      ? signedFault(state, fact.name, reading.event)
      : followingFault(state, data)
  if (why !== null) return why
  const applied = applyChange(state.graph, data.operations)
  if ('refused' in applied) return `${applied.refused.code}: ${applied.refused.message}`
  state.graph = applied.graph
  state.graphRevision = revision
  return null
}

function signedFault(state: State, name: string, event: Event<SignedBy>): string | null {
  return isByPolicyAdmin(state, name, event) ? null : unsigned(event.data.by)
}

// What a person ruled, no one has to sign again.
function followingFault(state: State, change: GraphChangeData): string | null {
  const faults = allSlices.flatMap(({ follows }) => (follows ? [follows(state, change)] : []))
  return faults.find((fault) => fault !== null) ?? null
}

export function evolveCatalog(state: State, fact: LoggedFact, revision: number | null) {
  if (revision === null) return 'its revision is not a number'
  const inTurn = continues(state.catalogSequence, revision)
  state.catalogSequence = take(state.catalogSequence, revision)
  if (!inTurn) return `revision ${revision} is out of turn`
  const reading = readEvent('catalog', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  if (data.revision !== revision) return `it says revision ${data.revision}`
  const isFirst = state.catalogRevision === 0
  // What no one signed is not even tried: the first alone must be, since it names who may sign.
  if (!isFirst && !isByPolicyAdmin(state, fact.name, reading.event)) {
    return unsigned(data.by)
  }
  const applied = applyCatalogChange(state.catalog, data.operations)
  if ('refused' in applied) return `${applied.refused.code}: ${applied.refused.message}`
  const root = data.signature.format === 'ed25519' ? data.signature.key : null
  // All later trust hangs on it, and a console is known only from then on.
  if (isFirst && root === null) return 'the first is signed with a key file'
  if (isFirst && state.rootKey !== null && root !== state.rootKey) {
    return `its key \`${root}\` is not the root key that was demanded`
  }
  if (isFirst && !isByPolicyAdmin({ ...applied, log: null }, fact.name, reading.event)) {
    return unsigned(data.by)
  }
  if (isFirst) {
    state.log = digestOf(fact.bytes)
    state.root = root
  }
  refuseUnknownRules(applied.catalog)
  state.catalog = applied.catalog
  state.catalogRevision = revision
  beginAge(state, fact.appendedAt)
  // What came before it, under no rules, may have any identifier.
  if (fact.position === 1) beginIdentifiers(state)
  for (const { pass } of allSlices) pass?.(state)
  takeArrivals(state, data.operations, fact.position)
  return null
}

interface SignedBy {
  readonly by: string
  readonly signature?: Signature | undefined
}

/** Whether a policy admin of that catalog signed this, as written, under this name. */
export function isByPolicyAdmin(
  of: { readonly catalog: Catalog; readonly log: string | null },
  name: string,
  event: Pick<Event<SignedBy>, 'data' | 'written'>,
): boolean {
  const author = of.catalog.principals.get(event.data.by)
  return author?.roles.includes(policyAdminRole) === true && isBy(of, author, name, event)
}

/** Whether that principal signed this, as written, under this name. */
export function isBy(
  { catalog, log }: { readonly catalog: Catalog; readonly log: string | null },
  author: Principal,
  name: string,
  { data, written }: Pick<Event<SignedBy>, 'data' | 'written'>,
): boolean {
  if (data.signature === undefined || author.suspended === true) return false
  const { signature: _, ...signed } = OpenMap.parse(written)
  return isSignedByPerson(catalog, author, { log, name }, jsonOf(signed), data.signature)
}

const OpenMap = z.record(z.string(), z.unknown())

export function unsigned(by: string): string {
  return `\`${by}\` is not a policy admin who signed it with a key of the catalog`
}
