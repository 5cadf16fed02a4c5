// Looking at the graph and the catalog by the command line: as they are, as they were, what
// changed in them, what is wrong with them, and as pictures.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run } from '../../support/cli-runner.ts'
import { readDot, readMermaid } from '../../present/picture-reading.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
let address = ''
const known = { level: 1, properties: { what: 'known' } }
const plain = (name: string, ...relata: readonly unknown[]) => ({
  name,
  depths: [{ level: 0 }, { ...known, relata }],
})
const rule = { name: 'ask first' }
const applies = { type: 'APPLIES_TO', target: 'email', targetDepth: 1, policies: [rule] }
const lines = (text: string) => text.split('\n').filter((line) => line !== '')

async function show(...args: readonly string[]) {
  const { code, stdout, stderr } = await run(['graph', ...args], { cwd })
  expect(stderr).toBe('')
  return { code, stdout, lines: lines(stdout) }
}

async function refused(...args: readonly string[]): Promise<readonly [number | null, string]> {
  const { code, stdout, stderr } = await run(args, { cwd })
  return [code, stdout + stderr]
}

async function seed(primitives: readonly unknown[]): Promise<void> {
  await mkdir(join(cwd, 'more'), { recursive: true })
  await writeFile(join(cwd, 'more/graph.json'), JSON.stringify({ primitives }))
  expect(await run(['seed', 'more'], { cwd })).toMatchObject({ code: 0, stderr: '' })
}

// Positions: 1 catalog, 2 graph r1, 3 to 5 an intent, 6 graph r2, 7 catalog r2, 8 graph r3.
beforeAll(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  const asking = ['ask', 'send_email', '--justification', 'Ann asked for her invoice', '--json']
  address = JSON.parse((await run(asking, { cwd })).stdout).intent
  await seed([plain('send', applies)])
  await run(['suspend', 'my-agent'], { cwd })
  await seed([{ name: 'moon', depths: [{ level: 0 }, { level: 2, properties: { what: 'far' } }] }])
})

describe('what cannot be looked at is refused', () => {
  test.each([
    [['--at', 'yesterday'], 2, 'Expected a position'],
    [['--at', '2026-05-01T12:00'], 2, 'Expected a position'],
    [['--at', '9'], 1, 'beyond the end of the log, which is 8'],
    [['--at', 'r4'], 1, 'the graph has no revision 4'],
    [['--at', '2001-01-01'], 1, 'this log had not begun'],
    [['nothing'], 1, 'the graph has no `nothing`'],
    [['sned'], 1, 'the graph has no `sned`; did you mean `send`?'],
    [['--around', 'emial'], 1, 'did you mean `email`?'],
    [['--around', 'nothing'], 1, 'the graph has no `nothing`'],
    [['send', '--at', 'r1'], 1, 'the graph has no `send`'],
    [['--mermaid', '--dot'], 2, 'not both'],
    [['--dot', '--json'], 2, 'leave out --json'],
    [['--hops', '2'], 2, '--hops goes with --around'],
    [['send', '--around', 'email'], 2, '--around takes the only name'],
    [['--intent', 'unknown'], 1, 'no intent `unknown`'],
    [['--intent', 'unknown', '--at', '3'], 2, '--intent shows what its grounding looked at then'],
  ])('%j', async (args, code, why) => {
    const [ended, said] = await refused('graph', 'show', ...args)
    expect(said).toContain(why)
    expect(ended).toBe(code)
  })

  test('in a log that holds nothing of it', async () => {
    const empty = await temporaryFolder()
    const none = await run(['graph', 'show'], { cwd: empty })
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('warrant init')])
  })
})

