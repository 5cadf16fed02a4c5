// Finding facts in a log and counting them: by exact names, of which a wrong one is never taken for
// nothing that was found.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { csvLine } from '#cli/terminal/csv'
import { counting, newCounted, spreadOf } from '#operations/counting/tallies'
import { factLines } from '#cli/agents/log/run'
import { timeMeant } from '#operations/finding/moment'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run, type Ran } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const primitives = [
  { name: 'email', depths: [{ level: 0 }] },
  {
    name: 'send',
    depths: [{ level: 0, relata: [{ type: 'APPLIES_TO', target: 'email', targetDepth: 0 }] }],
  },
]
const because = ['--justification', 'Ann asked for her invoice']

let cwd = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  const of = (args: readonly string[]): Promise<Ran> => run(args, { cwd })
  await beginKnowing({ cwd })
  expect(await of(['ask', 'send_email', ...because])).toMatchObject({ code: 3 })
  await writeFile(join(cwd, 'warrant/graph.json'), JSON.stringify({ primitives }))
  await of(['seed', 'warrant'])
  expect(await of(['ask', 'send_email', ...because])).toMatchObject({ code: 0 })
  expect(await of(['ask', 'sing'])).toMatchObject({ code: 3 })
})

const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })

async function found(...args: readonly string[]): Promise<readonly string[]> {
  const { stdout, code } = await warrant('log', ...args, '--json')
  expect(code).toBe(0)
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => String(JSON.parse(line).name).replace(/^main\.1\.([a-z]+)\..*/, '$1'))
}

describe('facts are found', () => {
  test('by what was decided and why', async () => {
    expect(await found('--outcome', 'deny')).toEqual(['verdict', 'verdict'])
    expect(await found('--outcome', 'allow', '--outcome', 'deny')).toHaveLength(3)
    expect(await found('--reason', 'ungrounded')).toEqual(['verdict'])
    expect(await found('--reason', 'ungrounded', '--outcome', 'allow')).toEqual([])
  })

  test('as events of a standard, one a line, and in one form at a time', async () => {
    const { stdout, code } = await warrant('log', '--format', 'ocsf')
    expect(code).toBe(0)
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ class_uid: of, action, api }) => [of, action, api.operation])).toEqual([
      [6003, 'Denied', 'send_email'],
      [6003, 'Allowed', 'send_email'],
      [6003, 'Denied', 'sing'],
    ])
    expect(await warrant('log', '--format', 'ocsf', '--csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--format is a form of its own: leave out --csv and --json'),
    })
  })

  test('by the tool that they are about, though they do not name it', async () => {
    expect(await found('--tool', 'sing')).toEqual(['vlp', 'grounding', 'verdict'])
    expect(await found('--tool', 'send_email', '--outcome', 'deny')).toEqual(['verdict'])
    expect(
      await found('--tool', 'send_email', '--tool', 'sing', '--name', 'verdict.>'),
    ).toHaveLength(3)
  })

  test('by the agent, and the names in full or in short', async () => {
    const all = await found('--agent', 'my-agent')
    expect(new Set(all)).toEqual(new Set(['vlp', 'grounding', 'rate', 'verdict']))
    expect(await found('--agent', 'you')).toEqual([])
  })

  test('by when they were appended', async () => {
    expect(await found('--since', '1h', '--outcome', 'deny')).toHaveLength(2)
    expect(await found('--until', '1h')).toEqual([])
    expect(await found('--since', '2020-01-01', '--until', '2020-01-02T00:00Z')).toEqual([])
  })

  test('by places that are times, and in forms of either spelling', async () => {
    const same = async (one: readonly string[], other: readonly string[]) => {
      const { code, stdout } = await warrant('log', ...one)
      expect([code, stdout]).toEqual([0, (await warrant('log', ...other)).stdout])
      expect(stdout).not.toBe('')
    }
    await same(['--from', '7d', '--outcome', 'deny'], ['--since', '7d', '--outcome', 'deny'])
    await same(['--to', '2100-01-01'], ['--until', '2100-01-01'])
    expect(await found('--to', '1h')).toEqual([])
    await same(['--format', 'csv', '--decisions'], ['--csv', '--decisions'])
    await same(['--format', 'json'], ['--json'])
    const both = await warrant('log', '--from', '7d', '--since', '1h')
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--from is a time here')])
  })

  test('by an expression over what an entry shows', async () => {
    expect(await found('--where', 'kind == "verdict" && "ungrounded" in reasons')).toEqual([
      'verdict',
    ])
    expect(await found('--where', 'tool == "sing"', '--outcome', 'deny')).toEqual(['verdict'])
    const some = await warrant('log', '--where', 'data.payload.intent.tool == "sing"', '--json')
    expect(some.stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(some.stderr).toMatch(
      /^--where cannot be worked out for \d+ facts, the first at position 1/,
    )
  })

  test('and where there are none, a line beside the answer reports it', async () => {
    const none = await warrant('log', '--until', '2020-01-01')
    expect(none).toEqual({ code: 0, stdout: '', stderr: 'no fact of the log matches\n' })
  })
})

