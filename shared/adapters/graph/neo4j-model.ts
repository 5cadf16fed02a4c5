// How the graph stands in Neo4j, in one place for whoever writes it and whoever reads it. Labels
// and types are the only text that ever becomes part of a query: names and properties never do.

/** What readers are told; exactly one node has it, and nothing of it while it is rebuilt. */
export interface ProjectionState {
  /** Every fact up to it is projected. */
  readonly position: number
  readonly graphRevision: number
}

/** What Neo4j makes sure of, and finds quickly. Each may be given again. */
export const schemaStatements: readonly string[] = [
  unique('primitive_key', 'Primitive', ['key']),
  unique('primitive_place', 'Primitive', ['place']),
  unique('level_place', 'Level', ['of', 'level']),
  unique('word_text', 'Word', ['text']),
  unique('concept_key', 'Concept', ['key']),
  unique('intent_address', 'Intent', ['address']),
  unique('projection_realm', 'Projection', ['realm']),
  index('policy_edge', 'Policy', 'edge'),
]

function unique(name: string, label: string, properties: readonly string[]): string {
  const those = properties.map((each) => `n.${each}`).join(', ')
  return `CREATE CONSTRAINT ${name} IF NOT EXISTS FOR (n:${label}) REQUIRE (${those}) IS UNIQUE`
}

function index(name: string, label: string, property: string): string {
  return `CREATE INDEX ${name} IF NOT EXISTS FOR (n:${label}) ON (n.${property})`
}
