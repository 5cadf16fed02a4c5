// Operations on the graph from a file: one file, one change set, one revision; what cannot be is
// refused with what, where and how to fix it, and binds nothing.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run, type Ran } from '../../support/cli-runner.ts'
import { adding, changed } from '../../support/edits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
const lines = (text: string) => text.split('\n').filter((line) => line !== '')
const json = (text: string) => lines(text).map((line) => JSON.parse(line))
const graph = (...args: string[]) => run(['graph', ...args], { cwd })
const applied = (operations: readonly object[], ...words: string[]) =>
  changed('graph', operations, { cwd }, ...words)
const head = async () => json((await run(['log', '--json', '--from', '-1'], { cwd })).stdout)[0]
const shown = async (name: string) =>
  json((await graph('export', '--ndjson')).stdout).find((each) => each.name === name)

/** What it is refused with, having bound nothing. */
async function refused(run: () => Promise<Ran>): Promise<string> {
  const before = await head()
  const { code, stdout, stderr } = await run()
  expect(code, stdout).not.toBe(0)
  expect(await head()).toEqual(before)
  return stderr
}

const refusedOf = (operations: readonly object[], ...words: string[]) =>
  refused(() => applied(operations, ...words))
const describing = (name: string, level: number, properties: object = {}) => {
  return { op: 'describe', name, level, properties }
}
const relating = (name: string, level: number, relatum: object) => {
  return { op: 'relate', name, level, relatum }
}
const edge = (type: string, target: string, targetDepth: number, more: object = {}) => {
  return { type, target, targetDepth, ...more }
}

beforeEach(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
})

describe('adding', () => {
  test('a name that is taken and a level that there is not are refused', async () => {
    expect(await refusedOf(adding('EMAIL'))).toContain('is taken by `email`')
    expect(await refusedOf([describing('email', 5)])).toContain('operation 1 at level')
  })

  test('makes one revision of all levels, with who and when', async () => {
    const sun = adding('sun', { 1: { is: 'a star' }, 2: { can: ['shine'], n: 1 } })
    const added = await applied(sun, '--note', 'it was missing')
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
    expect(await refusedOf([describing('emial', 1)])).toContain('did you mean `email`?')
    expect(await refusedOf([describing('zzzzzz', 1)])).not.toContain('did you mean')
    expect(await refusedOf([{ op: 'erase', name: 'email', level: 4 }])).toContain('has no level 4')
  })

  test('replaces the properties of the level, and takes a level away', async () => {
    const properties = async () => (await shown('email')).depths[1].properties
    await applied([describing('email', 1, { a: 1, b: 'two' })])
    expect(await properties()).toEqual({ a: 1, b: 'two' })
    await applied([describing('email', 1, { d: 5 })])
    expect(await properties()).toEqual({ d: 5 })
    expect((await applied([describing('email', 4, { e: 1 })])).code).toBe(0)
    expect((await applied([{ op: 'erase', name: 'email', level: 4 }])).code).toBe(0)
    expect(
      (await shown('email')).depths.map(({ level }: { level: number }) => level),
    ).not.toContain(4)
  })
})

describe('relating', () => {
  const ruled = (policy: object) =>
    relating('sun', 0, edge('APPLIES_TO', 'email', 0, { policies: [policy] }))

  test('a target, a level, an invalid type and a rule without effect are refused', async () => {
    await applied(adding('sun'))
    const to = (...words: Parameters<typeof edge>) =>
      refusedOf([relating('sun', 0, edge(...words))])
    expect(await to('REQUIRES', 'emails', 1)).toContain('`email`?')
    expect(await refusedOf([relating('sun', 3, edge('REQUIRES', 'email', 1))])).toContain(
      'no level 3',
    )
    expect(await to('NEEDS', 'email', 1)).toContain('APPLIES_TO')
    expect(await refusedOf([ruled({ name: 'p', requiresConfirmation: false })])).toContain(
      'asks no one and calls nothing',
    )
    expect(await refusedOf([ruled({ name: '' })])).toContain('policies/0/name')
    expect(await refusedOf([ruled({ name: 'p', callback: 'nobody_knows' })])).toContain(
      'calls `nobody_knows`',
    )
    const gone = { op: 'unrelate', name: 'sun', level: 0, type: 'REQUIRES', target: 'email' }
    expect(await refusedOf([gone])).toContain('has no REQUIRES')
    await applied([relating('sun', 0, edge('REQUIRES', 'email', 1))])
    expect(await refusedOf([relating('email', 0, edge('REQUIRES', 'sun', 0))])).toContain('circle')
  })

  test('a rule with what fails for every call, or a number that no double holds, is refused', async () => {
    await applied(adding('sun'))
    const failing = [
      "double(args.n) > double('5,000')",
      "timestamp('2026-02-30T00:00:00Z') < now",
      "args.s.matches('(a')",
    ]
    for (const when of failing) {
      expect(await refusedOf([ruled({ name: 'p', when })])).toContain('`p`')
    }
    const inexact = JSON.stringify([ruled({ name: 'p', metadata: { since: 0 } })])
    await writeFile(join(cwd, 'inexact'), inexact.replace(':0}', ':9007199254740993}'))
    expect(await refused(() => graph('apply', 'inexact'))).toContain('policies/0/metadata/since')
    expect(
      (await applied([ruled({ name: 'p', when: "double(args.n) > double('5000')" })])).code,
    ).toBe(0)
  })

  test('adds an edge with its metadata and policies, and removes it again', async () => {
    await applied(adding('sun'))
    const more = { metadata: { since: 2024, by: 'ann' }, policies: [{ name: 'ask' }] }
    const related = await applied([relating('sun', 0, edge('APPLIES_TO', 'EMAIL', 1, more))])
    expect(related.code).toBe(0)
    const edges = async () => (await shown('sun')).depths[0].relata
    expect(await edges()).toMatchObject([
      { type: 'APPLIES_TO', target: 'email', targetDepth: 1, metadata: { since: 2024, by: 'ann' } },
    ])
    expect((await edges())[0].policies).toMatchObject([{ name: 'ask', requiresConfirmation: true }])
    const gone = { op: 'unrelate', name: 'sun', level: 0, type: 'APPLIES_TO', target: 'email' }
    expect((await applied([gone])).code).toBe(0)
    expect(await edges()).toEqual([])
  })
})

