// The queries of the view over Neo4j, and what comes back as plain primitives. It believes nothing
// that comes back unread: whoever may write there could have written anything.
import { z } from 'zod'
import { Level, OpenMap, Policy, Provenance, RelationType, relationTypes } from '#schemas/graph'
import { Fault } from '#core/fault'
import type { PlainEdge, PlainLevel, PlainPrimitive } from '#core/graph/copy'
import { isPulling } from '#core/graph/record'
import type { Forms } from '#core/ground/forms'
import type { ProjectionState } from './neo4j-model.ts'
import type { Run } from './neo4j-link.ts'

const relations = relationTypes.join('|')
const pulling = relationTypes.filter((type) => isPulling(type)).join('|')

// Neo4j shows a transaction's changes to others while it is being brought in, one after the other.
// Setting what is so already writes nothing and waits for whoever has the node's lock, which every
// writer of the graph has until all of his is in.
const stateAndNamed = `
MATCH (state:Projection)
SET state.only = true
WITH state
RETURN state.graphRevision AS graphRevision, state.position AS position,
  COLLECT {
    MATCH (named:Primitive)
    USING INDEX SEEK named:Primitive(key)
    WHERE named.key IN $keys
    RETURN [named.key, named.place]
  } AS named`

// Begins with the word that the fewest primitives have.
const formed = `
UNWIND $asked AS forms
CALL (forms) {
  UNWIND forms AS lemmas
  OPTIONAL MATCH (word:Word)
  USING INDEX SEEK word:Word(text)
  WHERE word.text IN lemmas
  WITH lemmas, collect(word) AS words, sum(COUNT { (word)<-[:READS_AS]-() }) AS bearers
  ORDER BY bearers LIMIT 1
  UNWIND words AS word
  MATCH (word)<-[:READS_AS]-(found:Primitive)
  WITH DISTINCT found
  WHERE size([word IN split(replace(replace(found.key, '_', ' '), '-', ' '), ' ')
      WHERE word <> '']) = size(forms)
    AND all(lemmas IN forms
      WHERE EXISTS { (found)-[:READS_AS]->(word:Word) WHERE word.text IN lemmas })
  RETURN found
}
RETURN DISTINCT found.key AS key, found.place AS place`

const provenance = (of: string): string => `${of}.source, ${of}.by, ${of}.at, ${of}.intent`

const pulled = `
UNWIND $roots AS place
MATCH (root:Primitive)
USING INDEX SEEK root:Primitive(place)
WHERE root.place = place
MATCH (root)-[:${pulling}*0..]->(found)
WITH DISTINCT found
RETURN found.place AS place, found.name AS name, [${provenance('found')}] AS provenance,
  COLLECT {
    MATCH (found)-[:HAS_LEVEL]->(level:Level)
    RETURN [level.level, level.properties, ${provenance('level')}]
  } AS levels,
  COLLECT {
    MATCH (found)-[edge:${relations}]->(target:Primitive)
    RETURN [edge.order, type(edge), edge.sourceDepth, edge.targetDepth, edge.metadata,
      edge.policies, target.place, target.name, ${provenance('edge')}]
  } AS edges`

const count = z.int().min(0)
const maybe = z.string().nullable()
const provenanceRow = [maybe, maybe, maybe, maybe] as const

const StateRow = z.strictObject({
  graphRevision: count.nullable(),
  position: count.nullable(),
  named: z.array(z.tuple([z.string(), count])),
})

const FormedRow = z.strictObject({ key: z.string(), place: count })

const LevelRow = z.tuple([Level, z.string(), ...provenanceRow])

const EdgeRow = z.tuple([
  count,
  RelationType,
  Level,
  Level,
  z.string(),
  z.string(),
  count,
  z.string(),
  ...provenanceRow,
])

const PulledRow = z.strictObject({
  place: count,
  name: z.string(),
  provenance: z.tuple([...provenanceRow]),
  levels: z.array(LevelRow),
  edges: z.array(EdgeRow),
})

