// Before a change is made, the commands say what it would do today: to the last intents, to those
// that are held, and to those that people are being asked about.
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { json, learningFolder, met, notice } from './cli-proposals-folder.ts'
import { run } from './cli-runner.ts'
import { temporaryFolder } from './temporary-folder.ts'

let begun = ''
let cwd = ''

const callbacks = `export const looks = async () => ({ passed: true })
looks.recorded = true
`
const edge = ['--source', 'delete', '--target', 'file']
const wizard = (...flags: readonly string[]) => run(['policy', 'wizard', ...flags], { cwd })
const asked = (where: string) =>
  run(['ask', 'erase', '--justification', 'it is old by now', '--wait', '0.2'], { cwd: where })

/** One intent that was allowed, one that people are asked about, and one that is held. */
beforeAll(async () => {
  begun = await learningFolder()
  await writeFile(join(begun, 'warrant/callbacks.ts'), callbacks)
  expect(await run(['seed', 'warrant'], { cwd: begun })).toMatchObject({ code: 0 })
  const related = ['graph', 'relate', 'delete', '1', 'applies-to', 'file', '1']
  expect(await run(related, { cwd: begun })).toMatchObject({ code: 0 })
  expect((await asked(begun)).code).toBe(0)
  const ruled = ['policy', 'wizard', ...edge, '--name', 'ask', '--yes', '--last', '0']
  expect(await run(ruled, { cwd: begun })).toMatchObject({ code: 0 })
  expect((await asked(begun)).code).toBe(4)
  await met(begun, notice)
}, 60_000)

beforeEach(async () => {
  cwd = await temporaryFolder()
  await cp(begun, cwd, { recursive: true })
})

test('the wizard says what becomes of what is asked of people, and of what is held', async () => {
  const ran = await wizard(...edge, '--name', 'more', '--message', 'Sure?', '--dry-run')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(/once agreed → asked again \(.*Sure\?.*\) {2}erase {2}\(my-agent, /)
  expect(ran.stdout).toContain('1 held intent would wait as before')
  expect(ran.stdout).toMatch(/ask → ask {6}erase/)
  expect(ran.stdout).toContain('the last intent comes out differently')
  const told = await wizard(...edge, '--name', 'more', '--dry-run', '--json')
  const [{ whatIf }] = json(told.stdout)
  expect(whatIf).toMatchObject({
    tried: 1,
    unsure: 0,
    reviewsTried: 1,
    flips: [{ tool: 'erase', before: { outcome: 'ask' }, after: { outcome: 'ask' } }],
    held: [{ tool: 'notify', after: { outcome: 'hold' } }],
    reviews: [{ tool: 'erase', before: { outcome: 'allow' }, after: { outcome: 'ask' } }],
  })
})

test('what a check that looks outside will say, no one can tell, and which calls that are', async () => {
  const flags = ['--name', 'looks', '--callback', 'looks', '--no-confirm', '--dry-run']
  const ran = await wizard(...edge, ...flags)
  expect(ran.stdout).toContain('of 1 intent it cannot tell: a check may answer otherwise (erase)')
  expect(ran.stdout).toContain('nothing is known to come out differently')
  expect(ran.stdout).toMatch(/once agreed → cannot tell {2}erase/)
})
