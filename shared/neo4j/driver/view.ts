// The view over Neo4j, for programs that fold no log and graphs that outgrow memory. It gathers,
// and judges nothing.
import { assert } from '#record/fault'
import { caseFold } from '#record/case-fold'
import { graphOfPrimitives } from '#knowledge/graph/copy'
import type { Graph } from '#knowledge/graph/revision'
import { formsOfFolded, isFormOf, type Forms } from '#knowledge/grounding/forms'
import { conceptLengthMax } from '#knowledge/grounding/resolve'
import type { Gathered, GraphView } from '#ports/graph-view'
import type { Neo4jLink, RunCypher } from './link.ts'
import { readFormed, readPulled, readState, type StateAndNamed } from './read.ts'

/** How often it may gather beside a writer before it makes writers wait. */
const attemptsMax = 3

/** Four queries at most, and again where the graph moved on meanwhile. */
export function neo4jView(link: Pick<Neo4jLink, 'auto' | 'write'>): GraphView {
  return {
    gather: async (concepts) => {
      const keys = keysOf(concepts)
      for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
        const gathered = await gatherBeside(link.auto, keys)
        if (gathered !== null) return gathered
      }
      return link.write((run) => gatherAlone(run, keys))
    },
  }
}

function keysOf(concepts: readonly string[]): readonly string[] {
  const short = concepts.filter(({ length }) => length <= conceptLengthMax)
  return [...new Set(short.map((each) => caseFold(each)))]
}

/** Null if the graph moved on between the first query and the last. */
async function gatherBeside(run: RunCypher, keys: readonly string[]): Promise<Gathered | null> {
  const before = await readState(run, keys)
  // Where the graph moves, what was found may be half gone, and then it is no fault.
  const [read] = await Promise.allSettled([graphBelow(run, keys, before)])
  const { graphRevision: revision, position } = await readState(run, [])
  if (revision !== before.graphRevision) return null
  if (read.status === 'rejected') throw read.reason
  return { graph: read.value, revision, position }
}

/** Within one transaction the first query's lock stands until the last: writers wait for it. */
async function gatherAlone(run: RunCypher, keys: readonly string[]): Promise<Gathered> {
  const state = await readState(run, keys)
  const graph = await graphBelow(run, keys, state)
  return { graph, revision: state.graphRevision, position: state.position }
}

async function graphBelow(
  run: RunCypher,
  keys: readonly string[],
  { named }: StateAndNamed,
): Promise<Graph> {
  const unnamed = keys.filter((key) => !named.has(key))
  const roots = [...named.values(), ...(await formedPlaces(run, unnamed))]
  const graph = graphOfPrimitives(roots.length === 0 ? [] : await readPulled(run, roots))
  assert(graph !== null, 'every edge leads to a primitive that came with it')
  return graph
}

/** The places of all that have the words of such a key in another form. */
async function formedPlaces(run: RunCypher, keys: readonly string[]): Promise<readonly number[]> {
  // Exact names never need the lemmatizer's tables.
  const asked = keys.map((key) => formsOfFolded(key)).filter((forms) => forms.length > 0)
  if (asked.length === 0) return []
  const found = await readFormed(run, asked)
  return [...found].filter(([key]) => fitsAny(formsOfFolded(key), asked)).map(([, place]) => place)
}

function fitsAny(theirs: Forms, asked: readonly Forms[]): boolean {
  return asked.some((forms) => forms.length === theirs.length && isFormOf(theirs, forms))
}
