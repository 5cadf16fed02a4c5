// What the connection to Neo4j promises, on a real server.
import { describe, expect, test } from 'vitest'
import { Neo4jLink } from '#neo4j/driver/link'
import { Fault } from '#record/fault'
import { chooseNeo4j, type Neo4jLooks } from '../../support/servers/neo4j-choice.ts'
import { freePort } from '../../support/servers/nats-server.ts'
import { hasNeo4j } from '../../support/servers/neo4j-server.ts'
import { testVenue } from '../project-venue.ts'

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const fault = await work.then(
    () => null,
    (error: unknown) => error,
  )
  return fault instanceof Fault ? fault : expect.fail(`no fault but ${String(fault)}`)
}

describe('which Neo4j the tests run on', () => {
  const looks: Neo4jLooks = {
    home: 'home',
    hasJars: () => false,
    javaVersion: () => 'openjdk version "17.0.15" 2025-04-15',
    dockerAnswers: async () => false,
  }
  const server = { WARRANT_NEO4J_URL: 'bolt://there:7687', WARRANT_NEO4J_PASSWORD: 'x' }

  test('a database is not wiped unless that is set', async () => {
    await expect(chooseNeo4j(server, looks)).rejects.toThrow('wipe')
    const wiped = await chooseNeo4j({ ...server, WARRANT_NEO4J_WIPE: '1' }, looks)
    expect(wiped).toEqual({ by: 'url', url: 'bolt://there:7687', user: 'neo4j', password: 'x' })
  })

  test('a folder that is named must have the jars, and Java must be new enough', async () => {
    const named = { WARRANT_NEO4J_HOME: '/opt/neo4j' }
    await expect(chooseNeo4j(named, looks)).rejects.toThrow('jars')
    const old = { ...looks, hasJars: () => true, javaVersion: () => 'openjdk version "11.0.2"' }
    await expect(chooseNeo4j(named, old)).rejects.toThrow('java')
    const found = await chooseNeo4j(named, { ...looks, hasJars: () => true })
    expect(found).toEqual({ by: 'java', jars: '/opt/neo4j/lib' })
  })

  test('it is found where CI keeps it, else in Docker, else it may be missing', async () => {
    const kept = 'home/.cache/warrant-ci/neo4j-5.26.0/lib'
    const here = { ...looks, hasJars: (folder: string) => folder === kept }
    expect(await chooseNeo4j({}, here)).toEqual({ by: 'java', jars: kept })
    const docker = { ...looks, dockerAnswers: async () => true }
    expect(await chooseNeo4j({}, docker)).toEqual({ by: 'container' })
    expect(await chooseNeo4j({}, looks)).toEqual({ by: 'nothing' })
  })

  test('where it is required it may not be missing', async () => {
    await expect(chooseNeo4j({ WARRANT_NEO4J_REQUIRED: '1' }, looks)).rejects.toThrow('required')
  })
})

test('an address that holds a password is refused, and not repeated', async () => {
  const access = { url: 'bolt://ada:hunter2@127.0.0.1', user: 'ada', password: 'hunter2' }
  const fault = await faultOf(Neo4jLink.open(access))
  expect(fault).toMatchObject({ code: 'neo4j_address_invalid', retry: 'never' })
  expect(fault.message).not.toContain('hunter2')
})

test('an address of another protocol is refused', async () => {
  const access = { url: 'http://127.0.0.1', user: 'ada', password: 'x' }
  expect(await faultOf(Neo4jLink.open(access))).toMatchObject({ code: 'neo4j_address_invalid' })
})

test('where no server answers, it may be tried again', async () => {
  const access = { url: `bolt://127.0.0.1:${await freePort()}`, user: 'ada', password: 'x' }
  const fault = await faultOf(Neo4jLink.open(access))
  expect(fault).toMatchObject({ code: 'neo4j_unreachable', retry: 'soon' })
})

describe.runIf(hasNeo4j)('a connection to Neo4j', () => {
  const venue = testVenue()
  const { link } = venue

  test('a wrong password is refused, also the one that every Neo4j begins with', async () => {
    for (const password of ['hunter2', 'neo4j']) {
      const fault = await faultOf(Neo4jLink.open({ ...venue.access, password }))
      expect(fault).toMatchObject({ code: 'neo4j_refused', retry: 'never' })
      expect(fault.message).not.toContain('hunter2')
    }
  })

  test('whole numbers are integers there and numbers here, at any depth', async () => {
    const params = { whole: 7, deep: { list: [0, -1, 2 ** 40] }, part: 0.5, text: "' RETURN 1 //" }
    const types =
      'valueType($whole) AS whole, valueType($deep.list[2]) AS deep, valueType($part) AS part'
    const asked = `RETURN ${types}, $whole AS a, $deep AS b, $part AS c, $text AS d`
    const [row] = await link.read((run) => run(asked, params))
    expect(row).toEqual({
      whole: 'INTEGER NOT NULL',
      deep: 'INTEGER NOT NULL',
      part: 'FLOAT NOT NULL',
      a: 7,
      b: { list: [0, -1, 2 ** 40] },
      c: 0.5,
      d: "' RETURN 1 //",
    })
  })

  test('a transaction whose work throws leaves nothing behind', async () => {
    const broken = link.write(async (run) => {
      await run('CREATE (:Kept {name: $name})', { name: 'half' })
      throw new Error('we broke')
    })
    await expect(broken).rejects.toThrow('we broke')
    expect(await link.read((run) => run('MATCH (k:Kept) RETURN k.name AS name'))).toEqual([])
    await link.write((run) => run('CREATE (:Kept {name: $name})', { name: 'whole' }))
    expect(await link.read((run) => run('MATCH (k:Kept) RETURN k.name AS name'))).toEqual([
      { name: 'whole' },
    ])
  })

  test('a reading cannot write', async () => {
    const fault = await faultOf(link.read((run) => run('CREATE (:Kept)')))
    expect(fault.code).toMatch(/^neo4j_/)
    const [row] = await link.read((run) => run('MATCH (k:Kept) RETURN count(k) AS count'))
    expect(row).toEqual({ count: 1 })
  })

  test('what the server can never do is not tried again', async () => {
    const query = await faultOf(link.read((run) => run('RETRUN 1')))
    expect(query).toMatchObject({ code: 'neo4j_query_refused', retry: 'never' })
    await link.auto('CREATE CONSTRAINT kept FOR (k:Kept) REQUIRE k.name IS UNIQUE')
    const twice = await faultOf(link.write((run) => run('CREATE (:Kept {name: "whole"})')))
    expect(twice).toMatchObject({ code: 'neo4j_constraint', retry: 'never' })
    await link.auto('CREATE (:Alike {n: 1}), (:Alike {n: 1})')
    const late = await faultOf(
      link.auto('CREATE CONSTRAINT alike FOR (a:Alike) REQUIRE a.n IS UNIQUE'),
    )
    expect(late).toMatchObject({ code: 'neo4j_constraint', retry: 'never' })
  })

  test('more rows than one page of the driver come at once', async () => {
    const rows = await link.read((run) => run('UNWIND range(1, 5000) AS n RETURN n'))
    expect(rows).toHaveLength(5000)
    expect(rows.at(-1)).toEqual({ n: 5000 })
  })
})