type ProvenanceCells = z.infer<typeof PulledRow>['provenance']

export interface StateAndNamed extends ProjectionState {
  /** Places by key, of those keys that are there. */
  readonly named: ReadonlyMap<string, number>
}

/** What is projected, and the places of these keys; waits until no writer is half done. */
export async function readState(run: Run, keys: readonly string[]): Promise<StateAndNamed> {
  const rows = await run(stateAndNamed, { keys })
  const [row] = rows
  if (row === undefined || rows.length > 1) {
    const message = 'no graph is projected there: `warrant project neo4j` brings it in'
    throw new Fault('neo4j_not_projected', 'soon', message)
  }
  const { graphRevision, position, named } = parsed(StateRow, row)
  if (graphRevision === null || position === null) {
    const message = 'the graph in Neo4j is being rebuilt: ask again when that is over'
    throw new Fault('neo4j_not_projected', 'soon', message)
  }
  return { graphRevision, position, named: new Map(named) }
}

/** The places, by key, of primitives that have all these words; not all in the same order. */
export async function readFormed(
  run: Run,
  asked: readonly Forms[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await run(formed, { asked })
  const found = rows.map((row) => parsed(FormedRow, row))
  return new Map(found.map(({ key, place }) => [key, place]))
}

/** These and all that they pull in, whole, and the rest of what they relate to by its bare name. */
export async function readPulled(
  run: Run,
  roots: readonly number[],
): Promise<readonly PlainPrimitive[]> {
  const rows = (await run(pulled, { roots })).map((row) => parsed(PulledRow, row))
  const names = new Map<number, string>()
  for (const { edges } of rows) for (const edge of edges) names.set(edge[6], edge[7])
  const whole = new Map(rows.map((row) => [row.place, row]))
  for (const { place, name } of rows) names.set(place, name)
  const places = [...names.keys()].toSorted((one, other) => one - other)
  const ids = new Map(places.map((place, id) => [place, id]))
  return places.map((place) => {
    const row = whole.get(place)
    if (row === undefined) return { name: names.get(place) ?? '', provenance: null, levels: [] }
    return { name: row.name, provenance: provenanceOf(row.provenance), levels: levelsOf(row, ids) }
  })
}

function levelsOf(
  { levels, edges }: z.infer<typeof PulledRow>,
  ids: ReadonlyMap<number, number>,
): readonly PlainLevel[] {
  const relata = new Map<number, PlainEdge[]>(levels.map(([level]) => [level, []]))
  for (const edge of edges.toSorted((one, other) => one[0] - other[0])) {
    const [, type, sourceDepth, targetDepth, metadata, policies, target, , ...cells] = edge
    relata.get(sourceDepth)?.push({
      type,
      target: ids.get(target) ?? -1,
      targetDepth,
      sourceDepth,
      metadata: mapIn(metadata),
      policies: policies === '[]' ? [] : parsed(Policies, jsonIn(policies)),
      provenance: provenanceOf(cells),
    })
  }
  return levels
    .toSorted(([one], [other]) => one - other)
    .map(([level, properties, ...cells]) => ({
      level,
      properties: mapIn(properties),
      relata: relata.get(level) ?? [],
      provenance: provenanceOf(cells),
    }))
}

const Policies = z.array(Policy)

function mapIn(text: string): PlainLevel['properties'] {
  return text === '{}' ? {} : parsed(OpenMap, jsonIn(text))
}

function provenanceOf([source, by, at, intent]: ProvenanceCells): Provenance | null {
  if (source === null) return null
  return parsed(Provenance, { source, by, at, ...(intent !== null && { intent }) })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unreadable('a text is no JSON', cause)
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw unreadable(z.prettifyError(result.error).replaceAll(/\s+/g, ' '), result.error)
}

function unreadable(why: string, cause: unknown): Fault {
  const mend = 'somebody else wrote there: `warrant project neo4j --rebuild` mends it'
  return new Fault('neo4j_unreadable', 'never', `the graph in Neo4j is broken, ${why}: ${mend}`, {
    cause,
  })
}
