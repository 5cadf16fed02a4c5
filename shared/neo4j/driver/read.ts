// The queries of the view over Neo4j, and what comes back as plain primitives. It believes nothing
// that comes back unread: anyone who may write there could have written anything.
import { z } from 'zod'
import { parseJson } from '#record/json'
import { Level, OpenMap, Policy, Provenance, RelationType, relationTypes } from '#schemas/graph'
import { Fault } from '#record/fault'
import type { PlainEdge, PlainLevel, PlainPrimitive } from '#knowledge/graph/copy'
import { isPulling } from '#knowledge/graph/record'
import type { Forms } from '#knowledge/grounding/forms'
import type { ProjectionState } from './model.ts'
import type { RunCypher } from './link.ts'

const relations = relationTypes.join('|')
const pulling = relationTypes.filter((type) => isPulling(type)).join('|')

// Neo4j shows a transaction's changes to others while it is being brought in, one after the other.
// Setting what is so already writes nothing and waits for anyone who has the node's lock, which
// every writer of the graph has until all of its rows are in.
const stateAndNamed = `
MATCH (state:Projection)
SET state.only = true
WITH state
RETURN state.graphRevision AS graphRevision, state.position AS position,
  COLLECT {
    MATCH (named:Primitive)
    USING INDEX SEEK named:Primitive(key)
    WHERE named.key IN $keys
    RETURN named{.key, .place}
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

const stamp = '.source, .by, .at, .intent'

const pulled = `
UNWIND $roots AS place
MATCH (root:Primitive)
USING INDEX SEEK root:Primitive(place)
WHERE root.place = place
MATCH (root)-[:${pulling}*0..]->(found)
WITH DISTINCT found
RETURN found{.place, .name, ${stamp}} AS found,
  COLLECT {
    MATCH (found)-[:HAS_LEVEL]->(level:Level)
    RETURN level{.level, .properties, ${stamp}}
  } AS levels,
  COLLECT {
    MATCH (found)-[edge:${relations}]->(target:Primitive)
    RETURN edge{.order, .sourceDepth, .targetDepth, .metadata, .policies, ${stamp},
      type: type(edge), target: target{.place, .name}}
  } AS edges`

const count = z.int().min(0)
const maybe = z.string().nullable()
const stampCells = { source: maybe, by: maybe, at: maybe, intent: maybe }

interface Stamp {
  readonly source: string | null
  readonly by: string | null
  readonly at: string | null
  readonly intent: string | null
}

const Placed = z.strictObject({ key: z.string(), place: count })
type Placed = z.infer<typeof Placed>

const StateRow = z.strictObject({
  graphRevision: count.nullable(),
  position: count.nullable(),
  named: z.array(Placed),
})

const Bare = { place: count, name: z.string() }

const PulledRow = z.strictObject({
  found: z.strictObject({ ...Bare, ...stampCells }),
  levels: z.array(z.strictObject({ level: Level, properties: z.string(), ...stampCells })),
  edges: z.array(
    z.strictObject({
      order: count,
      type: RelationType,
      sourceDepth: Level,
      targetDepth: Level,
      metadata: z.string(),
      policies: z.string(),
      target: z.strictObject(Bare),
      ...stampCells,
    }),
  ),
})

export interface StateAndNamed extends ProjectionState {
  /** Places by key, of those keys that are there. */
  readonly named: ReadonlyMap<string, number>
}

/** What is projected, and the places of these keys; waits until no writer is half done. */
export async function readState(run: RunCypher, keys: readonly string[]): Promise<StateAndNamed> {
  const rows = await run(stateAndNamed, { keys })
  const [row] = rows
  if (row === undefined || rows.length > 1) {
    const message = 'no graph is projected there: run `warrant project neo4j`'
    throw new Fault('neo4j_not_projected', message)
  }
  const { graphRevision, position, named } = parsed(StateRow, row)
  if (graphRevision === null || position === null) {
    const message = 'the graph in Neo4j is being rebuilt: ask again when that has ended'
    throw new Fault('neo4j_not_projected', message)
  }
  return { graphRevision, position, named: placesByKey(named) }
}

/** The places, by key, of primitives that have all these words; not all in the same order. */
export async function readFormed(
  run: RunCypher,
  asked: readonly Forms[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await run(formed, { asked })
  const found = rows.map((row) => parsed(Placed, row))
  return placesByKey(found)
}

/** These and all that they pull in, whole, and the rest of what they relate to by its bare name. */
export async function readPulled(
  run: RunCypher,
  roots: readonly number[],
): Promise<readonly PlainPrimitive[]> {
  const rows = (await run(pulled, { roots })).map((row) => parsed(PulledRow, row))
  const whole = new Map(rows.map((row) => [row.found.place, row]))
  const names = new Map<number, string>()
  for (const { edges } of rows) for (const { target } of edges) names.set(target.place, target.name)
  for (const { found } of rows) names.set(found.place, found.name)
  const inOrder = [...names].toSorted(([one], [other]) => one - other)
  const ids = new Map(inOrder.map(([place], id) => [place, id]))
  return inOrder.map(([place, name]) => {
    const row = whole.get(place)
    if (row === undefined) return { name, provenance: null, levels: [] }
    return { name, provenance: provenanceOf(row.found), levels: levelsOf(row, ids) }
  })
}

function levelsOf(
  { levels, edges }: z.infer<typeof PulledRow>,
  ids: ReadonlyMap<number, number>,
): readonly PlainLevel[] {
  const relata = new Map<number, PlainEdge[]>(levels.map(({ level }) => [level, []]))
  for (const edge of edges.toSorted((one, other) => one.order - other.order)) {
    const { type, sourceDepth, targetDepth, target, metadata, policies } = edge
    const siblings = relata.get(sourceDepth)
    if (siblings === undefined) throw unreadable('an edge hangs at a level that is not there', null)
    siblings.push({
      type,
      target: ids.get(target.place) ?? -1,
      targetDepth,
      sourceDepth,
      metadata: mapIn(metadata),
      policies: policies === '[]' ? [] : parsed(Policies, jsonIn(policies)),
      provenance: provenanceOf(edge),
    })
  }
  return levels
    .toSorted((one, other) => one.level - other.level)
    .map(({ level, properties, ...rest }) => ({
      level,
      properties: mapIn(properties),
      relata: relata.get(level) ?? [],
      provenance: provenanceOf(rest),
    }))
}

function placesByKey(rows: readonly Placed[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ key, place }) => [key, place]))
}

const Policies = z.array(Policy)

function mapIn(text: string): PlainLevel['properties'] {
  return text === '{}' ? {} : parsed(OpenMap, jsonIn(text))
}

function provenanceOf({ source, by, at, intent }: Stamp): Provenance | null {
  if (source === null) return null
  return parsed(Provenance, { source, by, at, ...(intent !== null && { intent }) })
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    throw unreadable('a text is not JSON', cause)
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw unreadable(z.prettifyError(result.error).replaceAll(/\s+/g, ' '), result.error)
}

function unreadable(why: string, cause: unknown): Fault {
  const fix = 'another program wrote there: `warrant project neo4j --rebuild` fixes it'
  return new Fault('neo4j_unreadable', `the graph in Neo4j is broken, ${why}: ${fix}`, {
    cause,
  })
}
