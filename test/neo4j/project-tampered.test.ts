// Whatever a hand does to a projection, the check finds it and a rebuild undoes it: the twenty ways
// that a review tried, and more.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Log } from '#ports/log'
import type { ProjectionDifference } from '#neo4j/found'
import { checkProjection, type ProjectionCheck } from '#neo4j/check'
import { FakeTime } from '#testing/fake-time'
import { hasNeo4j } from '../support/servers/neo4j-server.ts'
import { lived } from './project-lived.ts'
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

/** In the order of the review. */
const twenty: readonly Tampering[] = [
  [
    'the policies of an edge',
    `${p('refund')}-[r:APPLIES_TO]->() SET r.policies = '[]'`,
    primitive('refund'),
  ],
  ['a policy deleted', `${payout} DETACH DELETE policy`, primitive('payout')],
  [
    'whether people are asked',
    `${payout} SET policy.requiresConfirmation = true`,
    primitive('payout'),
  ],
  ['the case of a name', `${p('email')} SET p.name = 'Email'`, primitive('email')],
  ['how deeply it is known', `${p('email')} SET p.strict = 4, p.classic = 4`, primitive('email')],
  [
    'what a level says',
    `${p('email')}-->(l:Level {level: 1}) SET l.properties = '{}'`,
    primitive('email'),
  ],
  ['who wrote it', `${p('email')} SET p.by = 'me'`, primitive('email')],
  [
    'a primitive more',
    "CREATE (:Primitive {key: 'x', name: 'X', place: 99})",
    primitive('X', 'extra'),
  ],
  [
    'an edge more',
    `${p('file')} CREATE (p)-[:APPLIES_TO {sourceDepth: 0, targetDepth: 0, order: 99,
      metadata: '{}', policies: '[]', source: 'authored', by: 'root', at: ''}]->(p)`,
    primitive('file'),
  ],
  [
    'denials made permissions',
    "MATCH (i:Intent {outcome: 'deny'}) SET i.outcome = 'allow'",
    intent(),
  ],
  ['intents deleted', 'MATCH (i:Intent) WITH i LIMIT 3 DETACH DELETE i', intent('missing')],
  ['what was touched', 'MATCH ()-[t:TOUCHED]->() WITH t LIMIT 5 DELETE t', intent()],
  ['a concept more', "CREATE (:Concept {key: 'ghost', name: 'Ghost'})", concept('ghost', 'extra')],
  ['a word deleted', "MATCH (w:Word {text: 'email'}) DETACH DELETE w", primitive('email')],
  ['the position', marked('p.position = 1'), mark],
  ['the realm', marked("p.realm = 'other'"), {}],
  ['a label more', `${p('email')} SET p:Admin`, primitive('email')],
  ['a stranger', "CREATE (:Note {text: 'hello'})", count('other nodes')],
  ['a constraint dropped', 'DROP CONSTRAINT primitive_key', schema('primitive_key', 'missing')],
  ['another relation', `${p('email')} CREATE (p)-[:LIKES]->(p)`, count('other relations')],
]

