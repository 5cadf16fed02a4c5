// The questions of docs/run/neo4j.md, each asked of a projected log as it stands there: it must
// answer what the page says that it answers. And the command that brings the log there.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CypherRow } from '#neo4j/driver/link'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { ended, says, start } from '../support/cli-process.ts'
import { run } from '../support/cli-runner.ts'
import { freePort } from '../support/servers/nats-server.ts'
import { hasNeo4j } from '../support/servers/neo4j-server.ts'
import { lived } from './project-lived.ts'
import { projectOnce, testVenue } from './project-venue.ts'
import { adding, changed } from '../support/edits.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Asked {
  readonly title: string
  readonly cypher: string
  /** The table below the query, cell by cell. */
  readonly reported: readonly (readonly string[])[]
}

const page = fileURLToPath(new URL('../../docs/run/neo4j.md', import.meta.url))
const text = await readFile(page, 'utf8')
const questions = text.split(/\n##+ /).flatMap(askedIn)

function askedIn(section: string): readonly Asked[] {
  const cypher = /```cypher\n(.*?)```/s.exec(section)?.[1]
  if (cypher === undefined) return []
  const [title = ''] = section.split('\n', 1)
  const after = section.slice(section.indexOf('```cypher'))
  const table = after.split('\n').filter((line) => line.startsWith('|'))
  return [{ title, cypher, reported: table.filter((_, nth) => nth !== 1).map(cellsOf) }]
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

function tableOf(rows: readonly CypherRow[]): readonly (readonly string[])[] {
  const [first = {}] = rows
  return [Object.keys(first), ...rows.map((row) => Object.values(row).map(cellOf))]
}

function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellOf).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

describe.skipIf(!hasNeo4j)('Neo4j', () => {
  const venue = testVenue()

  describe('asked what the page asks', () => {
    beforeAll(async () => {
      await venue.clear()
      await projectOnce((await lived()).log, venue.link)
    })

    test('there are eleven questions', () => expect(questions).toHaveLength(11))

    test.each(questions)('answers as the page shows: $title', async ({ cypher, reported }) => {
      const rows = await venue.link.read((ask) => ask(cypher))
      expect(rows.length).toBeGreaterThan(0)
      expect(reported).toEqual(tableOf(rows))
    })
  })

  describe('warrant project neo4j', () => {
    let cwd = ''
    let env: Readonly<Record<string, string>> = {}
    const project = (...args: string[]) => run(['project', 'neo4j', ...args], { cwd, env })

    beforeAll(async () => {
      await venue.clear()
      cwd = await temporaryFolder()
      const { url, user, password } = venue.access
      const file = join(cwd, 'password')
      await writeFile(file, password, { mode: 0o600 })
      env = {
        WARRANT_NEO4J_URL: url,
        WARRANT_NEO4J_USER: user,
        WARRANT_NEO4J_PASSWORD_FILE: file,
      }
      await beginKnowing({ cwd })
    })

    test('names what it needs, and what does not go together', async () => {
      expect(await project('--check', '--once')).toMatchObject({ code: 2 })
      expect(await project('--replace', 'other')).toMatchObject({ code: 2 })
      const none = { ...env, WARRANT_NEO4J_URL: '' }
      const { code, stderr } = await run(['project', 'neo4j', '--once'], { cwd, env: none })
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('NEO4J_URL'),
      })
      const early = await project('--check')
      expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing is proj') })
    })

    test('projects, finds what a hand did, and fixes it', async () => {
      const { position } = JSON.parse((await project('--once', '--json')).stdout)
      expect(position).toBe(2)
      expect(await project('--check')).toMatchObject({ code: 0 })
      await venue.link.write((ask) => ask('MATCH (l:Level) SET l.properties = \'{"a":1}\''))
      const differing = await project('--check')
      expect(differing.code).toBe(5)
      expect(differing.stdout).toMatch(/^1 difference from the log at position 2/)
      expect(differing.stdout).toContain('/levels/0/properties')
      const report = JSON.parse((await project('--check', '--json')).stdout)
      expect(report.first[0]).toMatchObject({ what: 'differs' })
      const rebuilt = await project('--rebuild', '--once')
      expect(rebuilt.stdout).toContain('up to position 2')
      expect(await project('--check')).toMatchObject({ code: 0 })
    })

    test('shows the position of Neo4j when nothing can be compared, and ends with 5', async () => {
      const hand = (cypher: string) => venue.link.write((ask) => ask(cypher))
      await hand("MATCH (p:Projection) SET p.rebuild = 'x' REMOVE p.position")
      const half = await project('--check')
      expect(half).toMatchObject({ code: 5 })
      expect(half.stdout).toContain('incomplete, at position 2 of 2')
      await hand("MATCH (p:Projection) SET p.realm = 'other'")
      const other = await project('--check', '--json')
      expect(other.code).toBe(5)
      expect(JSON.parse(other.stdout)).toMatchObject({ standing: 'other_realm', realm: 'other' })
      const refused = await project('--rebuild', '--once')
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('--rebuild --replace other')
      expect(await project('--rebuild', '--once', '--replace', 'other')).toMatchObject({ code: 0 })
      expect(await project('--check')).toMatchObject({ code: 0 })
    })

    test('runs until it is asked to stop, and reports its health', async () => {
      const port = await freePort()
      const child = start(['project', 'neo4j', '--listen', String(port)], { cwd, env })
      const end = ended(child)
      await says(child, 'stderr', 'projecting')
      await run(['ask', 'send_email', '--arg', 'id=1', '--justification', 'she asked'], { cwd })
      const intents = () => venue.link.read((ask) => ask('MATCH (i:Intent) RETURN i.tool AS tool'))
      while ((await intents()).length === 0);
      expect(await intents()).toEqual([{ tool: 'send_email' }])
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      expect(metrics).toContain('warrant_follower_position 5')
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
      child.kill('SIGTERM')
      const { code, stderr } = await end
      expect(code).toBe(0)
      expect(stderr).not.toContain(venue.access.password)
    })

    test('shows how far behind Neo4j is once no projector runs, and ends with 5', async () => {
      await changed('graph', adding('later'), { cwd })
      const behind = await project('--check')
      expect(behind.code).toBe(5)
      expect(behind.stdout).toMatch(/and the log ends at \d+: 1 fact behind/)
      await project('--once')
      expect(await project('--check')).toMatchObject({ code: 0 })
    })
  })
})
