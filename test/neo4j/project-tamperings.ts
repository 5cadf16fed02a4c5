// Every way in which a hand can change one thing of a projection, made of what is there: each
// property of each label and type changed, stored as another type, removed and added; each node and
// relation removed, doubled, turned, moved and named otherwise.
import { expect } from 'vitest'
import { textOf } from '#neo4j/driver/held'
import type { CypherRow } from '#neo4j/driver/link'
import type { ProjectionLink } from '#neo4j/driver/writes'
import { isList, type Json } from '#record/canonical'
import { Fault } from '#record/fault'
import type { ProjectionCheck } from '#neo4j/report'
import { count } from '../support/vitest/counts.ts'

interface Tampering {
  readonly what: string
  readonly cypher: string
  readonly id: string
}

interface Thing {
  readonly kind: string
  readonly id: string
  /** How it is matched by its id, as `x`. */
  readonly match: string
  readonly properties: CypherRow
}

/** A number of a projection that is only where the next begins: a higher one leaves a gap. */
const onlyNext = ['Projection.places', 'Projection.orders']

async function tamperings(link: ProjectionLink): Promise<readonly Tampering[]> {
  const nodes = await things(link, 'MATCH (x)', 'labels(x)[0]')
  const relations = await things(link, 'MATCH ()-[x]->()', 'type(x)')
  return [
    ...[...nodes.values()].flatMap((all) => ofKind(all, ofNodes)),
    ...[...relations.values()].flatMap((all) => ofKind(all, ofRelations)),
  ]
}

/** By their kinds. */
async function things(
  link: ProjectionLink,
  match: string,
  kind: string,
): Promise<ReadonlyMap<string, readonly Thing[]>> {
  const rows = await link.auto(`${match} RETURN elementId(x) AS id, ${kind} AS kind,
    properties(x) AS properties ORDER BY kind, id`)
  const all = rows.map((row): Thing => {
    const { properties } = row
    const found = `${match} WHERE elementId(x) = $id`
    const isMap = typeof properties === 'object' && properties !== null && !isList(properties)
    return {
      kind: textOf(row['kind']),
      id: textOf(row['id']),
      match: found,
      properties: isMap ? { ...properties } : {},
    }
  })
  const kinds = new Map<string, Thing[]>()
  for (const each of all) kinds.set(each.kind, [...(kinds.get(each.kind) ?? []), each])
  return kinds
}

/** Of each property and each change one thing of the kind, the next of them each time. */
function ofKind(all: readonly Thing[], wholes: readonly Change[]): readonly Tampering[] {
  const names = new Set(all.flatMap(({ properties }) => Object.keys(properties)))
  let turn = 0
  const changed = [...names].flatMap((name) => {
    const having = all.filter(({ properties }) => name in properties)
    return changesOf(name, having[0]?.properties[name] ?? null).map(([what, change]) => {
      const { kind, id, match } = having[(turn += 1) % having.length] ?? expect.fail('one has it')
      return { what: `${kind}.${name} ${what}`, id, cypher: `${match} ${change}` }
    })
  })
  const whole = wholes.map(([what, change]) => {
    const { kind, id, match } = all[(turn += 1) % all.length] ?? expect.fail('there is one')
    return { what: `${kind} ${what}`, id, cypher: `${match} ${change.replaceAll('KIND', kind)}` }
  })
  return [...changed, ...whole].filter(({ what }) => {
    return !onlyNext.some((each) => what === `${each} changed`)
  })
}

type Change = readonly [what: string, cypher: string]

