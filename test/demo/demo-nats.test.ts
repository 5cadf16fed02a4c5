// The demo on a real server, every stage in a process of its own: what it decides is what the
// stages decide in one process, with a gateway too, and it ends clearly where there is no server.
import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runChild } from '../support/cli-process.ts'
import { run } from '../support/cli-runner.ts'
import { freePort, hasNats, shareNats, type SharedNats } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { partOfAirline } from './part-of-airline.ts'

const conversations = 12

interface Line {
  readonly name: string
  readonly fact: { readonly data: { readonly outcome: string; readonly reasons: unknown } }
}

/** By session, what was decided on each call, in the order of the calls. */
async function verdictsOf(cwd: string, log: readonly string[]): Promise<Map<string, unknown[]>> {
  const shown = await run([...log, 'log', '--name', 'verdict.>', '--json'], { cwd })
  const lines: Line[] = shown.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  // The last token is a ULID, which grows with every message of an agent.
  const ordered = lines
    .map(({ name, fact }) => ({ address: name.split('.verdict.')[1] ?? '', data: fact.data }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
  const bySession = new Map<string, unknown[]>()
  for (const { address, data } of ordered) {
    const [, session = ''] = address.split('.')
    const { outcome, reasons } = data
    bySession.set(session, [...(bySession.get(session) ?? []), { outcome, reasons }])
  }
  return bySession
}

/** The processes that were started for that realm. */
function processesOf(realm: string): readonly string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'args'])
  const lines = stdout.toString().split('\n')
  return lines.filter((line) => line.includes(realm) && line.includes(' up '))
}

describe.skipIf(!hasNats)('on a nats-server', () => {
  let server: SharedNats
  beforeAll(async () => {
    server = await shareNats()
  })
  afterAll(() => server.dispose())

  test('every verdict is that of the embedded run, and all of it is derived again', async () => {
    const cwd = await temporaryFolder()
    const data = await partOfAirline(cwd, conversations)
    const words = ['demo', '--data', data, '--json', '--gateway', '--log', server.url]
    const apart = await runChild(words, { cwd })
    expect(apart).toMatchObject({ code: 0, stderr: '' })
    const { realm, differences, gateway, ...score } = JSON.parse(apart.stdout)
    expect(differences).toBe(0)
    expect(gateway).toMatchObject({
      verdicts: { different: 0 },
      right: { executedOnce: score.right.total },
      executedTwice: 0,
      startsWithoutOutcome: 0,
    })
    expect(processesOf(realm)).toEqual([])
    const here = await run(['demo', '--data', data, '--json', '--log', join(cwd, 'here')], { cwd })
    expect(JSON.parse(here.stdout)).toEqual(score)
    const decidedApart = await verdictsOf(cwd, ['--log', server.url, '--realm', realm])
    const decidedHere = await verdictsOf(cwd, ['--log', join(cwd, 'here', 'log.db')])
    expect(decidedHere.size).toBeGreaterThan(conversations / 2)
    expect(decidedApart).toEqual(decidedHere)
  })
})

test('without a server it reports it, and leaves nothing behind', async () => {
  const cwd = await temporaryFolder()
  const url = `nats://127.0.0.1:${await freePort()}`
  const ran = await run(['demo', '--log', url], { cwd })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain(`no connection to \`${url}\``)
  await expect(readdir(join(cwd, '.warrant'))).rejects.toThrow('ENOENT')
})
