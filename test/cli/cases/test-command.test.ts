// `warrant test`: cases pass and fail by what the stages decide, coverage says which rules no case
// exercises, and a build reads the exit code or JUnit.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ended, says, start } from '../../support/cli-process.ts'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const example = join(import.meta.dirname, '../../../examples/policy-in-ci')
let cwd = ''

beforeEach(async () => {
  cwd = await temporaryFolder()
  await cp(example, join(cwd, 'warrant'), { recursive: true })
})

const tested = (...args: string[]) => run(['test', ...args], { cwd })

async function withCases(text: string, name = 'mine.yaml'): Promise<void> {
  await writeFile(join(cwd, 'warrant/tests', name), text)
}

const more = 'cardinality: single, justification: it is in the way'
const request = `{ tool: files.delete, args: { paths: [a] }, ${more} }`
const lines = (...all: string[]) => `${all.join('\n')}\n`

const rows = (max: number) => `{ outcome: allow, constraints: { max_rows: ${max} } }`

async function json(...args: string[]) {
  const { code, stdout } = await tested('--json', ...args)
  return { code, ...JSON.parse(stdout) }
}

test('the example passes, covers every rule, and its lines answer what was agreed on', async () => {
  const ran = await tested('--min-coverage', '100')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('7 cases passed')
  expect(ran.stdout).toContain('coverage 100 %')
  const input = await readFile(join(example, 'cases.ndjson'), 'utf8')
  const decided = await run(['decide', '--seed', '.'], { cwd: example, input })
  const expected = await readFile(join(example, 'expected.ndjson'), 'utf8')
  expect(decided).toEqual({ code: 0, stdout: expected, stderr: '' })
})

test('a rule that is changed fails the case that was written for it, and says how', async () => {
  const path = join(cwd, 'warrant/graph.json')
  const graph = await readFile(path, 'utf8')
  await writeFile(path, graph.replace('"triggerCardinality": "multiple", ', ''))
  const ran = await tested()
  expect(ran.code).toBe(5)
  expect(ran.stdout).toContain('✗ one file is deleted  (')
  expect(ran.stdout).toContain('expected allow, and it is ask (really delete many files?')
  expect(ran.stdout).toMatch(/of 7 cases failed/)
})

test('what a case expects is looked at in all its parts', async () => {
  await withCases(
    lines(
      'agent: bot',
      'cases:',
      `  - { name: a, request: ${request}, expect: ${rows(50)} }`,
      `  - { name: b, request: ${request}, expect: ${rows(51)} }`,
      `  - { name: c, request: ${request}, expect: { outcome: allow, reasons: [policy_blocked] } }`,
      `  - { name: d, request: ${request}, expect: { outcome: allow, confirmers: [ann] } }`,
      `  - { name: e, request: ${request}, expect: { outcome: allow, gaps: [moon] } }`,
    ),
  )
  const found = await json('--cases', join(cwd, 'warrant/tests/mine.yaml'))
  expect(found).toMatchObject({ code: 5, passed: 1, failed: 4 })
  const differences = found.cases.flatMap((one: { differences: string[] }) => one.differences)
  expect(differences).toEqual([
    'expected the constraints {"max_rows":51}, and they are {"max_rows":50}',
    'expected the reasons policy_blocked, and they are none',
    'expected the confirmers ann, and they are none',
    'expected the gaps moon, and they are none',
  ])
})

test('a case may give entries, primitives, answers of callbacks and a time of its own', async () => {
  const send = '{ name: burn, depths: [{ level: 0 }, { level: 1, properties: { is: hot } }] }'
  await withCases(
    lines(
      '- name: another capability, with a concept of its own',
      '  agent: bot',
      '  given:',
      '    catalog:',
      '      principals: [{ id: bot, roles: [] }]',
      '      capabilities: [{ id: burn, safetyClass: READ, concepts: [burn] }]',
      `    graph: { primitives: [${send}] }`,
      '  request: { tool: burn }',
      '  expect: allow',
      '- name: what is not known is named',
      '  agent: bot',
      '  request: { tool: files.delete, args: { paths: [a] }, concepts: [moon] }',
      '  expect: { outcome: deny, gaps: [moon, moon] }',
      '- name: an answer in place of the callback',
      '  agent: bot',
      '  given: { callbacks: { isBuilt: { passed: false, message: not now } } }',
      `  request: ${request}`,
      '  expect: { outcome: deny, reasons: [{ params: { message: not now } }] }',
      '- name: only in the morning',
      '  agent: bot',
      '  now: 2026-03-02T08:00:00+01:00',
      '  given:',
      '    catalog:',
      '      conditions:',
      '        - { name: morning, when: now.getHours() < 12, effect: require }',
      `  request: ${request}`,
      '  expect: allow',
    ),
  )
  const found = await json('--cases', join(cwd, 'warrant/tests/mine.yaml'))
  const wrong = found.cases.filter(({ differences }: { differences: string[] }) => differences[0])
  expect(wrong.map(({ name }: { name: string }) => name)).toEqual(['what is not known is named'])
  expect(wrong[0].differences[0]).toMatch(/^expected the gaps moon, moon, and they are moon/)
})

