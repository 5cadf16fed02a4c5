// Grants on the command line: signed beside an answer, shown before, listed and put into words.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { run, type Ran } from '../../support/cli-runner.ts'
import { seedChanged } from '../../support/seed-changed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const pay = {
  id: 'pay',
  safetyClass: 'READ',
  argsSchema: { type: 'object', properties: { amount: { type: 'integer' } } },
  conditions: [{ name: 'large', effect: 'confirm', when: 'args.amount > 10', question: 'Pay it?' }],
}

let cwd = ''
let intent = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  await warrant('init')
  await seedChanged(cwd, (catalog) => {
    catalog.capabilities.push(pay)
  })
  intent = /my-agent\.-\.\w+/.exec((await ask(20)).stdout)?.[0] ?? ''
})

const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const ask = (amount: number): Promise<Ran> =>
  warrant('ask', 'pay', '--arg', `amount=${amount}`, '--wait', '1')
const also = (...words: readonly string[]) => warrant('approve', intent, ...words)

test.each([
  [['--uses', '3'], 'go with --also'],
  [['--also', 'true', '--for', '7d'], '--also needs --uses'],
  [['--also', 'true', '--uses', '3'], '--also needs --for'],
  [['--also', 'true', '--uses', '3', '--for', '7 days'], 'such as 24h or 7d'],
  [['--also', 'true', '--uses', '3', '--for', '7d', '--budget', '5'], 'give both'],
  [['--also', 'args.amont < 5', '--uses', '3', '--for', '7d'], 'did you mean `amount`'],
  [['--also', 'true', '--uses', '3', '--for', '400d'], 'longer than 366 days'],
  [['--also', 'true', '--uses', '3', '--for', '7d', '--answers', 'no'], 'a yes to every question'],
])('what does not make a grant answers nothing either: %j', async (words, text) => {
  const { code, stderr } = await also(...words)
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining(text)])
  expect((await warrant('log', '--open')).stdout).toContain('approval from')
})

test('it is shown with what it would have let through, signed, used and listed', async () => {
  const budget = ['--budget', '100', '--budget-of', 'args.amount']
  const { code, stdout } = await also(
    '--also',
    'args.amount <= 60',
    '--uses',
    '3',
    '--for',
    '7d',
    ...budget,
  )
  expect(code).toBe(0)
  for (const text of [
    'calls       args.amount <= 60',
    'answers     the condition `large`: “Pay it?” (asks the owner)',
    'budget      100 of args.amount',
    'would have let through 1 of 1 call',
    'granted     ',
  ]) {
    expect(stdout).toContain(text)
  }
  expect((await ask(61)).stdout).toContain('waits')
  const allowed = await ask(60)
  expect(allowed).toMatchObject({ code: 0 })
  expect(allowed.stdout).toMatch(/no one was asked: the grant \w{26} of `you` covers it/)
  expect((await ask(41)).stdout).toContain('waits')
  const list = await warrant('grants')
  expect(list.stderr).toBe('')
  expect(list.stdout).toMatch(/you +pay +my-agent +args.amount <= 60 +2 of 3, 40 of 100 .* open/)
  const [found] = JSON.parse((await warrant('grants', '--json')).stdout).rows
  expect(found).toMatchObject({ state: 'open', left: [{ uses: 2, budget: '40' }] })
  const shown = await warrant('grants', 'show', found.grant.slice(-8))
  expect(shown.stdout).toContain('state       open')
  const address = /my-agent\.-\.\w+/.exec(allowed.stdout)?.[0] ?? ''
  const story = await warrant('trace', address)
  expect(story.stdout).toContain(`the grant ${found.grant} of \`you\` covers it, use 1 of 3`)
  expect((await warrant('replay')).stdout).toContain('byte for byte')
})

test('one whose signer may not decide any more is listed as idle, with why', async () => {
  await seedChanged(cwd, (catalog) => {
    catalog.capabilities = catalog.capabilities.map((one: { id: string }) =>
      one.id === 'pay' ? { ...pay, safetyClass: 'WRITE' } : one,
    )
  })
  expect((await warrant('grants')).stdout).toContain('idle: `pay` is WRITE')
  expect((await warrant('doctor')).stdout).toContain('1 grant can answer for no call: `pay` is')
  expect(await warrant('grants', 'show', 'XXXX')).toMatchObject({ code: 1 })
})

test('it is taken back by its id, and then no call rests on it', async () => {
  const [{ grant: id }] = JSON.parse((await warrant('grants', '--json')).stdout).rows
  const signed = ['--as', 'you', '--key', join(cwd, '.keys/you.pem'), '--yes']
  const gone = await warrant('grants', 'revoke', id.slice(-8), ...signed)
  expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining('has taken back') })
  expect((await warrant('grants')).stdout).toContain('there is no grant that counts')
  expect((await warrant('grants', '--all')).stdout).toMatch(/2 of 3, 40 of 100 .* revoked/)
  expect((await warrant('replay')).stdout).toContain('byte for byte')
})
