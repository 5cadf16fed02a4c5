// Budgets on the command line: what is used of them and what is left, what a call would take, and
// lines that say what was used before.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { run, type Ran } from '../../support/cli-runner.ts'
import { changed } from '../../support/edits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const pay = { id: 'pay', safetyClass: 'READ', argsSchema: { type: 'object' } }
const payments = {
  name: 'payments',
  of: 'args.amount',
  max: '1000.50',
  windowMs: 86_400_000,
  per: 'owner',
  capabilities: ['pay'],
}

let cwd = ''
let file = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  await warrant('init')
  file = join(cwd, 'warrant/catalog.json')
  const catalog = JSON.parse(await readFile(file, 'utf8'))
  catalog.capabilities.push(pay)
  await written({ ...catalog, budgets: [payments] })
  expect(await warrant('seed', 'warrant')).toMatchObject({ code: 0 })
})

const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const written = (catalog: object): Promise<void> => writeFile(file, JSON.stringify(catalog))
const paying = (...words: readonly string[]) => warrant(...words, '--arg', 'amount=900.25')

test('what is used is counted once the call is allowed, and shown with what is left', async () => {
  expect(await paying('explain', 'pay')).toMatchObject({ code: 0 })
  expect(await paying('ask', 'pay')).toMatchObject({ code: 0 })
  const denied = await paying('explain', 'pay')
  expect(denied.code).toBe(3)
  expect(denied.stdout).toContain(
    'limit reached: `payments` allows 1000.5 per day for you: 900.25 used, and this takes 900.25',
  )
  expect(denied.stdout).toContain('budget `payments`: 900.25 of 1000.5 per day for you used')
  const { budgets } = JSON.parse((await warrant('stats', '--json')).stdout)
  expect(budgets).toMatchObject([
    { budget: 'payments', key: 'you', used: '900.25', limit: '1000.5', left: '100.25' },
  ])
  expect((await warrant('stats')).stdout).toMatch(/payments +you +900.25 +1000.5 +100.25/)
})

test('the log puts a use into words, and the story of its intent has it', async () => {
  const { stdout } = await warrant('log')
  expect(stdout).toMatch(/takes 900.25 of 1000.5 in 1 d of `payments` for `you`/)
  const intent = /for (my-agent\.-\.\w+)/.exec(stdout)?.[1] ?? ''
  const story = await warrant('trace', intent)
  expect(story.stdout).toContain('It takes 900.25 of `payments` for `you`')
})

test('a line says what was used before, and a budget that there is not is refused', async () => {
  const line = (used: object, amount = 100.5) => {
    return JSON.stringify({
      principal: 'my-agent',
      tool: 'pay',
      request: { args: { amount } },
      used,
    })
  }
  const lines = [line({}), line({ payments: '900.01' }), line({}, 2_000), line({ payment: 1 })]
  const input = lines.join('\n')
  const { stdout } = await run(['decide', '--seed', 'warrant'], { cwd, input })
  const answers = stdout
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one))
  expect(answers[0]).toMatchObject({ outcome: 'allow' })
  expect(answers[1].reasons).toEqual([{ code: 'budget_exceeded', recover: 'wait' }])
  expect(answers[2].reasons).toEqual([{ code: 'budget_exceeded', recover: 'never' }])
  expect(answers[3].error.message).toContain('did you mean `payments`?')
})

test('what recorded calls would have taken of other budgets is counted again', async () => {
  expect(await warrant('ask', 'pay', '--arg', 'amount=50')).toMatchObject({ code: 0 })
  const catalog = JSON.parse(await readFile(file, 'utf8'))
  const once = { name: 'once', max: 1, windowMs: 3_600_000, per: 'agent' }
  await written({ ...catalog, budgets: [...catalog.budgets, once] })
  const { stdout } = await warrant('whatif', 'warrant')
  expect(stdout).toMatch(/1 of 2 intents would come out differently/)
  expect(stdout).toMatch(/allow → deny +budget_exceeded +1/)
})

test('a slip in a budget is refused with its place and the nearest name', async () => {
  const slip = { ...payments, capabilities: ['pya'] }
  const set = { op: 'set', key: 'budgets', value: [slip] }
  const { code, stderr } = await changed('catalog', [set], { cwd })
  expect(code).not.toBe(0)
  expect(stderr).toContain('budgets/0/capabilities')
  expect(stderr).toContain('did you mean `pay`?')
})
