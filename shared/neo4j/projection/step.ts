// One fact of the log as a projection sees it: what it leaves to write. What was known just before
// it is looked at first, since a verdict ends what it is about.
import { readEvent } from '#record/event'
import { assert } from '#record/fault'
import { applyChange } from '#knowledge/graph/graph-change'
import { emptyGraph, type Graph } from '#knowledge/graph/revision'
import { partsOf } from '#record/names'
import { kinds } from '#schemas/kinds'
import type { FactCache } from '#state/caches/fact-cache'
import type { OpenIntent } from '#state/intent'
import type { State } from '#state/state'
import type { Folded, LoggedFact } from '#state/folded'
import type { GroundingData } from '#schemas/facts'
import { judged } from './intent-writes.ts'
import { pointOf, type ProjectionStep } from './pending.ts'

/** What the next fact may change. */
export interface Eve {
  readonly graph: Graph
  /** The intent that it ends, if it is a verdict. */
  readonly intent: OpenIntent | null
  /** What its latest grounding says; undefined where that must be read. */
  readonly grounding: GroundingData | null | undefined
}

export function eveOf(state: State, { name }: LoggedFact, facts: FactCache): Eve {
  const parts = partsOf(name, state.place)
  const ends = parts !== null && kinds[parts.kind].endsIntent === true
  const address = ends ? parts.address : null
  const intent = address === null ? null : (state.intents.get(address) ?? null)
  const latest = intent?.grounding ?? null
  const grounding = latest === null ? null : facts.grounding(latest.name)
  return { graph: state.graph, intent, grounding }
}

/** Null for a fact that leaves nothing to write, such as one that is void. */
export function projectionStepOf(
  eve: Eve,
  state: State,
  fact: LoggedFact,
  folded: Folded,
): ProjectionStep | null {
  if (folded.void !== null) return null
  const point = pointOf(state, fact)
  if (state.graph !== eve.graph) {
    const graph = inLine(eve.graph, state.graph, fact)
    return { point, graph, next: state.graph, judged: null }
  }
  if (eve.intent === null) return null
  const verdict = judged(eve.graph, { intent: eve.intent, grounding: eve.grounding ?? null }, fact)
  return verdict === null ? null : { point, graph: null, next: null, judged: verdict }
}

/** One fact of a cell, whose graph others write: `graph` is theirs, of the same revision. */
export function cellStepOf(
  { intent, grounding }: Eve,
  { graph, cell, state }: { readonly graph: Graph; readonly cell: number; readonly state: State },
  fact: LoggedFact,
): ProjectionStep | null {
  if (intent === null) return null
  const verdict = judged(graph, { intent, grounding: grounding ?? null }, fact)
  if (verdict === null) return null
  const of = { ...verdict, row: { ...verdict.row, cell } }
  return { point: pointOf(state, fact), graph: null, next: null, judged: of }
}

/**
 * The graph after a change set, under the ids of the graph before it. Where the fold swept its ids
 * the set is applied once more, to a graph that passes for too large to be swept.
 */
function inLine(before: Graph, after: Graph, fact: LoggedFact): Graph {
  const isSwept = before !== emptyGraph && before.names !== after.names
  if (!isSwept) return after
  const reading = readEvent('graph', fact)
  assert(reading.ok, 'a change set that counts can be read again')
  const { operations } = reading.event.data
  const change = applyChange({ ...before, size: Number.POSITIVE_INFINITY }, operations)
  assert('graph' in change, 'a change set that counts can be applied again')
  return { ...change.graph, size: after.size }
}
