// What a projection must hold, as values that can be made of the log and of what a database answers
// alike: one of each primitive, intent and concept, with all that hangs on it. Equal values are
// equal texts. Numbers that only order are left out.
import { compareBytes, utf8 } from '#platform/bytes'
import { canonical, type Json, type JsonMap } from '#record/canonical'
import type { Edge } from '#knowledge/graph/record'
import { primitivesOf, recordAt, type Graph } from '#knowledge/graph/revision'
import type { Policy, Provenance } from '#schemas/graph'
import { intentWrites, type IntentRow, type IntentWrites, type Judged } from './intent-writes.ts'
import { wordsOf } from './words.ts'

export interface Held {
  /** What no two of one label have alike. */
  readonly id: string
  /** What people call it. */
  readonly name: string
  /** Canonical JSON. */
  readonly text: string
}

/** How many of each there are: nodes by label, relations by type. */
export type Census = Map<string, number>

export function addToCensus(census: Census, what: string, by: number): void {
  census.set(what, (census.get(what) ?? 0) + by)
}

/** The primitives of a graph in stored order; what they consist of is counted. */
export function* heldPrimitives(graph: Graph, census: Census): Generator<Held> {
  const words = new Set<string>()
  for (const [, record] of primitivesOf(graph)) {
    const { folded: id, name, strict, classic, provenance, levels, edges } = record
    const own = wordsOf(id)
    for (const word of own) words.add(word)
    const policies = edges.reduce((sum, edge) => sum + edge.policies.length, 0)
    for (const what of ['Level', 'HAS_LEVEL']) addToCensus(census, what, levels.length)
    for (const what of ['Policy', 'ON_SOURCE', 'ON_TARGET']) addToCensus(census, what, policies)
    for (const { type } of edges) addToCensus(census, type, 1)
    addToCensus(census, 'READS_AS', own.length)
    addToCensus(census, 'Primitive', 1)
    const text = canonical({
      node: { key: id, name, strict, classic, ...stamped(provenance) },
      levels: levels.map((level) => ({
        level: level.level,
        properties: JSON.stringify(level.properties),
        ...stamped(level.provenance),
      })),
      edges: edges.map((edge) => heldEdge(graph, edge)),
      words: own.map((word) => ({ text: word })),
    })
    yield { id, name, text }
  }
  addToCensus(census, 'Word', words.size)
}

function heldEdge(graph: Graph, edge: Edge): JsonMap {
  const { type, sourceDepth, targetDepth, metadata, policies, provenance } = edge
  const target = recordAt(graph, edge.target).folded
  const written = {
    sourceDepth,
    targetDepth,
    metadata: JSON.stringify(metadata),
    policies: JSON.stringify(policies),
    ...stamped(provenance),
  }
  const shown = policies.map((policy, nth) => ({
    nth,
    ...present(policy),
    ends: [{ key: target }],
  }))
  return { type, target, edge: written, shown }
}

// A database has no null: it is a property that is not there.
function present(policy: Policy): JsonMap {
  return {
    name: policy.name,
    requiresConfirmation: policy.requiresConfirmation,
    triggerCardinality: policy.triggerCardinality ?? undefined,
    callback: policy.callback ?? undefined,
    confirmationMessage: policy.confirmationMessage ?? undefined,
    confirmation: policy.confirmation,
  }
}

function stamped(provenance: Provenance | null): JsonMap {
  if (provenance === null) return {}
  const { source, by, at, intent } = provenance
  return { source, by, at, intent }
}

/** What was gone through, and the concepts that were lacked: names by keys. */
export interface ProjectedCounts {
  readonly census: Census
  readonly concepts: Map<string, string>
}

export function newProjectedCounts(): ProjectedCounts {
  return { census: new Map(), concepts: new Map() }
}

/** Intents with what they are tied to in the graph that was reached; they are counted. */
export function* heldIntents(
  graph: Graph,
  all: Iterable<Judged>,
  { census, concepts }: ProjectedCounts,
): Generator<Held> {
  for (const judged of all) {
    const { row } = judged
    const writes = intentWrites(graph, [judged])
    const { touched, lacked, unknown, stopped } = writes
    addToCensus(census, 'Intent', 1)
    addToCensus(census, 'TOUCHED', touched.length)
    addToCensus(census, 'LACKED', lacked.length + unknown.length)
    addToCensus(census, 'STOPPED_BY', stopped.length)
    for (const { cell, key, name } of unknown) {
      const known = concepts.get(key)
      const isFirst = known === undefined || (cell !== undefined && isBefore(name, known))
      if (isFirst) concepts.set(key, name)
    }
    const text = intentText(nodeOf(row), tiesOf(writes))
    yield { id: String(row.position), name: row.address, text }
  }
}

// Cells have no order: of what they call a concept, the name that comes first by its characters.
function isBefore(name: string, other: string): boolean {
  return compareBytes(utf8(name), utf8(other)) < 0
}

export function* heldConcepts(
  concepts: ProjectedCounts['concepts'],
  census: Census,
): Generator<Held> {
  for (const [key, name] of concepts) yield { id: key, name, text: canonical({ key, name }) }
  addToCensus(census, 'Concept', concepts.size)
}

/** Each relation of an intent, with what it leads to. */
export interface HeldTies {
  readonly touched: readonly JsonMap[]
  readonly lacked: readonly JsonMap[]
  readonly stopped: readonly JsonMap[]
}

export function intentText(node: JsonMap, { touched, lacked, stopped }: HeldTies): string {
  return canonical({
    node,
    touched: inOrder(touched),
    lacked: inOrder(lacked),
    stopped: inOrder(stopped),
  })
}

/** Relations have no order. */
function inOrder(ties: readonly JsonMap[]): Json {
  const texts = ties.map((tie) => ({ tie, text: canonical(tie) }))
  return texts
    .toSorted((one, other) => (one.text < other.text ? -1 : Number(one.text > other.text)))
    .map(({ tie }) => tie)
}

function nodeOf({ session, tool, at, ...row }: IntentRow): JsonMap {
  return { ...row, session: session ?? undefined, tool: tool ?? undefined, at: momentOf(at) }
}

/** A moment as the database has a type for it; a text that says the same is not the same. */
function momentOf(ms: number): Json {
  const [seconds = '', rest = ''] = new Date(ms).toISOString().split('.')
  const fraction = rest === '000Z' ? '' : `.${rest.replace('Z', '000000')}`
  return { datetime: `${seconds}${fraction}Z` }
}

function tiesOf({ touched, lacked, unknown, stopped }: IntentWrites): HeldTies {
  const gaps = [
    ...lacked.map((row) => ({ ...row, label: 'Primitive' })),
    ...unknown.map((row) => ({ ...row, label: 'Concept' })),
  ]
  return {
    touched: touched.map(({ key, level }) => {
      return { label: 'Primitive', key, tie: { level: level ?? undefined } }
    }),
    lacked: gaps.map(({ label, key, kind, required, current, source }) => ({
      label,
      key,
      tie: {
        kind,
        required: required ?? undefined,
        current: current ?? undefined,
        source: source ?? undefined,
      },
    })),
    stopped: stopped.map(({ key, target, type, level, alike, nth, code }) => {
      return { label: 'Policy', edge: { key, target, type, level, alike }, nth, tie: { code } }
    }),
  }
}
