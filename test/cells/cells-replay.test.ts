// `warrant replay` over all cells of a realm on a server, each in a thread, and `warrant doctor`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { nameOf, realmOfCell } from '#record/names'
import { runChild } from '../support/cli-process.ts'
import { canStartNats } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { asked, opened, plain, standing, type Stand } from './stand.ts'

const Finding = z.object({ check: z.string(), about: z.string(), status: z.string() })

describe.skipIf(!canStartNats)('a replay of a realm of two cells', () => {
  let at: Stand
  let cwd = ''
  beforeAll(async () => {
    cwd = await temporaryFolder()
    at = await standing({ setup: plain })
    await asked(at, 0)
    await asked(at, 1)
  })
  afterAll(() => at.dispose())

  const options = {
    get cwd() {
      return cwd
    },
    get env() {
      return { WARRANT_LOG: at.server.url }
    },
  }
  const replay = (...args: readonly string[]) => runChild(['replay', ...args], options)

  test('derives what is in each, and counts all of it together', async () => {
    const { code, stdout, stderr } = await replay('--json')
    expect(stderr).toBe('')
    const { cells, logs } = JSON.parse(stdout)
    expect(cells).toBe(2)
    expect(logs).toMatchObject([
      { cell: null, derived: 0, differences: 0 },
      { cell: 0, differences: 0, first: null },
      { cell: 1, differences: 0, first: null },
    ])
    expect(logs[1].derived).toBeGreaterThan(2)
    expect(logs[2].derived).toBeGreaterThan(2)
    expect(code).toBe(0)
    expect((await replay()).stdout).toMatch(/cell 1[^]*facts derived in 2 cells/)
  })

  test('replays the one that is named, as a log of its own', async () => {
    const { code, stdout } = await replay('--realm', 'main-c1', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ differences: 0, given: 0 })
    expect(code).toBe(0)
    expect((await replay('--head', `1:sha256:${'0'.repeat(64)}`)).code).toBe(2)
  })

  test('is of a realm that `doctor` finds whole, cell by cell', async () => {
    const { stdout } = await runChild(['doctor', '--json'], options)
    const { findings } = JSON.parse(stdout)
    const found = z.array(Finding).parse(findings)
    expect(found.filter(({ status }) => status === 'failure')).toEqual([])
    expect(found).toContainEqual({ check: 'cells', about: '', status: 'ok' })
    for (const log of ['LOG-main-1', 'LOG-main-c0-1', 'LOG-main-c1-1']) {
      expect(found).toContainEqual({ check: 'stream', about: log, status: 'ok' })
    }
    for (const about of ['main-c0', 'main-c1']) {
      expect(found).toContainEqual({ check: 'intents', about, status: 'ok' })
    }
    // Of this machine there is one, however many cells there are.
    expect(found.filter(({ check }) => check === 'keys')).toHaveLength(1)
  })

  test('finds what no stage of a cell derived', async () => {
    const place = { realm: realmOfCell({ of: 'main', index: 1 }), era: 1 }
    const name = nameOf(place, 'verdict', 'ghost.-.u1')
    const event = { basis: '2', data: {}, datacontenttype: 'application/json', id: name }
    const stamp = { source: 'warrant/policy/main-c1/x', specversion: '1.0' }
    const time = { time: '2026-01-01T00:00:00.000Z', type: 'warrant.verdict.v1' }
    const log = await opened(at.server, place.realm)
    await log.append({ name, bytes: Buffer.from(JSON.stringify({ ...event, ...stamp, ...time })) })
    await log.close()
    const { code, stdout } = await replay('--json')
    const { logs } = JSON.parse(stdout)
    expect(logs.map(({ differences }: { differences: number }) => differences)).toEqual([0, 0, 1])
    expect(code).toBe(5)
  })
})
