// A tool that the catalog describes is called from the command line: asked, carried out once, shown
// as a frame, and settled by a person where no one knows what became of it.
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../support/cli-runner.ts'
import { seedChanged } from '../../support/seed-changed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''

const program = (script: string, ...more: string[]) => ({
  kind: 'shell',
  command: [process.execPath, '-e', script, '--', ...more],
})
const people = [
  { name: 'Ann', email: 'ann@x.com' },
  { name: 'Ben', email: 'ben@x.com' },
]
const list = `console.log(JSON.stringify(${JSON.stringify(people)}))`
const capabilities = [
  { id: 'people', driver: program(list) },
  { id: 'wait', driver: program('setTimeout(() => {}, 60_000)'), execution: { timeoutMs: 300 } },
].map((one) => ({ safetyClass: 'READ', argsSchema: { type: 'object' }, ...one }))

beforeAll(async () => {
  cwd = await temporaryFolder()
  expect((await run(['init'], { cwd })).code).toBe(0)
  await seedChanged(cwd, (catalog) => {
    catalog.capabilities.push(...capabilities)
  })
})

test('a call is carried out, shown redacted, and more of it by its handle', async () => {
  const called = await run(['call', 'people', '--mode', 'table', '--json'], { cwd })
  expect(called.code).toBe(0)
  const answer = JSON.parse(called.stdout)
  expect(answer.frame.table).toEqual([
    { name: 'Ann', email: '[REDACTED]' },
    { name: 'Ben', email: '[REDACTED]' },
  ])
  const more = await run(['expand', answer.handle.id, '--filter', 'name=Ben', '--json'], { cwd })
  expect(JSON.parse(more.stdout).table).toEqual([{ name: 'Ben', email: '[REDACTED]' }])
  const used = await run(['call', '--intent', answer.intent], { cwd })
  expect([used.code, used.stderr]).toEqual([1, expect.stringContaining('was used already')])
  const text = await run(['call', 'people'], { cwd })
  expect(text.stdout).toContain('DONE   people')
  expect(text.stdout).toContain('Total rows: 2')
})

test('what `ask` allowed is run later, and a dry run leaves it good', async () => {
  const asked = await run(['ask', 'people'], { cwd })
  const id = /run it {2}warrant call --intent (\S+)/.exec(asked.stdout)?.[1] ?? ''
  const dry = await run(['call', '--intent', id, '--dry-run'], { cwd })
  expect(dry.stdout).toContain('nothing was done')
  expect(dry.stdout).toContain('"command"')
  const done = await run(['call', '--intent', id], { cwd })
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('DONE   people')])
})

test('a call of which no one knows is settled by a person, and asked about before that', async () => {
  const called = await run(['call', 'wait'], { cwd })
  expect(called.code).toBe(1)
  expect(called.stderr).toContain('no one knows')
  expect(called.stderr).toContain('it took longer than `execution.timeoutMs`')
  const again = await run(['call', 'wait', '--json'], { cwd })
  expect(again.code).toBe(4)
  const reviews = await run(['reviews'], { cwd })
  expect(reviews.stdout).toContain('may have been done: may it run again?')
  const intent = /\(?(my-agent\.-\.[0-9A-Z]{26})/.exec(called.stderr)?.[1] ?? ''
  const open = await run(['log', '--open'], { cwd })
  expect(open.stdout).toContain('no one knows whether it was done')
  const json = await run(['log', '--open', '--only', 'unknown', '--json'], { cwd })
  expect(JSON.parse(json.stdout).rows).toMatchObject([{ state: 'unknown', intent }])
  const settled = await run(['settle', intent, '--happened', 'no', '--json'], { cwd })
  expect(JSON.parse(settled.stdout)).toMatchObject({ happened: false })
  const twice = await run(['settle', intent, '--happened', 'no'], { cwd })
  expect(twice.stderr).toContain('waits to be settled')
  const replayed = await run(['replay'], { cwd })
  expect(replayed.code).toBe(0)
})

test('a tool that no gateway carries out is refused, and nothing is begun', async () => {
  const args = ['--arg', 'to=ann@example.org', '--justification', 'Ann asked for her invoice']
  const called = await run(['call', 'send_email', ...args], { cwd })
  expect([called.code, called.stderr]).toEqual([1, expect.stringContaining('no gateway carries')])
  const both = await run(['call', 'people', '--intent', 'x'], { cwd })
  expect(both.code).toBe(2)
})
