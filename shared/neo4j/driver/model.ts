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

/** What a database holds: one log, or the cells of a realm. */
export type Layout = 'log' | 'cells'

export function layoutFor(cells: readonly unknown[]): Layout {
  return cells.length === 0 ? 'log' : 'cells'
}

const common: readonly SchemaPart[] = [
  // One node, whichever realm it is of: so there cannot be two.
  unique('projection_only', 'Projection', ['only']),
  unique('primitive_key', 'Primitive', ['key']),
  unique('primitive_place', 'Primitive', ['place']),
  unique('level_place', 'Level', ['of', 'level']),
  unique('word_text', 'Word', ['text']),
  unique('concept_key', 'Concept', ['key']),
  index('intent_by_address', 'Intent', ['address']),
  index('policy_edge', 'Policy', ['edge']),
]

export const schemaParts: Readonly<Record<Layout, readonly SchemaPart[]>> = {
  log: [...common, unique('intent_position', 'Intent', ['position'])],
  // Each cell counts positions of its own.
  cells: [
    ...common,
    unique('intent_position', 'Intent', ['cell', 'position']),
    unique('cell_number', 'Cell', ['cell']),
  ],
}

/** The names of all that a projector makes, for one log or for cells. */
export const schemaNames: ReadonlySet<string> = new Set(
  Object.values(schemaParts).flatMap((parts) => parts.map(({ name }) => name)),
)

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
  'Cell',
  'Projection',
] as const