describe('the graph is shown', () => {
  test('as it is, and as it was at a position, a revision and a time', async () => {
    expect((await show('show')).lines[0]).toBe('revision 3, 3 primitives')
    const first = await show('show', '--at', 'r1')
    expect(first.lines[0]).toMatch(/^revision 1 at position 2, \S+ \S+ UTC, 1 primitive$/)
    expect((await show('show', '--at', '5')).lines.slice(1)).toEqual(first.lines.slice(1))
    expect((await show('show', '--at', '7')).lines[0]).toMatch(/^revision 2 at position 7, .* 2 /)
    const log = await sqliteLog(join(cwd, '.warrant/log.db'))
    const second = await log.get('main.1.graph.2')
    await log.close()
    const at = new Date(second?.appendedAt ?? 0).toISOString()
    expect((await show('show', '--at', at)).lines[0]).toContain('revision 2 at position')
    const soon = new Date(Date.now() + 60_000).toISOString()
    expect((await show('show', '--at', soon)).lines[0]).toContain('revision 3 at position 8')
  })

  test('as the file that would make it then', async () => {
    const { stdout } = await show('show', '--at', 'r2', '--json')
    const { primitives } = JSON.parse(stdout)
    expect(primitives.map(({ name }: { name: string }) => name)).toEqual(['email', 'send'])
    expect(primitives[1].depths[1].relata[0].policies[0].name).toBe('ask first')
  })

  test('around one, as far as was asked', async () => {
    const names = async (...args: readonly string[]) =>
      (await show('show', '--around', ...args)).lines.filter((line) => /^\w+$/.test(line))
    expect(await names('SEND')).toEqual(['send', 'email'])
    expect(await names('send', '--hops', '0')).toEqual(['send'])
    expect(await names('moon', '--hops', '9')).toEqual(['moon'])
  })

  test('with who wrote what, once for all of one author', async () => {
    const said = (text: string) => lines(text).filter((line) => /authored by you, /.test(line))
    expect(said((await show('show')).stdout)).toEqual([])
    const { stdout } = await show('show', 'send', '--provenance')
    expect(said(stdout)).toEqual([expect.stringMatching(/^ {2}authored by you, 20/)])
    const file = JSON.parse((await show('show', 'send', '--provenance', '--json')).stdout)
    expect(file.primitives[0]).toHaveProperty('provenance')
    expect(file.primitives[0].depths[1].relata[0]).toHaveProperty('provenance')
  })
})

describe('a picture', () => {
  test('of the whole and of a part is drawn for both', async () => {
    const mermaid = readMermaid((await show('show', '--mermaid')).stdout)
    const dot = await readDot((await show('show', '--dot')).stdout)
    for (const { boxes, arrows } of [mermaid, dot]) {
      expect([...boxes.values()]).toHaveLength(3)
      expect(arrows.map(({ lines: said }) => said)).toEqual([
        ['APPLIES_TO D1 → D1', 'policy ask first'],
      ])
    }
    const part = readMermaid((await show('show', '--around', 'email', '--mermaid')).stdout)
    expect([...part.boxes.values()].map(([name]) => name)).toEqual(['email', 'send'])
    const then = readMermaid((await show('show', '--at', 'r1', '--mermaid')).stdout)
    expect([...then.boxes.values()]).toEqual([['email', 'D1']])
  })

  test('of a grounding shows what was known when it was derived', async () => {
    const end = address.slice(-10)
    for (const meant of [address, end]) {
      const { boxes } = readMermaid((await show('show', '--intent', meant, '--mermaid')).stdout)
      expect([boxes.get('n0'), boxes.get('n1')]).toEqual([
        ['email', 'D1'],
        ['send', 'not known'],
      ])
      expect(boxes.get('k2')).toEqual(['missing: not known'])
    }
    const text = await show('show', '--intent', end)
    expect(text.stdout).toContain('send\n  └ ✗ is not in the graph: add it')
    const json = JSON.parse((await show('show', '--intent', end, '--json')).stdout)
    expect(json).toMatchObject({ graphRevision: 1, ground: { grounded: false } })
  })
})

