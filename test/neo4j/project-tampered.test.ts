// Whatever a hand does to a projection, the check finds and names it, and a rebuild undoes it.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Log } from '#ports/log'
import type { ProjectionDifference } from '#neo4j/report'
import { checkProjection } from '#neo4j/check'
import { FakeTime } from '#testing/fake-time'
import { hasNeo4j } from '../support/servers/neo4j-server.ts'
import * as counts from '../support/vitest/counts.ts'
import { lived } from './project-lived.ts'
import { foundWhile, unfound as unfoundIn } from './project-tamperings.ts'
import { check, codeOf, compared, projectOnce, testVenue } from './project-venue.ts'

const p = (name: string) => `MATCH (p:Primitive {key: '${name}'})`
const marked = (set: string) => `MATCH (p:Projection) SET ${set}`
const payout = 'MATCH (policy:Policy {callback: "no"})'

function primitive(name: string, what: 'differs' | 'missing' | 'extra' = 'differs') {
  return { of: 'primitive' as const, name, what }
}

function intent(what: 'differs' | 'missing' | 'extra' = 'differs') {
  return { of: 'intent' as const, what }
}

function concept(name: string, what: 'differs' | 'missing' | 'extra' = 'differs') {
  return { of: 'concept' as const, name, what }
}

function schema(name: string, what: 'differs' | 'missing' | 'extra') {
  return { of: 'schema' as const, name, what }
}

function count(name: string) {
  return { of: 'count' as const, name }
}

const theirs = 'CREATE CONSTRAINT theirs FOR (n:Intent) REQUIRE (n.address, n.at) IS UNIQUE'
const mark = { of: 'mark' as const, name: 'Projection', what: 'differs' as const }

type Tampering = readonly [what: string, cypher: string, found: Partial<ProjectionDifference>]

/** How it is named, for each sort of what can be found. */
const named: readonly Tampering[] = [
  [
    'the policies of an edge',
    `${p('refund')}-[r:APPLIES_TO]->() SET r.policies = '[]'`,
    primitive('refund'),
  ],
  ['how deeply it is known', `${p('email')} SET p.strict = 4, p.classic = 4`, primitive('email')],
  [
    'a whole number stored as a fraction',
    `${p('email')} SET p.strict = toFloat(p.strict)`,
    primitive('email'),
  ],
  ['a primitive less', `${p('email')} DETACH DELETE p`, primitive('email', 'missing')],
  [
    'a primitive more',
    "CREATE (:Primitive {key: 'x', name: 'X', place: 99})",
    primitive('X', 'extra'),
  ],
  [
    'the stored order',
    `MATCH (a:Primitive {key: 'refund'}), (b:Primitive {key: 'email'})
     WITH a, b, a.place AS one, b.place AS other
     REMOVE a.place, b.place WITH a, b, one, other SET a.place = other, b.place = one`,
    { name: 'file', what: 'out_of_order' },
  ],
  [
    'the number of an edge that another has',
    `MATCH ()-[other:REQUIRES]->() WITH max(other.order) AS other
     ${p('payout')}-[r:APPLIES_TO]->() SET r.order = other`,
    primitive('payout'),
  ],
  [
    'denials made permissions',
    "MATCH (i:Intent {outcome: 'deny'}) SET i.outcome = 'allow'",
    intent(),
  ],
  ['intents deleted', 'MATCH (i:Intent) WITH i LIMIT 3 DETACH DELETE i', intent('missing')],
  [
    'an intent more',
    "CREATE (:Intent {address: 'bot.-.x', position: 7, outcome: 'allow', reasons: []})",
    intent('extra'),
  ],
  ['an intent without a place', "CREATE (:Intent {address: 'bot.-.x'})", count('Intent')],
  ['what was touched', 'MATCH ()-[t:TOUCHED]->() WITH t LIMIT 5 DELETE t', intent()],
  [
    'another policy blamed',
    `${payout}, (other:Policy) WHERE other <> policy
     MATCH (i)-[s:STOPPED_BY]->(policy) DELETE s
     CREATE (i)-[:STOPPED_BY {code: 'policy_blocked'}]->(other)`,
    intent(),
  ],
  ['a concept more', "CREATE (:Concept {key: 'ghost', name: 'Ghost'})", concept('Ghost', 'extra')],
  ['the name of a concept', "MATCH (c:Concept) SET c.name = 'Burning'", concept('burn')],
  ['a word of no one', "CREATE (:Word {text: 'x'})", count('Word')],
  ['the position', marked('p.position = 1'), mark],
  ['the numbers for what comes next', marked('p.places = 1'), mark],
  ['a stranger', "CREATE (:Note {text: 'hello'})", count('other nodes')],
  ['another relation', `${p('email')} CREATE (p)-[:LIKES]->(p)`, count('other relations')],
  ['a constraint dropped', 'DROP CONSTRAINT primitive_key', schema('primitive_key', 'missing')],
  ['an index dropped', 'DROP INDEX policy_edge', schema('policy_edge', 'missing')],
  ['a constraint more', theirs, schema('theirs', 'extra')],
]

const other: readonly Tampering[] = [
  ['the realm', marked("p.realm = 'other'"), {}],
  ['a mark that is silent', marked("p.places = 'many'"), {}],
]

