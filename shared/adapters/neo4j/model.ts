// How the graph stands in Neo4j, in one place for anyone who writes it and anyone who reads it.
// Labels and types are the only text that ever becomes part of a query: names and properties never
// do.

/** What readers see; exactly one node has it, and nothing of it while it is rebuilt. */
export interface ProjectionState {
  /** Every fact up to it is projected. */
  readonly position: number
  readonly graphRevision: number
}

/** A constraint or an index that a projection needs. */
export interface SchemaPart {
  readonly name: string
  readonly as: 'UNIQUENESS' | 'RANGE'
  readonly label: string
  readonly properties: readonly string[]
}

export const schemaParts: readonly SchemaPart[] = [
  // One node, whichever realm it is of: so there cannot be two.
  unique('projection_only', 'Projection', ['only']),
  unique('primitive_key', 'Primitive', ['key']),
  unique('primitive_place', 'Primitive', ['place']),
  unique('level_place', 'Level', ['of', 'level']),
  unique('word_text', 'Word', ['text']),
  unique('concept_key', 'Concept', ['key']),
  unique('intent_position', 'Intent', ['position']),
  index('intent_by_address', 'Intent', ['address']),
  index('policy_edge', 'Policy', ['edge']),
]

function unique(name: string, label: string, properties: readonly string[]): SchemaPart {
  return { name, as: 'UNIQUENESS', label, properties }
}

function index(name: string, label: string, properties: readonly string[]): SchemaPart {
  return { name, as: 'RANGE', label, properties }
}

/** May be given again. */
export function schemaStatement({ name, as, label, properties }: SchemaPart): string {
  const those = properties.map((each) => `n.${each}`).join(', ')
  return as === 'UNIQUENESS'
    ? `CREATE CONSTRAINT ${name} IF NOT EXISTS FOR (n:${label}) REQUIRE (${those}) IS UNIQUE`
    : `CREATE INDEX ${name} IF NOT EXISTS FOR (n:${label}) ON (${those})`
}

/** The labels of all that a projector writes. */
export const projectedLabels = [
  'Intent',
  'Concept',
  'Policy',
  'Level',
  'Word',
  'Primitive',
  'Projection',
] as const
