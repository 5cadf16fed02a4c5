// What a projection must hold of intents, as values that can be made of the log and of what a
// database answers alike; equal values are equal texts.
import { compareBytes, utf8 } from '#platform/bytes'
import { canonical, type Json, type JsonMap } from '#record/canonical'
import type { Graph } from '#knowledge/graph/revision'
import type { Census } from './held.ts'
import { judgedIn, type GatheredIntents } from './gathered-intents.ts'
import { intentWrites, type IntentRow, type IntentWrites, type Judged } from './intent-writes.ts'

export interface HeldIntent {
  readonly position: number
  readonly address: string
  /** Canonical JSON. */
  readonly text: string
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

/** A moment as the database has a type for it; a text that says the same is not the same. */
export function momentOf(ms: number): Json {
  return { datetime: new Date(ms).toISOString() }
}

export interface ExpectedIntents {
  /** In log order, as a projection of this graph must have them. */
  readonly intents: Iterable<HeldIntent>
  /** How many there were of each, and what concepts; counted while intents are gone through. */
  readonly counts: ExpectedCounts
}

export interface ExpectedCounts {
  intents: number
  touched: number
  lacked: number
  stopped: number
  /** Names by keys. */
  readonly concepts: Map<string, string>
}

export function newCounts(): ExpectedCounts {
  return { intents: 0, touched: 0, lacked: 0, stopped: 0, concepts: new Map() }
}

/** Of the intents whose verdicts stand after a position. */
export function expectedIntents(
  graph: Graph,
  gathered: GatheredIntents,
  after: number,
): ExpectedIntents {
  const counts = newCounts()
  return { intents: heldIntentsIn(graph, judgedIn(gathered), { after, counts }), counts }
}

/** Of those alone, under the ids of the graph; they are counted in addition. */
export function* heldIntentsIn(
  graph: Graph,
  all: Iterable<Judged>,
  { after, counts }: { readonly after: number; readonly counts: ExpectedCounts },
): Generator<HeldIntent> {
  for (const judged of all) {
    const { row } = judged
    if (row.position <= after) continue
    const writes = intentWrites(graph, [judged])
    count(counts, writes)
    const { position, address } = row
    yield { position, address, text: intentText(nodeOf(row), tiesOf(writes)) }
  }
}

function count(counts: ExpectedCounts, { touched, lacked, unknown, stopped }: IntentWrites): void {
  counts.intents += 1
  counts.touched += touched.length
  counts.lacked += lacked.length + unknown.length
  counts.stopped += stopped.length
  for (const { cell, key, name } of unknown) {
    const known = counts.concepts.get(key)
    if (known === undefined || (cell !== undefined && isBefore(name, known))) {
      counts.concepts.set(key, name)
    }
  }
}

// Cells have no order: of what they call a concept, the name that comes first by its characters.
function isBefore(name: string, other: string): boolean {
  return compareBytes(utf8(name), utf8(other)) < 0
}

// A database has no null: it is a property that is not there.
function nodeOf({ session, tool, at, ...row }: IntentRow): JsonMap {
  return { ...row, session: session ?? undefined, tool: tool ?? undefined, at: momentOf(at) }
}

function tiesOf({ touched, lacked, unknown, stopped }: IntentWrites): HeldTies {
  const gaps = [
    ...lacked.map((row) => ({ ...row, label: 'Primitive' })),
    ...unknown.map((row) => ({ ...row, label: 'Concept' })),
  ]
  return {
    touched: touched.map(({ key, level }) => ({ key, tie: { level: level ?? undefined } })),
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
    stopped: stopped.map(({ key, target, type, level, nth, code }) => {
      return { source: key, target, type, level, nth, tie: { code } }
    }),
  }
}

/** How many of each a projection has, beside those of its graph. */
export function intentCensus({ intents, touched, lacked, stopped, concepts }: ExpectedCounts) {
  const census: Census = {
    Intent: intents,
    Concept: concepts.size,
    TOUCHED: touched,
    LACKED: lacked,
    STOPPED_BY: stopped,
  }
  return census
}
