// Edits of the graph by hand: one command, one change set, one revision; what cannot be is refused
// with what, where and how to fix it, and binds nothing.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { beginKnowing } from '../../../support/samples/known-tool.ts'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

let cwd = ''
const lines = (text: string) => text.split('\n').filter((line) => line !== '')
const json = (text: string) => lines(text).map((line) => JSON.parse(line))
const graph = (...args: string[]) => run(['graph', ...args], { cwd })
const head = async () => json((await run(['log', '--json', '--from', '-1'], { cwd })).stdout)[0]
const shown = async (name: string) =>
  json((await graph('export', '--ndjson')).stdout).find((each) => each.name === name)

/** What it is refused with, having bound nothing. */
async function refused(...args: string[]): Promise<string> {
  const before = await head()
  const { code, stdout, stderr } = await graph(...args)
  expect(code, stdout).not.toBe(0)
  expect(await head()).toEqual(before)
  return stderr
}

beforeEach(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
})

describe('adding', () => {
  test('a name that is taken, an invalid level and one given twice are refused', async () => {
    expect(await refused('add', 'EMAIL')).toContain('is taken by `email`')
    expect(await refused('add', 'sun', '--level', '5')).toContain('4 IMPLICATIONS')
    expect(await refused('add', 'sun', '--level', 'a=b')).toContain('a level before key=value')
    const twice = await refused('add', 'sun', '--level', '1', 'a=1', '--level', 'identity', 'a=2')
    expect(twice).toContain('level 1 is given twice')
  })

  test('makes one revision of all levels, with who and when', async () => {
    const levels = ['--level', '1', 'is=a star', '--level', 'capabilities', 'can=["shine"]', 'n=1']
    const added = await graph('add', 'sun', ...levels, '--note', 'it was missing')
    expect([added.code, added.stderr]).toEqual([0, ''])
    expect(lines(added.stdout)).toEqual([
      'revision 2 of the graph',
      '  add sun',
      '  describe sun D0',
      '  describe sun D1 {"is":"a star"}',
      '  describe sun D2 {"can":["shine"],"n":1}',
      '  signed by you',
    ])
    const { fact } = await head()
    expect(fact.data).toMatchObject({ note: 'it was missing', revision: 2, by: 'you' })
    const provenance = { source: 'authored', by: 'you', at: fact.time }
    const depths = [0, 1, 2].map((level) => ({ level, provenance }))
    expect(await shown('sun')).toMatchObject({ name: 'sun', provenance, depths })
  })
})

describe('describing and erasing', () => {
  test('what is not there is refused, and near names are reported', async () => {
    expect(await refused('describe', 'emial', '1', 'a=1')).toContain('did you mean `email`?')
    expect(await refused('describe', 'zzzzzz', '1', 'a=1')).not.toContain('did you mean')
    expect(await refused('describe', 'email', '1', 'a')).toContain('Expected key=value')
    expect(await refused('erase', 'email', '4')).toContain('has no level 4')
  })

  test('replaces the properties of the level, or keeps those not named', async () => {
    const properties = async () => (await shown('email')).depths[1].properties
    await graph('describe', 'email', '1', 'a=1', 'b=two')
    expect(await properties()).toEqual({ a: 1, b: 'two' })
    await graph('describe', 'email', 'IDENTITY', '--keep', 'b=3', '--json-properties', '{"c":[4]}')
    expect(await properties()).toEqual({ a: 1, b: 3, c: [4] })
    await graph('describe', 'email', '1', 'd=5')
    expect(await properties()).toEqual({ d: 5 })
    expect((await graph('describe', 'email', '4', 'e=1')).code).toBe(0)
    expect((await graph('erase', 'email', 'implications')).code).toBe(0)
    expect(
      (await shown('email')).depths.map(({ level }: { level: number }) => level),
    ).not.toContain(4)
  })
})