function changesOf(name: string, value: Json): readonly Change[] {
  const set = (to: string) => `SET x.\`${name}\` = ${to}`
  const was = `x.\`${name}\``
  const removed: Change = ['removed', `REMOVE ${was}`]
  switch (typeof value) {
    case 'number':
      return [
        removed,
        ['changed', set(`${was} + 1000`)],
        ['made less', set(`${was} - 1000`)],
        ['stored as a fraction', set(`toFloat(${was})`)],
        ['stored as text', set(`toString(${was})`)],
      ]
    case 'boolean':
      return [removed, ['changed', set(`NOT ${was}`)], ['as text', set(`toString(${was})`)]]
    case 'string':
      return [removed, ['changed', set(`${was} + 'x'`)], ['emptied', set("''")]]
    default:
      return value !== null && isList(value)
        ? [removed, ['longer', set(`${was} + ['x']`)], ['as text', set("''")]]
        : [
            removed,
            ['later', set(`${was} + duration({milliseconds: 1})`)],
            ['as text', set(`toString(${was})`)],
            ['elsewhere', set(`datetime({datetime: ${was}, timezone: '+01:00'})`)],
          ]
  }
}

const ofNodes: readonly Change[] = [
  ['deleted', 'DETACH DELETE x'],
  ['with a property more', 'SET x.seen = true'],
  ['with a property of a name that reports use', 'SET x.labels = [], x.tie = 1'],
  ['with a label more', 'SET x:Seen'],
  ['with another label', 'REMOVE x:KIND SET x:Seen'],
  ['doubled', 'CREATE (other:KIND) SET other = properties(x)'],
  ['more, bare', 'CREATE (:KIND)'],
  ['with a relation more', 'CREATE (x)-[:LIKES]->(x)'],
  ['with a relation of ours more', 'CREATE (x)-[:READS_AS]->(x)'],
]

const ends = 'WITH x, startNode(x) AS a, endNode(x) AS b'

const ofRelations: readonly Change[] = [
  ['deleted', 'DELETE x'],
  ['with a property more', 'SET x.seen = true'],
  ['doubled', `${ends} CREATE (a)-[y:KIND]->(b) SET y = properties(x)`],
  ['turned', `${ends} WHERE a <> b CREATE (b)-[y:KIND]->(a) SET y = properties(x) DELETE x`],
  ['of another type', `${ends} CREATE (a)-[y:LIKES]->(b) SET y = properties(x) DELETE x`],
  [
    'that leads elsewhere',
    `${ends} MATCH (other) WHERE labels(other) = labels(b) AND other <> b
     WITH x, a, other LIMIT 1 CREATE (a)-[y:KIND]->(other) SET y = properties(x) DELETE x`,
  ],
]

/** The node that says how far it is has gone. */
interface Gone {
  readonly standing: 'gone'
}

/**
 * What a check finds while it is so; then it is so no more. Null where the database refuses it, or
 * there is nothing of which it could be so.
 */
export async function foundWhile(
  link: ProjectionLink,
  { cypher, id }: Pick<Tampering, 'cypher'> & Partial<Tampering>,
  check: (inside: ProjectionLink) => Promise<ProjectionCheck>,
): Promise<ProjectionCheck | Gone | null> {
  let found: ProjectionCheck | Gone | null = null
  const undone = new Error('undone')
  const tried = link.write(async (run) => {
    const [row] = await run(`${cypher} RETURN count(*) AS changed`, { id: id ?? null })
    if (row?.['changed'] === 0) throw undone
    const inside: ProjectionLink['write'] = (work) => work(run)
    try {
      found = await check({ auto: run, read: inside, write: inside })
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'projection_unfinished') throw error
      found = { standing: 'gone' }
    }
    throw undone
  })
  const ended: unknown = await tried.catch((error: unknown) => error)
  if (ended instanceof Fault && ended.code === 'neo4j_constraint') return null
  expect(ended).toBe(undone)
  return found
}

/** Those of all tamperings that a check does not find; where counts are in part, of each third. */
export async function unfound(
  link: ProjectionLink,
  check: (inside: ProjectionLink) => Promise<ProjectionCheck>,
): Promise<{ readonly tried: number; readonly refused: number; readonly unfound: string[] }> {
  const every = count(1, 3)
  const all = (await tamperings(link)).filter((_, index) => index % every === 0)
  let refused = 0
  const left: string[] = []
  for (const each of all) {
    const found = await foundWhile(link, each, check)
    if (found === null) refused += 1
    else if (['same', 'behind'].includes(found.standing)) left.push(each.what)
  }
  return { tried: all.length, refused, unfound: left }
}