describe.skipIf(!hasNeo4j)('a projection that was tampered with', () => {
  const { link } = testVenue()
  let log: Log

  beforeAll(async () => {
    log = (await lived()).store.open()
    await rebuild()
  })

  const rebuild = (replaces?: string) => {
    return projectOnce(log, link, { rebuild: true, ...(replaces !== undefined && { replaces }) })
  }

  async function untouched(): Promise<void> {
    // What others put there no rebuild takes away.
    await link.auto('MATCH (n:Note) DELETE n')
    await link.auto('DROP CONSTRAINT theirs IF EXISTS')
    await rebuild('other')
    expect(await check(log, link)).toMatchObject({ standing: 'same', differences: 0 })
  }

  test.each(named)('is found: %s', async (_, cypher, found) => {
    const isSchema = /^(DROP|CREATE CONSTRAINT)/.test(cypher)
    if (isSchema) await link.auto(cypher)
    const report = isSchema
      ? await check(log, link)
      : await foundWhile(link, { cypher }, (inside) => check(log, inside))
    if (isSchema) await untouched()
    expect(report).toMatchObject({ standing: 'differs' })
    const { first, digest } =
      report !== null && 'first' in report ? report : expect.fail('it differs')
    expect(first).toContainEqual(expect.objectContaining(found))
    const isInDigest = first.some(({ of }) => ['primitive', 'intent', 'concept'].includes(of))
    expect(digest.here !== digest.there).toBe(isInDigest)
  })

  test('is found whatever one thing it is', async () => {
    const { tried, refused, unfound } = await unfoundIn(link, (inside) => check(log, inside))
    expect(unfound).toEqual([])
    expect(tried).toBeGreaterThan(counts.count(350, 115))
    expect(refused).toBeLessThan(tried / 10)
  })

  test('is as it was after a rebuild, whatever was done to it', async () => {
    for (const [, cypher] of [...named, ...other]) {
      if (cypher !== theirs) await link.auto(cypher)
    }
    expect(await codeOf(rebuild())).toBe('projection_of_other_realm')
    await untouched()
  })

  test('goes on where an earlier version had made less of the schema', async () => {
    await link.auto('DROP INDEX policy_edge')
    await link.auto('DROP CONSTRAINT level_place')
    expect(await codeOf(projectOnce(log, link))).toBe('none')
    expect(await check(log, link)).toMatchObject({ standing: 'same' })
  })

  test('the database of another realm is wiped only where the operator names it', async () => {
    await link.auto(marked("p.realm = 'other'"))
    expect(await check(log, link)).toMatchObject({ standing: 'other_realm', realm: 'other' })
    for (const replaces of [undefined, 'main', 'another']) {
      expect(await codeOf(rebuild(replaces))).toBe('projection_of_other_realm')
    }
    expect(await link.auto('MATCH (p:Primitive {key: "email"}) RETURN p.name AS name')).toEqual([
      { name: 'email' },
    ])
    await untouched()
  })

  test.each([
    ['gone', 'MATCH (p:Projection) DELETE p'],
    ['without a realm', 'MATCH (p:Projection) REMOVE p.realm'],
  ])('whose mark is %s, is rebuilt only where all the rest is a projector’s', async (_, cypher) => {
    await link.auto(cypher)
    await link.auto("CREATE (:Note {text: 'hello'})")
    expect(await codeOf(rebuild())).toBe('neo4j_not_empty')
    await link.auto('MATCH (n:Note) DELETE n')
    await rebuild()
    expect(await check(log, link)).toMatchObject({ standing: 'same' })
    await link.auto(cypher)
    await link.auto('DROP CONSTRAINT projection_only')
    expect(await codeOf(rebuild())).toBe('neo4j_not_empty')
    await link.auto('MATCH (p:Projection) DELETE p')
    await link.auto("CREATE (:Projection {only: true, realm: 'main'})")
    await untouched()
  })

  test('with a second mark, is broken until it is rebuilt', async () => {
    await link.auto('DROP CONSTRAINT projection_only')
    await link.auto('MATCH (p:Projection) CREATE (:Projection {only: true, realm: p.realm})')
    expect(await check(log, link)).toMatchObject({ standing: 'broken' })
    expect(await codeOf(projectOnce(log, link))).toBe('projection_broken')
    await untouched()
  })

  test('with what a constraint forbids, is rebuilt all the same', async () => {
    await link.auto('DROP CONSTRAINT primitive_key')
    await link.auto("CREATE (:Primitive {key: 'email', name: 'email', place: 99})")
    await link.auto('CREATE CONSTRAINT primitive_key FOR (n:Policy) REQUIRE n.x IS UNIQUE')
    const { first } = await compared(log, link)
    expect(first).toContainEqual(expect.objectContaining(schema('primitive_key', 'differs')))
    await untouched()
  })

  test('what others put beside it stays, and is reported', async () => {
    await link.auto("CREATE (:Note {text: 'hello'})-[:ABOUT]->(:Note {text: 'you'})")
    await rebuild()
    const { first, differences } = await compared(log, link)
    expect(differences).toBe(2)
    expect(first).toMatchObject([
      { name: 'other nodes', here: '0', there: '2' },
      { name: 'other relations', here: '0', there: '1' },
    ])
    await link.auto('MATCH (n:Note) DETACH DELETE n')
  })

  test('that is behind shows how far, and is given a moment', async () => {
    await log.append({ name: 'main.1.graph.99', bytes: Buffer.from('{}') })
    const { position } = await log.head()
    const report = await compared(log, link)
    expect(report).toMatchObject({ standing: 'behind', differences: 0, head: position })
    expect(report.position).toBe(position - 1)
    const time = new FakeTime()
    const options = { log, realm: 'main', rootKey: null, link, timer: time.timer }
    const patient = checkProjection(options)
    await projectOnce(log, link)
    const ticking = setInterval(() => time.pass(100), 1)
    await patient
    clearInterval(ticking)
    expect(await patient).toMatchObject({ standing: 'same', position })
  })
})
