// `warrant project neo4j` on a realm of two cells on a server: what it prints, and what a check
// finds.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Neo4jLink } from '#neo4j/driver/link'
import { ended, says } from '../support/cli-process.ts'
import { canStartNats, freePort } from '../support/servers/nats-server.ts'
import { hasNeo4j, shareNeo4j, type SharedNeo4j } from '../support/servers/neo4j-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { commands, json, type Commands } from './commands.ts'

describe.skipIf(!canStartNats || !hasNeo4j)('the projection of a realm of two cells', () => {
  let on: Commands
  let neo4j: SharedNeo4j
  let link: Neo4jLink

  beforeAll(async () => {
    neo4j = await shareNeo4j()
    link = await Neo4jLink.open(neo4j.access)
    const { url, user, password } = neo4j.access
    const file = join(await temporaryFolder(), 'password')
    await writeFile(file, password, { mode: 0o600 })
    const env = {
      WARRANT_NEO4J_URL: url,
      WARRANT_NEO4J_USER: user,
      WARRANT_NEO4J_PASSWORD_FILE: file,
    }
    on = await commands({ env })
  })
  afterAll(async () => {
    await on.at.dispose()
    await link.close()
    await neo4j.dispose()
  })

  const project = (...args: string[]) => on.called('project', 'neo4j', ...args)

  test('is of all, and a check of all finds what a hand did in one', async () => {
    for (const cell of [0, 1, 1]) await on.asked(cell, 'look')
    const heads = await Promise.all([0, 1].map(async (cell) => on.logIn(cell).head()))
    const control = await on.at.control.log.head()
    const cells = heads.map(({ position }, cell) => ({ cell, position }))
    const once = await project('--once', '--json')
    expect(once).toMatchObject({ code: 0, stderr: '' })
    expect(json(once.stdout)[0]).toMatchObject({ realm: 'main', position: control.position, cells })
    const { code, stdout } = await project('--check', '--json')
    expect([code, json(stdout)[0]]).toEqual([
      0,
      expect.objectContaining({ standing: 'same', intents: 3, differences: 0 }),
    ])
    expect(json(stdout)[0].cells).toEqual([
      { ...cells[0], head: cells[0]?.position, from: 0, intents: 1 },
      { ...cells[1], head: cells[1]?.position, from: 0, intents: 2 },
    ])
    await on.asked(0, 'look')
    const late = await project('--check')
    expect(late).toMatchObject({ code: 5, stdout: expect.stringContaining('a log goes on') })
    await project('--once')
    await link.auto("MATCH (i:Intent {cell: 1}) SET i.outcome = 'deny'")
    const found = await project('--check')
    expect(found.code).toBe(5)
    expect(found.stdout).toMatch(/2 differences .*cell 1: intent /s)
    const again = await project('--rebuild', '--once')
    expect(again.stdout).toMatch(/the realm main .*\n +cell 0 up to .*\n +cell 1 up to /)
    expect((await project('--check')).stdout).toMatch(/cell 0: 2 intents .*cell 1: 2 intents /s)
  })

  test('goes on while agents ask, and serves how far each cell is', async () => {
    const port = await freePort()
    const child = on.started('project', 'neo4j', '--listen', String(port))
    const ran = ended(child)
    await says(child, 'stderr', 'main-c1')
    await on.asked(1, 'look')
    const rows = () => link.auto('MATCH (i:Intent {cell: 1}) RETURN count(i) AS intents')
    while (Number((await rows())[0]?.['intents']) < 3);
    const ready = await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()
    expect(ready).toMatchObject({ ready: true, cells: [{ lag: 0 }, { lag: 0 }, { lag: 0 }] })
    child.kill('SIGINT')
    expect(await ran).toMatchObject({ code: 0 })
    expect((await project('--check')).code).toBe(0)
  })

  test('a cell that is named is projected alone, to a database of its own', async () => {
    const refused = await project('--realm', 'main-c1', '--once', '--json')
    expect(json(refused.stdout)[0].error.code).toBe('projection_of_other_realm')
    const replacing = ['--rebuild', '--replace', 'main', '--realm', 'main-c1', '--once', '--json']
    const { stdout } = await project(...replacing)
    expect(json(stdout)[0]).toEqual(expect.not.objectContaining({ cells: expect.anything() }))
    const rows = await link.auto('MATCH (i:Intent) RETURN count(i) AS intents, max(i.cell) AS cell')
    expect(rows).toEqual([{ intents: 3, cell: null }])
    expect((await project('--check', '--realm', 'main-c1')).code).toBe(0)
    const back = await project('--check', '--json')
    expect(json(back.stdout)[0]).toMatchObject({ standing: 'other_realm', realm: 'main-c1' })
  })
})