describe('relating', () => {
  test('a target, a level, an invalid type and a rule without effect are refused', async () => {
    await graph('add', 'sun')
    expect(await refused('relate', 'sun', '0', 'REQUIRES', 'emails', '1')).toContain('`email`?')
    expect(await refused('relate', 'sun', '3', 'REQUIRES', 'email', '1')).toContain('no level 3')
    expect(await refused('relate', 'sun', '0', 'NEEDS', 'email', '1')).toContain('APPLIES_TO')
    const inert = '{"name":"p","requiresConfirmation":false}'
    const ruled = ['relate', 'sun', '0', 'APPLIES_TO', 'email', '0', '--policy']
    expect(await refused(...ruled, inert)).toContain('asks no one and calls nothing')
    expect(await refused(...ruled, '{"name":""}')).toContain('--policy: name')
    const calling = '{"name":"p","callback":"nobody_knows"}'
    expect(await refused(...ruled, calling)).toContain('calls `nobody_knows`')
    expect(await refused('unrelate', 'sun', '0', 'REQUIRES', 'email')).toContain('has no REQUIRES')
    await graph('relate', 'sun', '0', 'REQUIRES', 'email', '1')
    expect(await refused('relate', 'email', '0', 'REQUIRES', 'sun', '0')).toContain('circle')
  })

  test('a rule with what fails for every call, or a number that no double holds, is refused', async () => {
    await graph('add', 'sun')
    const ruled = ['relate', 'sun', '0', 'APPLIES_TO', 'email', '0', '--policy']
    const failing = [
      "double(args.n) > double('5,000')",
      "timestamp('2026-02-30T00:00:00Z') < now",
      "args.s.matches('(a')",
    ]
    for (const when of failing) {
      expect(await refused(...ruled, JSON.stringify({ name: 'p', when }))).toContain('`p`')
    }
    const inexact = '{"name":"p","metadata":{"since":9007199254740993}}'
    expect(await refused(...ruled, inexact)).toContain('metadata/since: 9007199254740993')
    const sound = JSON.stringify({ name: 'p', when: "double(args.n) > double('5000')" })
    expect((await graph(...ruled, sound)).code).toBe(0)
  })

  test('adds an edge with its metadata and policies, and removes it again', async () => {
    await graph('add', 'sun')
    const said = ['--metadata', 'since=2024', '--metadata', 'by=ann']
    const args = ['relate', 'sun', 'existence', 'applies-to', 'EMAIL', '1', ...said]
    expect((await graph(...args, '--policy', '{"name":"ask"}')).code).toBe(0)
    const edges = async () => (await shown('sun')).depths[0].relata
    expect(await edges()).toMatchObject([
      { type: 'APPLIES_TO', target: 'email', targetDepth: 1, metadata: { since: 2024, by: 'ann' } },
    ])
    expect((await edges())[0].policies).toMatchObject([{ name: 'ask', requiresConfirmation: true }])
    expect((await graph('unrelate', 'sun', '0', 'APPLIES_TO', 'email')).code).toBe(0)
    expect(await edges()).toEqual([])
  })
})

describe('renaming and removing', () => {
  test('what others relate to stays, and they are named, unless their edges go too', async () => {
    await graph('add', 'sun')
    await graph('add', 'moon')
    await graph('relate', 'moon', '0', 'REQUIRES', 'sun', '0')
    await graph('relate', 'moon', '0', 'INCLUDES', 'sun', '0')
    expect(await refused('rename', 'sun', 'MOON')).toContain('taken')
    expect(await refused('remove', 'sun')).toContain('removed: `moon` relates to it')
    expect((await graph('rename', 'sun', 'Sun')).code).toBe(0)
    const removed = await graph('remove', 'sun', '--with-edges', '--json')
    expect(json(removed.stdout)[0].operations).toEqual([
      { op: 'unrelate', name: 'moon', level: 0, type: 'REQUIRES', target: 'sun' },
      { op: 'unrelate', name: 'moon', level: 0, type: 'INCLUDES', target: 'sun' },
      { op: 'remove', name: 'sun' },
    ])
    expect(await shown('Sun')).toBeUndefined()
    expect((await shown('moon')).depths[0].relata).toEqual([])
  })
})