const more: readonly Tampering[] = [
  ['a property more', `${p('email')} SET p.admin = true`, primitive('email')],
  ['the reasons', 'MATCH (i:Intent) SET i.reasons = []', intent()],
  ['whose intent it was', "MATCH (i:Intent {agent: 'bot'}) SET i.agent = 'honest'", intent()],
  ['when it was', 'MATCH (i:Intent) SET i.at = i.at + duration({days: 1})', intent()],
  ['a moment as text', 'MATCH (i:Intent) SET i.at = toString(i.at)', intent()],
  ['a property of intents', 'MATCH (i:Intent) SET i.seen = true', intent()],
  ['a label of intents', 'MATCH (i:Intent) SET i:Seen', intent()],
  [
    'an intent more',
    "CREATE (:Intent {address: 'bot.-.x', position: 7, outcome: 'allow', reasons: []})",
    intent('extra'),
  ],
  ['an intent without a place', "CREATE (:Intent {address: 'bot.-.x'})", count('Intent')],
  ['how deeply it was touched', 'MATCH ()-[t:TOUCHED]->() SET t.level = 4', intent()],
  [
    'what else was touched',
    `${p('archive')}, (i:Intent) WITH i, p LIMIT 1 CREATE (i)-[:TOUCHED {level: 1}]->(p)`,
    intent(),
  ],
  ['the kind of a gap', "MATCH ()-[l:LACKED]->() SET l.kind = 'DEPTH'", intent()],
  ['a gap closed', 'MATCH ()-[l:LACKED]->(:Concept) DELETE l', intent()],
  ['what stopped it', 'MATCH ()-[s:STOPPED_BY]->() DELETE s', intent()],
  [
    'another policy blamed',
    `${payout}, (other:Policy) WHERE other <> policy
     MATCH (i)-[s:STOPPED_BY]->(policy) DELETE s
     CREATE (i)-[:STOPPED_BY {code: 'policy_blocked'}]->(other)`,
    intent(),
  ],
  ['why a policy stopped it', "MATCH ()-[s:STOPPED_BY]->() SET s.code = 'x'", intent()],
  ['the name of a concept', "MATCH (c:Concept) SET c.name = 'Burning'", concept('burn')],
  ['a label of concepts', 'MATCH (c:Concept) SET c:Seen', concept('burn')],
  ['a concept deleted', 'MATCH (c:Concept) DETACH DELETE c', concept('burn', 'missing')],
  ['a label of levels', 'MATCH (l:Level) SET l:Seen', count('nodes of several labels')],
  ['a property of words', 'MATCH (w:Word) SET w.seen = 1', count('words that say more')],
  [
    'a property of a bare relation',
    'MATCH ()-[r:HAS_LEVEL]->() SET r.seen = 1',
    count('relations that say more'),
  ],
  ['the numbers for what comes next', marked('p.places = 1'), mark],
  ['the last fact', marked("p.fact = 'main.1.graph.9'"), {}],
  ['where it began', marked('p.from = 5'), mark],
  ['a property of the mark', marked('p.seen = 1'), mark],
  ['a label of the mark', marked('p:Seen'), mark],
  ['a mark that is silent', marked("p.places = 'many'"), {}],
  ['an index dropped', 'DROP INDEX policy_edge', schema('policy_edge', 'missing')],
  ['a constraint more', theirs, schema('theirs', 'extra')],
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

  /** What a check finds while it is so; then it is so no more. */
  async function foundAfter(cypher: string): Promise<ProjectionCheck> {
    let found: ProjectionCheck | null = null
    const undone = new Error('undone')
    const tried = link.write(async (run) => {
      await run(cypher)
      const inside: typeof link.write = (work) => work(run)
      found = await check(log, { auto: run, read: inside, write: inside })
      throw undone
    })
    await expect(tried).rejects.toBe(undone)
    return found ?? expect.fail('a check was made')
  }

  test.each([...twenty, ...more])('is found: %s', async (_, cypher, found) => {
    const isSchema = /^(DROP|CREATE CONSTRAINT)/.test(cypher)
    if (isSchema) await link.auto(cypher)
    const report = isSchema ? await check(log, link) : await foundAfter(cypher)
    if (isSchema) await untouched()
    if ('differences' in report) {
      expect(report).toMatchObject({ standing: 'differs' })
      expect(report.first).toContainEqual(expect.objectContaining(found))
    } else expect(['other_realm', 'other_log', 'broken']).toContain(report.standing)
  })

  test('is as it was after a rebuild, whatever was done to it', async () => {
    for (const [, cypher] of [...twenty, ...more]) {
      if (cypher !== theirs) await link.auto(cypher)
    }
    expect(await codeOf(rebuild())).toBe('projection_of_other_realm')
    await untouched()
  })

  test('twenty were tried by the review', () => expect(twenty).toHaveLength(20))

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