describe('what changed', () => {
  test('is reported by primitive, with a mark before each line', async () => {
    const { lines: reported, code } = await show('diff', 'r1', 'r2')
    expect(code).toBe(0)
    expect(reported.slice(0, 2)).toEqual([
      expect.stringMatching(/^from revision 1 at position 2, /),
      expect.stringMatching(/^to revision 2 at position 6, /),
    ])
    expect(reported.slice(2)).toEqual([
      '1 primitive: 1 added',
      '+ send',
      '    + D0 EXISTENCE',
      '    + D1 IDENTITY',
      '        + what: known',
      '        + APPLIES_TO → email (D1)',
      expect.stringMatching(/^ {12}\+ rule ask first \(asks a person\)/),
    ])
    expect((await show('diff', 'r2', 'r1')).lines.slice(2, 4)).toEqual([
      '1 primitive: 1 removed',
      '- send',
    ])
    expect((await show('diff', '5', 'r1')).lines.at(-1)).toBe('no changes')
    expect((await show('diff', 'r1')).lines[2]).toBe('2 primitives: 2 added')
  })

  test('is for programs what turns the one into the other', async () => {
    const diff = JSON.parse((await show('diff', 'r3', 'r2', '--json')).stdout)
    expect(diff).toMatchObject({
      from: { revision: 3, position: 8 },
      to: { revision: 2, position: 6 },
      operations: [{ op: 'remove', name: 'moon' }],
    })
  })

  test('of the catalog is reported by entry and field, and no key is shown in full', async () => {
    const diff = async (...args: readonly string[]) =>
      (await run(['catalog', 'diff', ...args], { cwd })).stdout
    expect(lines(await diff('r1')).slice(2)).toEqual([
      '1 change',
      '~ principal my-agent',
      '    ~ suspended: false → true',
    ])
    expect(await diff('0', 'r1')).not.toContain('ed25519:')
    expect(JSON.parse(await diff('r2', 'r1', '--json'))).toMatchObject({
      from: { revision: 2, position: 7 },
      operations: [{ op: 'unsuspend', id: 'my-agent' }, { op: 'put' }],
    })
    expect(lines(await diff('r1', '6')).at(-1)).toBe('no changes')
  })
})

test('the catalog is shown as it was', async () => {
  const at = async (...args: readonly string[]) =>
    (await run(['catalog', 'show', ...args], { cwd })).stdout
  expect(await at()).toContain('SUSPENDED')
  const before = await at('--at', 'r1')
  expect(before).toMatch(/^revision 1 at position 1, /)
  expect(before).not.toContain('SUSPENDED')
  expect(JSON.parse(await at('--at', '6', '--json')).principals).toHaveLength(2)
})

test('a check ends with 5 where something is found, and with 0 where nothing is', async () => {
  const { code, lines: reported } = await show('check')
  expect(code).toBe(5)
  expect(reported).toEqual([
    '2 flaws',
    'level_dormant: level 2 of `moon` does not count, since level 1 does not',
    '  describe level 1',
    expect.stringMatching(/^part_unreached: `moon` is connected to nothing else/),
    expect.stringContaining('relate it to what is asked about'),
  ])
  const { flaws } = JSON.parse((await show('check', '--json')).stdout)
  expect(flaws[0]).toMatchObject({ code: 'level_dormant', where: { primitive: 'moon', level: 2 } })
  const before = await show('check', '--at', 'r2')
  expect([before.code, before.lines]).toEqual([0, ['nothing is wrong with the graph']])
})

test('a diff for programs has the operations to go back', async () => {
  for (const what of ['graph', 'catalog']) {
    const { stdout } = await run([what, 'diff', 'r2', 'r1', '--json'], { cwd })
    await writeFile(join(cwd, 'back.json'), stdout)
    const applied = await run([what, 'apply', 'back.json'], { cwd })
    expect([applied.code, applied.stderr]).toEqual([0, ''])
  }
  expect((await show('diff', 'r1')).lines.slice(2)).toEqual([
    '1 primitive: 1 added',
    '+ moon',
    expect.any(String),
    expect.any(String),
    expect.any(String),
  ])
  const { stdout } = await run(['catalog', 'diff', 'r1'], { cwd })
  expect(lines(stdout).at(-1)).toBe('no changes')
})
