// Before a change is made, the commands say what it would do today: to the last intents, to those
// that are held, and to those that people are being asked about.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { json, learningFolder, met, notice } from '../support/samples/cli-proposals-folder.ts'
import { run } from '../support/cli-runner.ts'
import { adding, changed, put } from '../support/edits.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let begun = ''
let cwd = ''

const callbacks = `export const looks = async () => ({ passed: true })
looks.recorded = true
`
const edge = ['--source', 'delete', '--target', 'file']
const wizard = (...flags: readonly string[]) => run(['policy', 'wizard', ...flags], { cwd })
const asked = (where: string) =>
  run(['ask', 'erase', '--justification', 'it is old by now', '--wait', '0.2'], { cwd: where })

const relating = (policies: readonly object[] = []) => {
  const relatum = { type: 'APPLIES_TO', target: 'file', targetDepth: 1, policies }
  return { op: 'relate', name: 'delete', level: 1, relatum }
}
const unrelating = { op: 'unrelate', name: 'delete', level: 1, type: 'APPLIES_TO', target: 'file' }

/** One intent that was allowed, one that people are asked about, and one that is held. */
beforeAll(async () => {
  begun = await learningFolder()
  await writeFile(join(begun, 'warrant/callbacks.ts'), callbacks)
  expect(await run(['seed', 'warrant'], { cwd: begun })).toMatchObject({ code: 0 })
  expect(await changed('graph', [relating()], { cwd: begun })).toMatchObject({ code: 0 })
  await cp(join(begun, 'warrant/graph.json'), join(begun, 'unrelated.json'))
  expect(await run(['pull', 'warrant', '--yes'], { cwd: begun })).toMatchObject({ code: 0 })
  expect((await asked(begun)).code).toBe(0)
  const ruled = ['policy', 'wizard', ...edge, '--name', 'ask', '--yes', '--last', '0']
  expect(await run(ruled, { cwd: begun })).toMatchObject({ code: 0 })
  expect((await asked(begun)).code).toBe(4)
  await met(begun, notice)
})

beforeEach(async () => {
  cwd = await temporaryFolder()
  // SQLite takes its shared memory away as it closes, and makes it again.
  await cp(begun, cwd, { recursive: true, filter: (path) => !path.endsWith('-shm') })
})

test('the wizard shows what becomes of open reviews, and of held intents', async () => {
  const ran = await wizard(...edge, '--name', 'more', '--message', 'Sure?', '--dry-run')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(/once agreed → asked again \(.*Sure\?.*\) {2}erase {2}\(my-agent, /)
  expect(ran.stdout).toContain('1 held intent would wait as before')
  expect(ran.stdout).toMatch(/ask → ask {6}erase/)
  expect(ran.stdout).toContain('the last intent comes out differently')
  const reported = await wizard(...edge, '--name', 'more', '--dry-run', '--json')
  const [{ preview }] = json(reported.stdout)
  expect(preview).toMatchObject({
    tried: 1,
    unsure: 0,
    reviewsTried: 1,
    flips: [{ tool: 'erase', before: { outcome: 'ask' }, after: { outcome: 'ask' } }],
    held: [{ tool: 'notify', after: { outcome: 'hold' } }],
    reviews: [{ tool: 'erase', before: { outcome: 'allow' }, after: { outcome: 'ask' } }],
  })
})

test('calls whose check looks outside are listed as not known', async () => {
  const flags = ['--name', 'looks', '--callback', 'looks', '--no-confirm', '--dry-run']
  const ran = await wizard(...edge, ...flags)
  expect(ran.stdout).toContain('of 1 intent it cannot tell: a check may answer otherwise (erase)')
  expect(ran.stdout).toContain('nothing is known to come out differently')
  expect(ran.stdout).toMatch(/once agreed → cannot tell {2}erase/)
})

const previewed = (operations: readonly object[], ...words: readonly string[]) =>
  changed('graph', operations, { cwd }, '--dry-run', ...words)
const erasing = (level: number) => [{ op: 'erase', name: 'file', level }]

test('a dry run shows which of the last intents an edit of the graph would change', async () => {
  const ran = await previewed([unrelating])
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('nothing was changed')
  expect(ran.stdout).toMatch(/ask → deny {5}erase {2}\(my-agent, \w+\) {2}ungrounded/)
  expect(ran.stdout).toMatch(/once agreed → deny \(ungrounded\) {2}erase/)
  const [reported] = json((await previewed([unrelating], '--json')).stdout)
  const turned = { tool: 'erase', after: { outcome: 'deny' } }
  expect(reported).toMatchObject({ refused: null, preview: { tried: 1, flips: [turned] } })
  expect((await previewed([unrelating], '--last', '0')).stdout).not.toContain('today')
})

test('a dry run shows which held intents go on, and whether approvals stay valid', async () => {
  const ran = await previewed(adding('notice', { 1: { what: 'a line to everyone' } }))
  expect(ran.stdout).toMatch(/waits → allow {2}notify/)
  expect(ran.stdout).toContain('an approval of the open review would stay valid')
  expect(ran.stdout).toContain('the last intent comes out the same')
})

test.each([
  ['erases a level', erasing(1)],
  ['removes a primitive', [unrelating, { op: 'remove', name: 'file' }]],
  ['relates', [relating([{ name: 'more' }])]],
])('a dry run of what %s previews it', async (_what, operations) => {
  const [reported] = json((await previewed(operations, '--json')).stdout)
  expect(reported.preview.flips).toMatchObject([{ tool: 'erase', before: { outcome: 'ask' } }])
})

test('a dry run that is refused previews nothing', async () => {
  const [reported] = json((await previewed(erasing(4), '--json')).stdout)
  expect(reported).toMatchObject({ refused: { code: 'level_unknown' }, preview: null })
})

test('operations from a file and a whole file are previewed too', async () => {
  const [applied] = json((await previewed(erasing(1), '--json')).stdout)
  expect(applied.preview.flips).toMatchObject([{ after: { outcome: 'deny' } }])
  const seed = ['graph', 'import', 'unrelated.json', '--exact', '--dry-run', '--json']
  const [imported] = json((await run(seed, { cwd })).stdout)
  expect(imported.preview.flips).toMatchObject([{ after: { outcome: 'deny' } }])
})

test('a dry run shows which of the last intents an edit of the catalog would change', async () => {
  const concepts = ['delete', 'file', 'moon']
  const ran = await put('capabilities', [{ id: 'erase', concepts }], { cwd }, '--dry-run')
  expect(ran.stdout).toMatch(/ask → deny {5}erase {2}\(my-agent, \w+\) {2}ungrounded/)
  await run(['catalog', 'export', 'c.json'], { cwd })
  const catalog = JSON.parse(await readFile(join(cwd, 'c.json'), 'utf8'))
  await writeFile(join(cwd, 'c.json'), JSON.stringify({ ...catalog, capabilities: [] }))
  const args = ['catalog', 'import', 'c.json', '--exact', '--dry-run', '--json']
  const [imported] = json((await run(args, { cwd })).stdout)
  expect(imported.preview.flips).toMatchObject([{ after: { reasons: ['unknown_capability'] } }])
})
