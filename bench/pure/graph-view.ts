// Measures grounding through each view of the graph, the fold's and Neo4j's, in one run on the same
// graphs and questions, beside what one empty question to Neo4j takes.
import { Neo4jLink } from '#adapters/neo4j/link'
import { foldedView } from '../../test/support/adapters/folded-view.ts'
import { neo4jView } from '#adapters/neo4j/view'
import { graphFromFile } from '#core/graph/graph'
import type { Graph } from '#core/graph/revision'
import { ground } from '#core/grounding/ground'
import type { GraphView } from '#ports/graph-view'
import { loadLargeGraph, prepareNeo4j } from '../../test/support/servers/graph-view-loader.ts'
import { startNeo4j } from '../../test/support/servers/neo4j-server.ts'
import { median, whole, type Report } from '../figures.ts'
import { sampleOf, setsOf } from './ground.ts'

const sizes = [1_000, 10_000]
const counts = [1, 8]
const warmings = 100
/** Java is slow before it has compiled what is asked often. */
const warmMs = 15_000
const callsMax = 500
const budgetMs = 1_500

type Concepts = readonly string[]
type Row = Report['rows'][number]

export async function benchGraphView(): Promise<Report> {
  const server = await startNeo4j({ pace: 'quick' })
  try {
    const link = await Neo4jLink.open(server.access)
    await prepareNeo4j(link)
    await warm(link)
    const rows: Row[] = []
    for (const size of sizes) rows.push(...(await measured(link, size)))
    await link.close()
    return {
      title: 'grounding through each view',
      head: [
        'graph, concepts',
        'primitives',
        'gathered',
        'fold µs',
        'Neo4j µs',
        'times',
        'empty question µs',
      ],
      rows,
      notes: [
        'medians of gathering and grounding, one after the other, on this machine',
        'gathered is what Neo4j sent; the fold has it at hand',
      ],
      targets: [],
    }
  } finally {
    await server.dispose()
  }
}

async function warm(link: Neo4jLink): Promise<void> {
  const sample = sampleOf('tiled', 1_000)
  await loadLargeGraph(link, { graph: graphFromFile(sample.file), revision: 1, position: 1 })
  const view = neo4jView(link)
  const sets = setsOf(sample, 8)
  const end = performance.now() + warmMs
  for (let call = 0; performance.now() < end; call += 1) {
    await view.gather(sets[call % sets.length] ?? [])
  }
}

async function measured(link: Neo4jLink, size: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const shape of ['tiled', 'cluster'] as const) {
    const sample = sampleOf(shape, size)
    const graph = graphFromFile(sample.file)
    await loadLargeGraph(link, { graph, revision: 1, position: 1 })
    for (const count of counts) {
      const sets = setsOf(sample, count)
      rows.push([`${shape}, ${count}`, whole(graph.size), ...(await compared(link, graph, sets))])
    }
  }
  return rows
}

async function compared(link: Neo4jLink, graph: Graph, sets: readonly Concepts[]): Promise<Row> {
  const fold = await microseconds(
    grounding(foldedView(() => ({ graph, graphRevision: 1, position: 1 }))),
    sets,
  )
  const view = neo4jView(link)
  const neo4j = await microseconds(grounding(view), sets)
  const empty = await microseconds(() => link.auto('RETURN 1'), sets)
  const gathered = []
  for (const concepts of sets) gathered.push((await view.gather(concepts)).graph.size)
  return [median(gathered), fold.toFixed(1), whole(neo4j), whole(neo4j / fold), whole(empty)]
}

function grounding(view: GraphView): (concepts: Concepts) => Promise<unknown> {
  return async (concepts) => {
    const { graph } = await view.gather(concepts)
    return ground(graph, { concepts, profile: 'strict' })
  }
}

async function microseconds(
  ask: (concepts: Concepts) => Promise<unknown>,
  sets: readonly Concepts[],
): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < warmings; call += 1) await ask(sets[call % sets.length] ?? [])
  const end = performance.now() + budgetMs
  for (let call = 0; call < callsMax && performance.now() < end; call += 1) {
    const start = performance.now()
    await ask(sets[call % sets.length] ?? [])
    times.push(1_000 * (performance.now() - start))
  }
  return median(times)
}
