// A call that two people must approve, as each list shows it: one of two, approved and not used,
// approved and never used, and too late.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { run, type Ran } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const people = ['ann', 'bob', 'cleo']
/** Longer than a command takes on a busy machine. */
const lateMs = 6_000

beforeAll(async () => {
  cwd = await temporaryFolder()
  await warrant('init')
  const principals = []
  for (const id of people) {
    const { stdout } = await warrant('keys', 'new', id, '--json')
    const [line = ''] = stdout.split('\n')
    principals.push({ id, keys: [JSON.parse(line).publicKey] })
  }
  const file = join(cwd, 'warrant/catalog.json')
  const catalog = JSON.parse(await readFile(file, 'utf8'))
  const four = { tier: 'four_eyes', group: 'ops', quorum: 2, sessionless: true }
  const wipe = (id: string) => ({
    id,
    safetyClass: 'WRITE',
    argsSchema: { type: 'object' },
    conditions: [{ name: 'two', when: 'true', effect: 'confirm', confirmation: id }],
  })
  await writeFile(
    file,
    JSON.stringify({
      ...catalog,
      principals: [...catalog.principals, ...principals],
      groups: [{ id: 'ops', members: people }],
      confirmations: [
        { ...four, id: 'wipe' },
        { ...four, id: 'over', useWithinMs: 1_000 },
        { ...four, id: 'late', decideWithinMs: lateMs },
      ],
      capabilities: ['wipe', 'over', 'late'].map(wipe),
    }),
  )
  expect(await warrant('seed', 'warrant')).toMatchObject({ code: 0 })
})

async function asked(tool: string): Promise<string> {
  const because = ['--justification', 'it is in the way of others', '--wait', '0.05', '--json']
  const { stdout, code } = await warrant('ask', tool, ...because)
  expect(code).toBe(4)
  return String(JSON.parse(stdout).intent)
}

const as = (id: string) => ['--as', id, '--key', id]

test('one of two, then approved and not used', async () => {
  const intent = await asked('wipe')
  const first = await warrant('approve', intent, ...as('ann'))
  expect(first.code).toBe(0)
  expect(first.stdout).toContain('(1 of 2 approved: `ann`)')
  expect((await warrant('log', '--open')).stdout).toContain('(1 of 2 approved: `ann`)')
  const open = JSON.parse((await warrant('log', '--open', '--json')).stdout)
  expect(open.rows[0].waits).toMatchObject({
    needed: 2,
    quorum: 1,
    agreed: ['ann'],
    people: ['bob', 'cleo'],
  })
  expect((await warrant('reviews')).stdout).toContain('1 of 2 approved: `ann`')
  const json = JSON.parse((await warrant('reviews', '--json')).stdout)
  expect(json.rows[0].waits).toMatchObject({ needed: 2, agreed: ['ann'] })
  const [head, row] = (await warrant('reviews', '--csv')).stdout.split('\r\n')
  expect(head).toMatch(/^intent,opened,until,agent,tool,.*,needed,approved,answered$/)
  expect(row).toMatch(/,my-agent,wipe,WRITE,\{\},it is in the way of others,.*,bob cleo,2,1,ann$/)
  expect(await warrant('approve', intent, ...as('bob'))).toMatchObject({ code: 0 })
  const approved = (await warrant('log', '--open')).stdout
  expect(approved).toMatch(/ its use, good until .*; approved by `ann` and `bob` /)
  // Who asks by that name gets all facts of the intent, or the one that decides.
  const ofBob = (await warrant('log', '--where', '"bob" in approvedBy', '--json')).stdout
  const names = ofBob
    .trimEnd()
    .split('\n')
    .map((line) => String(JSON.parse(line).name))
  expect(names.map((name) => name.split('.')[2])).toEqual(
    expect.arrayContaining(['vlp', 'review', 'decision', 'verdict']),
  )
  const decided = await warrant('log', '--decisions', '--where', '"bob" in approvedBy')
  expect(decided.stdout).toMatch(/ allow {2}my-agent {2}wipe {2}approved by `ann` and `bob` /)
  expect(decided.stdout.trimEnd().split('\n')).toHaveLength(1)
})

test('approved and never used', async () => {
  const intent = await asked('over')
  for (const id of ['ann', 'bob']) {
    expect(await warrant('approve', intent, ...as(id))).toMatchObject({ code: 0 })
  }
  await expect
    .poll(async () => (await warrant('log', '--open')).stdout)
    .toMatch(/nothing: approved by `ann` and `bob`, never used, ended .* ago/)
  expect((await warrant('reviews')).stdout).toContain('never used, ended')
  const { rows } = JSON.parse((await warrant('log', '--open', '--json')).stdout)
  expect(rows).toContainEqual(
    expect.objectContaining({
      intent,
      state: 'approved',
      approved: { by: ['ann', 'bob'], until: expect.any(String) },
    }),
  )
})

test('an answer that comes too late learns how late', async () => {
  const intent = await asked('late')
  await sleep(lateMs + 100)
  const late = await warrant('approve', intent, ...as('ann'))
  expect(late).toMatchObject({ code: 1 })
  expect(late.stderr).toMatch(/too late: it expired .* ago/)
  await warrant('ask', 'nowhere')
  const decided = await warrant('approve', intent, ...as('ann'))
  expect(decided.code).toBe(1)
  expect(decided.stderr).toMatch(/too late: it expired .* ago and was denied: .* at position \d+/)
})
