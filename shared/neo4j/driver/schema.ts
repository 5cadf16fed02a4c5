// The constraints and indexes of a projection: made where they are missing, and compared with those
// that should be there.
import { textOf, textsOf } from './held.ts'
import type { Neo4jLink, CypherRow } from './link.ts'
import { schemaNames, schemaParts, schemaStatement, type Layout, type SchemaPart } from './model.ts'

const indexSecondsMax = 300

/** A constraint or an index that is not as it should be. Null where there is none. */
export interface SchemaFlaw {
  readonly name: string
  readonly here: string | null
  readonly there: string | null
}

type Auto = Pick<Neo4jLink, 'auto'>

/** Makes what is missing and waits for it. What has one of our names and is another goes. */
export async function makeSchema(link: Auto, layout: Layout): Promise<void> {
  const flaws = new Map((await schemaFlaws(link, layout)).map((flaw) => [flaw.name, flaw]))
  for (const { name, there } of flaws.values()) {
    if (there !== null && schemaNames.has(name)) await link.auto(dropping(name, there))
  }
  const wanted = schemaParts[layout].filter(({ name }) => flaws.has(name))
  for (const part of wanted) await link.auto(schemaStatement(part))
  if (wanted.length > 0) await link.auto(`CALL db.awaitIndexes(${indexSecondsMax})`)
}

function dropping(name: string, there: string): string {
  return `DROP ${there.startsWith('index') ? 'INDEX' : 'CONSTRAINT'} ${name} IF EXISTS`
}

/** Constraints of others are among them, since they can refuse what has to be written. */
export async function schemaFlaws(link: Auto, layout: Layout): Promise<readonly SchemaFlaw[]> {
  const constraints = await link.auto(`SHOW CONSTRAINTS
    YIELD name, type, entityType, labelsOrTypes, properties
    RETURN name, type, entityType, labelsOrTypes, properties ORDER BY name`)
  const indexes = await link.auto(`SHOW INDEXES
    YIELD name, type, entityType, labelsOrTypes, properties, owningConstraint
    WHERE owningConstraint IS NULL
    RETURN name, type, entityType, labelsOrTypes, properties`)
  const there = new Map(
    constraints.map((row) => [textOf(row['name']), schemaText('constraint', row)]),
  )
  for (const row of indexes) {
    if (schemaNames.has(textOf(row['name'])))
      there.set(textOf(row['name']), schemaText('index', row))
  }
  const flaws: SchemaFlaw[] = []
  for (const part of schemaParts[layout]) {
    const { name } = part
    const [here, found = null] = [partText(part), there.get(name)]
    there.delete(name)
    if (here !== found) flaws.push({ name, here, there: found })
  }
  for (const [name, text] of there) flaws.push({ name, here: null, there: text })
  return flaws
}

function partText({ as, label, properties }: SchemaPart): string {
  const kind = as === 'UNIQUENESS' ? 'constraint' : 'index'
  return `${kind} ${as} NODE ${label} ${properties.join(', ')}`
}

function schemaText(kind: 'constraint' | 'index', row: CypherRow): string {
  // Later versions of Neo4j name the type with what it is of.
  const type = textOf(row['type']).replace('NODE_PROPERTY_', '')
  const of = [row['labelsOrTypes'], row['properties']].map((list) => textsOf(list).join(', '))
  return `${kind} ${type} ${textOf(row['entityType'])} ${of.join(' ')}`
}