describe('renaming and removing', () => {
  test('what others relate to stays, and they are named, unless their edges go too', async () => {
    const kinds = ['REQUIRES', 'INCLUDES']
    const related = kinds.map((type) => relating('moon', 0, edge(type, 'sun', 0)))
    await applied([...adding('sun'), ...adding('moon'), ...related])
    const removed = { op: 'remove', name: 'sun' }
    expect(await refusedOf([{ op: 'rename', name: 'sun', to: 'MOON' }])).toContain('taken')
    expect(await refusedOf([removed])).toContain('removed: `moon` relates to it')
    expect((await applied([{ op: 'rename', name: 'sun', to: 'Sun' }])).code).toBe(0)
    const unrelated = kinds.map((type) => {
      return { op: 'unrelate', name: 'moon', level: 0, type, target: 'sun' }
    })
    expect((await applied([...unrelated, removed])).code).toBe(0)
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
      return refused(() => graph('apply', 'operations'))
    }
    expect(await file('[]')).toContain('has no operation')
    expect(await file('{"op":"add"')).toContain('it is not JSON')
    expect(await file('[{"op":"add","name":"x"},{"op":"add"}]')).toContain('operation 2 at name')
    expect(await file('{"op":"add","name":"x"}\n\n{"op":"ad"}')).toContain('line 3')
    const half = [...operations, { op: 'erase', name: 'suns', level: 0 }]
    const reported = await file(JSON.stringify(half))
    expect(reported).toContain('operation 3 (erase suns D0): `suns` is not in the graph')
    expect(await refused(() => graph('apply', 'nowhere'))).toContain(
      '`nowhere`: there is no such file',
    )
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
  const rename = [{ op: 'rename', name: 'sun', to: 'Sol' }]

  test('is refused where no one may sign it', async () => {
    await run(['keys', 'new', 'olga'], { cwd })
    expect(await refusedOf(adding('sun'), '--as', 'olga')).toContain('not of a policy admin')
    const empty = await temporaryFolder()
    expect((await changed('graph', adding('sun'), { cwd: empty })).code).toBe(1)
  })

  test('can be tried, and then shows the change and what stands against it', async () => {
    const before = await head()
    const fine = await applied(adding('sun'), '--dry-run')
    expect(fine).toMatchObject({ code: 0, stderr: '' })
    expect(lines(fine.stdout).slice(0, 2)).toEqual([
      'this would change the graph; nothing was changed',
      '  add sun',
    ])
    const erase = [{ op: 'erase', name: 'email', level: 4 }]
    const wrong = await applied(erase, '--dry-run')
    expect(wrong.code).toBe(1)
    expect(wrong.stdout).toContain('  erase email D4\nrefused: `email` has no level 4')
    const reported = await applied(erase, '--dry-run', '--json')
    expect(json(reported.stdout)).toMatchObject([
      { revision: null, dryRun: true, refused: { code: 'level_unknown' } },
    ])
    expect(await head()).toEqual(before)
  })

  test('built on a revision that is not the last is refused with what came after it', async () => {
    await applied(adding('sun'))
    await applied([describing('sun', 1, { is: 'hot' })])
    const reported = await refusedOf(rename, '--base', '1')
    expect(reported).toContain('the graph has changed since revision 1')
    expect(reported).toContain('revision 2 by you: add sun, describe sun D0; ')
    expect(reported).toContain(
      'revision 3 by you: describe sun D1; look at it again, then build on 3',
    )
    expect(await refusedOf(rename, '--base', '4')).toContain('no revision 4 yet')
    expect(await refusedOf(rename, '--base', '2', '--dry-run')).toContain('has changed')
    expect((await applied(rename, '--base', '3')).code).toBe(0)
  })

  test('shows programs what it bound', async () => {
    const [reported] = json((await applied(adding('sun'), '--json')).stdout)
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
    const [error] = json((await applied(adding('sun'), '--json')).stdout)
    expect(error).toMatchObject({ error: { code: 'name_taken' } })
    const moved = json((await applied(adding('moon'), '--base', '1', '--json')).stdout)
    expect(moved).toMatchObject([{ error: { code: 'graph_moved' } }])
  })
})
