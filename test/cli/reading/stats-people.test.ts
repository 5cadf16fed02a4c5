// What people make of the questions that they are asked, on the command line: each sees their own.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { run, type Ran } from '../../support/cli-runner.ts'
import { seedChanged } from '../../support/seed-changed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const asked = { name: 'big', when: 'args.big', effect: 'confirm', question: 'Is that meant?' }
const look = { id: 'look', safetyClass: 'READ', conditions: [asked] }

let cwd = ''
const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })

beforeAll(async () => {
  cwd = await temporaryFolder()
  await warrant('init')
  await seedChanged(cwd, (catalog) => {
    catalog.capabilities.push({ ...look, argsSchema: { type: 'object' } })
  })
})

test('where no one was asked it reports that', async () => {
  const { stdout, code } = await warrant('stats', '--people')
  expect([code, stdout]).toEqual([0, expect.stringContaining('no one was asked')])
})

test('answers are counted by person and by rule; whose key is not here is not shown', async () => {
  await warrant('ask', 'look', '--arg', 'big=true', '--wait', '0.2')
  const { rows } = JSON.parse((await warrant('reviews', '--json')).stdout)
  const { intent } = rows[0]
  expect(await warrant('approve', intent)).toMatchObject({ code: 0 })
  const { stdout } = await warrant('stats', '--people', '--rules')
  expect(stdout).toMatch(/1 review, 0 expired: 1 answer, 100 % agreed/)
  expect(stdout).toMatch(/you +1 +1\.0 +1 +0 +1 +100 %/)
  expect(stdout).toMatch(/condition big +1 +0 % +0 +1 +100 %/)
  const json = JSON.parse((await warrant('stats', '--people', '--rules', '--json')).stdout)
  expect(json).toMatchObject({
    people: [{ person: 'you', answers: 1, agreedShare: 1 }],
    rules: [{ kind: 'condition', rule: 'big', questions: 1, changesNothing: false }],
  })
  const elsewhere = { cwd, env: { WARRANT_KEYS: join(cwd, 'none') } }
  const other = await run(['stats', '--people', '--json'], elsewhere)
  expect(JSON.parse(other.stdout)).toMatchObject({ all: { answers: 1 }, people: [] })
  expect((await run(['stats', '--people'], elsewhere)).stdout).toContain('a policy admin sees all')
})

test('a spreadsheet is of intents', async () => {
  expect(await warrant('stats', '--people', '--csv')).toMatchObject({ code: 2 })
})