test('NDJSON files have one case per line, and both kinds are found', async () => {
  const one = { name: 'a line', agent: 'bot', request: { tool: 'nothing' }, expect: 'deny' }
  await withCases(`${JSON.stringify(one)}\n\n`, 'lines.ndjson')
  expect(await json()).toMatchObject({ code: 0, passed: 8 })
})

test('what no case exercises is listed, and too little of it fails', async () => {
  const cases = join(cwd, 'warrant/tests/mine.yaml')
  await withCases(`- { name: a, agent: bot, request: ${request}, expect: allow }\n`)
  const ran = await tested('--cases', cases, '--min-coverage', '90')
  expect(ran.code).toBe(5)
  expect(ran.stdout).toContain('no case: policy bulk-delete on delete → file')
  expect(ran.stdout).toContain('no case: condition not-in-etc of files.delete')
  expect(ran.stderr).toContain('coverage is 50 %, and 90 % is demanded')
  expect((await tested('--cases', cases, '--min-coverage', '50')).code).toBe(0)
})

test('JUnit has a suite for each file, and what failed, with nothing that is no XML', async () => {
  await withCases(`- { name: "<a> & \\"b\\"", agent: bot, request: ${request}, expect: deny }\n`)
  expect((await tested('--junit', 'report.xml')).code).toBe(5)
  const xml = await readFile(join(cwd, 'report.xml'), 'utf8')
  expect(xml).toContain('<testsuites tests="8" failures="1" errors="0"')
  expect(xml.match(/<testsuite /g)).toHaveLength(2)
  expect(xml).toContain('name="&lt;a&gt; &amp; &quot;b&quot;"')
  expect(xml).toContain('<failure message="expected deny, and it is allow"')
})

const badLimits = 'given: { catalog: { limits: 7 } }'

test.each([
  ['- { name: a, expect: allow }', 'cases[0] at request'],
  [`- { name: a, agent: bot, request: ${request}, expect: yes }`, 'cases[0] at expect'],
  [`- { name: a, request: ${request}, expect: allow, expects: 1 }`, 'cases[0]'],
  ['- name: a\n  name: b', 'Map keys must be unique'],
  ['- { name: a, request: { args: { n: 9007199254740993 } } }', 'cannot hold: write it as a text'],
  [
    `- { name: a, agent: bot, ${badLimits}, request: ${request}, expect: allow }`,
    'given.catalog at limits',
  ],
])('a case that does not follow the format is named: %s', async (text, where) => {
  await withCases(`${text}\n`)
  const ran = await tested('--json')
  expect(ran.code).toBe(1)
  const { error } = JSON.parse(ran.stdout)
  expect(error.code).toBe('cases_invalid')
  expect(error.message).toContain(where)
})

test('a folder without cases is refused, so that an empty run is no success', async () => {
  await mkdir(join(cwd, 'empty'))
  const ran = await tested('empty')
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toContain('has no test cases')
})

test('it runs again when a file changes, and outlives one that cannot be read', async () => {
  const child = start(['test', '--watch'], { cwd })
  const done = ended(child)
  await says(child, 'stdout', 'watching warrant')
  const failed = says(child, 'stdout', '1 of 8 cases failed')
  await withCases(`- { name: a, agent: bot, request: ${request}, expect: deny }\n`)
  await failed
  const refused = says(child, 'stderr', 'at request')
  await withCases('- { name: a, expect: allow }\n')
  await refused
  child.kill('SIGINT')
  expect((await done).code).toBe(0)
})
