// The view over Neo4j keeps what every view promises, on a real server, and so does `warrant
// ground` that asks it.
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { emptyGraph } from '#knowledge/graph/revision'
import { Neo4jLink } from '#neo4j/driver/link'
import { neo4jView } from '#neo4j/driver/view'
import { graphOf } from '../../support/samples/graph-builder.ts'
import { loadGraph, prepareNeo4j } from '../../support/servers/graph-view-loader.ts'
import { graphViewSuite, type ViewHarness } from './graph-view-suite.ts'
import { hasNeo4j, shareNeo4j, type SharedNeo4j } from '../../support/servers/neo4j-server.ts'
import { folder, warrant } from '../../cli/offline/program.ts'

let server: SharedNeo4j
let link: Neo4jLink

beforeAll(async () => {
  if (!hasNeo4j) return
  server = await shareNeo4j()
  link = await Neo4jLink.open(server.access)
})

afterAll(async () => {
  if (!hasNeo4j) return
  await link.close()
  await server.dispose()
})

async function open(): Promise<ViewHarness> {
  await prepareNeo4j(link)
  let asked = 0
  const counted: Pick<Neo4jLink, 'auto' | 'write'> = {
    auto: (cypher, params) => {
      asked += 1
      return link.auto(cypher, params)
    },
    write: (work) => link.write(work),
  }
  return {
    view: neo4jView(counted),
    keep: (kept) => loadGraph(link, kept),
    asked: () => asked,
    close: async () => undefined,
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

// First what is refused: the suite leaves a graph behind.
describe.runIf(hasNeo4j)('a database without a whole graph', () => {
  test('is no graph of which nothing is known', async () => {
    const gathering = neo4jView(link).gather(['file'])
    await expect(gathering).rejects.toMatchObject({ code: 'neo4j_not_projected', retry: 'soon' })
  })

  test('is not there while it is rebuilt', async () => {
    await prepareNeo4j(link)
    await loadGraph(link, { graph: graphOf('file 0'), revision: 1, position: 1 })
    await link.auto('MATCH (p:Projection) REMOVE p.position, p.graphRevision')
    const gathering = neo4jView(link).gather(['file'])
    await expect(gathering).rejects.toMatchObject({ code: 'neo4j_not_projected', retry: 'soon' })
  })

  test('is broken where someone wrote what is no level', async () => {
    await loadGraph(link, { graph: graphOf('file 0-1'), revision: 1, position: 1 })
    await link.auto('MATCH (l:Level {level: 1}) SET l.properties = "{"')
    const gathering = neo4jView(link).gather(['file'])
    await expect(gathering).rejects.toMatchObject({ code: 'neo4j_unreadable', retry: 'never' })
  })

  test('is gathered from no sooner than a writer has ended', async () => {
    await loadGraph(link, { graph: graphOf('file 0'), revision: 1, position: 1 })
    const order: string[] = []
    const written = new AbortController()
    const begun = new AbortController()
    const writing = link.write(async (run) => {
      await run('MATCH (p:Projection) SET p.graphRevision = 2, p.position = 2')
      begun.abort()
      await aborted(written.signal)
      order.push('written')
    })
    await aborted(begun.signal)
    const gathering = neo4jView(link)
      .gather(['file'])
      .then((found) => order.push(`gathered ${found.revision}`))
    // It waits at the server by then, which shows its transactions.
    await vi.waitUntil(async () => {
      const waiting = await link.auto('SHOW TRANSACTIONS YIELD status WHERE status CONTAINS "lock"')
      return waiting.length > 0
    })
    written.abort()
    await Promise.all([writing, gathering])
    expect(order).toEqual(['written', 'gathered 2'])
  })
})

graphViewSuite('over Neo4j', hasNeo4j ? open : null)

describe.runIf(hasNeo4j)('`warrant ground` of a graph in Neo4j', () => {
  const file = join(folder(), 'password')
  const ask = (lines: string): ReturnType<typeof warrant> => {
    vi.stubEnv('WARRANT_NEO4J_USER', server.access.user)
    vi.stubEnv('WARRANT_NEO4J_PASSWORD_FILE', file)
    return warrant(['ground', '--graph', server.access.url], lines)
  }
  afterAll(() => vi.unstubAllEnvs())

  test('refuses a password that others may read', async () => {
    writeFileSync(file, `${server.access.password}\n`)
    chmodSync(file, 0o644)
    const { code, answers, reported } = await ask('{"concepts":["file"]}\n')
    expect({ code, answers }).toEqual({ code: 1, answers: '' })
    expect(reported).toContain('chmod')
    expect(reported).not.toContain(server.access.password)
  })

  test('answers each line, and a line with a graph of its own by that', async () => {
    chmodSync(file, 0o600)
    await loadGraph(link, { graph: graphOf('file 0'), revision: 1, position: 1 })
    const { code, answers } = await ask(
      '{"concepts":["FILES"]}\nno line\n{"concepts":["file"],"graph":{"primitives":[]}}\n',
    )
    expect(code).toBe(6)
    const [known, bad, unknown] = answers.split('\n').map((line) => line.slice(0, 40))
    expect(known).toContain('"grounded":true,"resolved":["file"]')
    expect(bad).toContain('"error"')
    expect(unknown).toContain('"grounded":false')
    await loadGraph(link, { graph: emptyGraph, revision: 2, position: 2 })
  })
})