describe('a name that nothing has is refused', () => {
  test.each([
    [['log', '--agent', 'my-agnet'], 'did you mean `my-agent`?'],
    [['log', '--tool', 'send_mail'], 'did you mean `send_email`?'],
    [['stats', '--tool', 'snail'], 'the catalog has `send_email`'],
    [['log', '--name', 'verdct.>'], 'did you mean `verdict`?'],
    [['log', '--name', 'denials'], 'there are vlp, '],
    [['log', '--name', 'verdict.*'], '`verdict.<agent>.<session>.<id>`: use `verdict.>`'],
    [['log', '--reason', 'ungronded'], 'Did you mean `ungrounded`?'],
    [['log', '--outcome', 'denied'], 'It is one of allow, deny, succeeded'],
    [['log', '--where', 'kidn == "x"'], 'did you mean `kind`? (at character 1)'],
    [['log', '--since', 'yesterday'], '`since` takes a time such as'],
  ])('%j', async (args, says) => {
    const { code, stdout, stderr } = await warrant(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(says)
  })
})

test('a verdict is shown with its tool, and its bytes stay as they are', async () => {
  const lines = (await warrant('log', '--outcome', 'deny')).stdout.split('\n')
  expect(lines[0]).toMatch(/ {2}`send_email`: deny: ungrounded$/)
  const { stdout } = await warrant('log', '--reason', 'unknown_capability', '--json')
  const { tool, fact } = JSON.parse(stdout)
  expect(tool).toBe('sing')
  expect(fact.data.terms).toBeNull()
  expect(Object.keys(fact.data)).not.toContain('tool')
})

test('decisions are a line each: who asked for what, with what, and why not', async () => {
  const { stdout } = await warrant('log', '--decisions')
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(
    / {2}deny {3}my-agent {2}send_email {2}ungrounded {2}“Ann asked for her invoice”$/,
  )
  expect(lines[1]).toMatch(/ {2}allow {2}my-agent {2}send_email {2}“Ann asked/)
  const of = await warrant('log', '--decisions', '--where', 'reason.contains("Ann")', '--json')
  const rows = of.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ decision }) => decision.outcome)).toEqual(['deny', 'allow'])
  expect(rows[0].decision).toMatchObject({ agent: 'my-agent', args: {}, approvedBy: [] })
  const csv = (await warrant('log', '--decisions', '--csv', '--tool', 'sing')).stdout
  expect(csv.split('\r\n')[0]).toBe(
    'position,time,intent,agent,tool,args,outcome,reasons,approvedBy,reason,void',
  )
  expect(csv.split('\r\n')[1]).toMatch(/,my-agent,sing,\{\},deny,unknown_capability,,,$/)
})

test('rows for a spreadsheet have a head, and a cell for what was decided', async () => {
  const { stdout } = await warrant('log', '--outcome', 'deny', '--csv')
  const [head, first, second, end] = stdout.split('\r\n')
  expect(head).toBe('position,time,name,kind,agent,tool,outcome,reasons,text')
  expect(first).toMatch(/,verdict,my-agent,send_email,deny,ungrounded,deny: ungrounded$/)
  expect(second).toContain(',sing,deny,')
  expect(end).toBe('')
})