describe('applying', () => {
  const operations = [
    { op: 'add', name: 'sun' },
    { op: 'describe', name: 'sun', level: 0, properties: {} },
  ]

  test('a list that is ill-formed, empty or half wrong is refused whole', async () => {
    const file = async (text: string) => {
      await writeFile(join(cwd, 'operations'), text)
      return refused('apply', 'operations')
    }
    expect(await file('[]')).toContain('has no operation')
    expect(await file('{"op":"add"')).toContain('it is not JSON')
    expect(await file('[{"op":"add","name":"x"},{"op":"add"}]')).toContain('operation 2 at name')
    expect(await file('{"op":"add","name":"x"}\n\n{"op":"ad"}')).toContain('line 3')
    const half = [...operations, { op: 'erase', name: 'suns', level: 0 }]
    const reported = await file(JSON.stringify(half))
    expect(reported).toContain('operation 3 (erase suns D0): `suns` is not in the graph')
    expect(await refused('apply', 'nowhere')).toContain('`nowhere`: there is no such file')
    const large = { op: 'add', name: 'x' }
    const text = { op: 'describe', name: 'x', level: 0, properties: { t: 'x'.repeat(300_000) } }
    expect(await file(JSON.stringify([large, text]))).toContain('divide it')
  })

  test('is one revision, of an array or of lines', async () => {
    await writeFile(join(cwd, 'a.json'), JSON.stringify(operations, null, 2))
    expect((await graph('apply', 'a.json')).stdout).toContain('revision 2 of the graph')
    const moon = operations.map((each) => JSON.stringify({ ...each, name: 'moon' })).join('\n')
    await writeFile(join(cwd, 'b.ndjson'), moon)
    expect((await graph('apply', 'b.ndjson')).stdout).toContain('revision 3 of the graph')
    const reported = await graph('diff', 'r3', 'r1', '--json')
    await writeFile(join(cwd, 'back.json'), reported.stdout)
    expect((await graph('apply', 'back.json')).stdout).toContain('revision 4 of the graph')
    expect(await shown('sun')).toBeUndefined()
  })
})

describe('every edit', () => {
  test('is refused where no one may sign it', async () => {
    await run(['keys', 'new', 'olga'], { cwd })
    expect(await refused('add', 'sun', '--as', 'olga')).toContain('not of a policy admin')
    expect((await run(['graph', 'add', 'sun'], { cwd: await temporaryFolder() })).code).toBe(1)
  })

  test('can be tried, and then shows the change and what stands against it', async () => {
    const before = await head()
    const fine = await graph('add', 'sun', '--dry-run')
    expect(fine).toMatchObject({ code: 0, stderr: '' })
    expect(lines(fine.stdout).slice(0, 2)).toEqual([
      'this would change the graph; nothing was changed',
      '  add sun',
    ])
    const wrong = await graph('erase', 'email', '4', '--dry-run')
    expect(wrong.code).toBe(1)
    expect(wrong.stdout).toContain('  erase email D4\nrefused: `email` has no level 4')
    const reported = await graph('erase', 'email', '4', '--dry-run', '--json')
    expect(json(reported.stdout)).toMatchObject([
      { revision: null, dryRun: true, refused: { code: 'level_unknown' } },
    ])
    expect(await head()).toEqual(before)
  })

  test('built on a revision that is not the last is refused with what came after it', async () => {
    await graph('add', 'sun')
    await graph('describe', 'sun', '1', 'is=hot')
    const reported = await refused('rename', 'sun', 'Sol', '--base', '1')
    expect(reported).toContain('the graph has changed since revision 1')
    expect(reported).toContain('revision 2 by you: add sun, describe sun D0; ')
    expect(reported).toContain(
      'revision 3 by you: describe sun D1; look at it again, then build on 3',
    )
    expect(await refused('rename', 'sun', 'Sol', '--base', '4')).toContain('no revision 4 yet')
    expect(await refused('rename', 'sun', 'Sol', '--base', '2', '--dry-run')).toContain(
      'has changed',
    )
    expect((await graph('rename', 'sun', 'Sol', '--base', '3')).code).toBe(0)
  })

  test('shows programs what it bound', async () => {
    const [reported] = json((await graph('add', 'sun', '--json')).stdout)
    const { fact } = await head()
    expect(reported).toEqual({
      name: 'main.1.graph.2',
      kind: 'graph',
      revision: 2,
      by: 'you',
      operations: fact.data.operations,
      moved: [],
      dryRun: false,
    })
    const [error] = json((await graph('add', 'sun', '--json')).stdout)
    expect(error).toMatchObject({ error: { code: 'name_taken' } })
    const moved = json((await graph('add', 'moon', '--base', '1', '--json')).stdout)
    expect(moved).toMatchObject([{ error: { code: 'graph_moved' } }])
  })
})
