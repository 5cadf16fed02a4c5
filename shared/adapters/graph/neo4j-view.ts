// The view over Neo4j, for programs that fold no log and graphs that outgrow memory. It gathers,
// and judges nothing.
import { assert } from '#core/fault'
import { caseFold } from '#core/graph/case-fold'
import { graphOfPrimitives } from '#core/graph/copy'
import { formsOfFolded, isFormOf, type Forms } from '#core/ground/forms'
import { conceptLengthMax } from '#core/ground/resolve'
import type { Gathered, GraphView } from '#ports/graph-view'
import type { Neo4jLink, Run } from './neo4j-link.ts'
import { readFormed, readPulled, readState } from './neo4j-read.ts'

/** How often it may gather beside a writer before it makes writers wait. */
const attemptsMax = 3

/** Four queries at most, and again where the graph moved on meanwhile. */
export function neo4jView(link: Pick<Neo4jLink, 'auto' | 'write'>): GraphView {
  return {
    gather: async (concepts) => {
      for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
        const gathered = await gatherBeside(link.auto, concepts)
        if (gathered !== null) return gathered
      }
      // Within one transaction the first query's lock stands until the last, so nothing moves.
      const gathered = await link.write((run) => gatherBeside(run, concepts))
      assert(gathered !== null, 'a graph whose lock is held does not move')
      return gathered
    },
  }
}

/** Null if the graph moved on between the first query and the last. */
async function gatherBeside(run: Run, concepts: readonly string[]): Promise<Gathered | null> {
  const keys = new Set<string>()
  for (const each of concepts) if (each.length <= conceptLengthMax) keys.add(caseFold(each))
  const { graphRevision: revision, named } = await readState(run, [...keys])
  const unnamed = [...keys].filter((key) => !named.has(key))
  const roots = [...named.values(), ...(await formedPlaces(run, unnamed))]
  const primitives = roots.length === 0 ? [] : await readPulled(run, roots)
  const after = await readState(run, [])
  if (after.graphRevision !== revision) return null
  const graph = graphOfPrimitives(primitives)
  assert(graph !== null, 'every edge leads to a primitive that came with it')
  return { graph, revision, position: after.position }
}

/** The places of all that have the words of such a key in another form. */
async function formedPlaces(run: Run, keys: readonly string[]): Promise<readonly number[]> {
  // Exact names never need the lemmatizer's tables.
  const asked = keys.map((key) => formsOfFolded(key)).filter((forms) => forms.length > 0)
  if (asked.length === 0) return []
  const found = await readFormed(run, asked)
  return [...found].filter(([key]) => fitsAny(formsOfFolded(key), asked)).map(([, place]) => place)
}

function fitsAny(theirs: Forms, asked: readonly Forms[]): boolean {
  return asked.some((forms) => forms.length === theirs.length && isFormOf(theirs, forms))
}
