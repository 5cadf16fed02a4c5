// Brings any graph into Neo4j as the whole of what is there.
import type { Graph } from '#knowledge/graph/revision'
import { writesOf } from '#neo4j/projection/graph-writes'
import type { Neo4jLink } from '#neo4j/driver/link'
import { makeSchema } from '#neo4j/driver/schema'
import { writeGraph } from '#neo4j/driver/writes'

export interface Loaded {
  readonly graph: Graph
  readonly revision: number
  readonly position: number
}

export async function prepareNeo4j(link: Neo4jLink): Promise<void> {
  await makeSchema(link, 'log')
  await link.auto('CALL db.awaitIndexes(60)')
}

/** Anyone who reads meanwhile sees all of what was there before, or all of this. */
export async function loadGraph(link: Neo4jLink, loaded: Loaded): Promise<void> {
  const { graph, revision: graphRevision, position } = loaded
  await link.write(async (run) => {
    const state = { graphRevision, position, catalogRevision: 0 }
    await run('MERGE (p:Projection {only: true}) SET p += $state', { state })
    await run('MATCH (n) WHERE NOT n:Projection DETACH DELETE n')
    for (const writes of writesOf(graph, { places: 0, orders: 0 })) await writeGraph(run, writes)
  })
}