test('on a narrow terminal what a fact says has a line of its own', () => {
  const fact = { position: 7, appendedAt: 0, name: 'main.1.other.x', bytes: Buffer.from('{}') }
  const of = { realm: 'main', asked: 'main', tool: null }
  expect(factLines(fact, of, null)).toHaveLength(1)
  expect(factLines(fact, of, 60)).toEqual([
    '      7  1970-01-01 00:00:00.000  other.x',
    '         its name is of no kind of this realm',
  ])
})

describe('statistics', () => {
  test('count what became of intents, by tool, agent and reason', async () => {
    const counted = JSON.parse((await warrant('stats', '--json')).stdout)
    const { all, tools, agents, timeToDecide } = counted
    expect(all).toMatchObject({ intents: 3, allowed: 1, confirmed: 0, denied: 2, open: 0 })
    expect(all.reasons).toEqual({ ungrounded: 1, unknown_capability: 1 })
    expect(tools).toMatchObject([
      { tool: 'send_email', allowed: 1, denied: 1 },
      { tool: 'sing', allowed: 0, denied: 1, reasons: { unknown_capability: 1 } },
    ])
    expect(agents).toMatchObject([{ agent: 'my-agent', intents: 3 }])
    expect(timeToDecide).toMatchObject({ withoutPeople: { count: 3 }, withPeople: { count: 0 } })
  })

  test('are a table for people and rows for a spreadsheet', async () => {
    const text = (await warrant('stats', '--tool', 'sing')).stdout
    expect(text).toContain('1 intent: 0 allowed (0 after people agreed), 1 denied, 0 open\n')
    expect(text).toMatch(/sing +0 +0 +1 +0 +unknown_capability 1\n/)
    expect((await warrant('stats', '--until', '2020-01-01')).stdout).toBe('no intent matches\n')
    expect((await warrant('stats', '--csv')).stdout).toBe(
      csvLine([
        'tool',
        'intents',
        'allowed',
        'confirmed',
        'denied',
        'open',
        'observed',
        'reasons',
      ]) +
        csvLine(['send_email', 2, 1, 0, 1, 0, 0, 'ungrounded 1']) +
        csvLine(['sing', 1, 0, 0, 1, 0, 0, 'unknown_capability 1']),
    )
    expect((await warrant('stats', '--csv', '--by', 'reason')).stdout).toBe(
      'reason,denials\r\nungrounded,1\r\nunknown_capability,1\r\n',
    )
  })

  test('know the middle, the 95th of a hundred, and the longest', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(spreadOf(hundred)).toEqual({ count: 100, medianMs: 50, p95Ms: 95, maxMs: 100 })
    expect(spreadOf([7])).toEqual({ count: 1, medianMs: 7, p95Ms: 7, maxMs: 7 })
    expect(spreadOf([])).toEqual({ count: 0, medianMs: null, p95Ms: null, maxMs: null })
  })

  test('count an intent that is open, and no message that asks for nothing or is void', () => {
    const counted = newCounted()
    const count = counting(counted, {})
    const place = { realm: 'main', era: 1 }
    const take = (id: string, why: string | null): void => {
      const address = `a.-.${id}`
      const parts = { place, kind: 'vlp' as const, tokens: ['a', '-', id], address }
      const fact = { position: 1, appendedAt: 0, name: `main.1.vlp.${address}` }
      const bytes = Buffer.from('{"sender":"a","payload":{"intent":{"tool":"t"}}}')
      count.take({ ...fact, bytes }, { parts, void: why })
    }
    take('open', null)
    take('claim', null)
    take('void', 'it is of another era')
    count.end((address) => address === 'a.-.open')
    expect(counted.all).toMatchObject({ intents: 1, open: 1, allowed: 0, denied: 0 })
    expect([...counted.tools.keys()]).toEqual(['t'])
  })
})

test('a time is given as such, or as how long ago', () => {
  const now = 1_000_000_000_000
  expect(timeMeant('90s', now)).toBe(now - 90_000)
  expect(timeMeant('7d', now)).toBe(now - 7 * 86_400_000)
  expect(timeMeant('2026-05-01', now)).toBe(Date.UTC(2026, 4, 1))
  expect(timeMeant('2026-05-01T12:00+02:00', now)).toBe(Date.UTC(2026, 4, 1, 10))
  for (const wrong of ['', '12', 'r3', '5y', '-5m', '2026-05-01T12:00'])
    expect(timeMeant(wrong, now)).toBeNull()
})
