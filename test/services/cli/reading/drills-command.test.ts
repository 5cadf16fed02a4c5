// Drills on the command line: planted by a policy admin, shown like a review, answered like one.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { run, type Ran } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const asked = { name: 'paid', when: 'true', effect: 'confirm', confirmation: 'desk' }
const argsSchema = { type: 'object', properties: { to: { type: 'string' } } }

let cwd = ''
const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const json = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

beforeAll(async () => {
  cwd = await temporaryFolder()
  await warrant('init')
  const [{ publicKey }] = json((await warrant('keys', 'new', 'piet', '--json')).stdout)
  const file = join(cwd, 'warrant/catalog.json')
  const catalog = JSON.parse(await readFile(file, 'utf8'))
  catalog.principals.push({ id: 'piet', keys: [publicKey] })
  catalog.groups = [{ id: 'desk', members: ['piet'] }]
  catalog.confirmations = [{ id: 'desk', tier: 'four_eyes', group: 'desk', sessionless: true }]
  catalog.capabilities.push({ id: 'pay', safetyClass: 'READ', argsSchema, conditions: [asked] })
  catalog.attention = { drills: [{ person: 'piet' }] }
  await writeFile(file, JSON.stringify(catalog))
  expect(await warrant('seed', 'warrant')).toMatchObject({ code: 0 })
})

test('without an earlier review there is nothing to draw from', async () => {
  const { code, stderr } = await warrant('drill', 'plant', '--key', 'you', '--yes')
  expect([code, stderr]).toEqual([1, expect.stringContaining('asked anything yet')])
  expect((await warrant('drills')).stdout).toContain('no one was tested')
})

test('it looks like a review until it is answered, and then it is counted', async () => {
  await warrant('ask', 'pay', '--arg', 'to=ann@example.org', '--wait', '0.2')
  const [real] = json((await warrant('reviews', '--as', 'piet', '--json')).stdout)
  const set = ['--set', '/to=mallory@example.net']
  const planted = await warrant('drill', 'plant', real.intent, ...set, '--key', 'you', '--yes')
  expect(planted).toMatchObject({ code: 0 })
  const again = await warrant('drill', 'plant', '--unless-within', '1h', '--key', 'you', '--yes')
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('within that time')])
  const shown = json((await warrant('reviews', '--as', 'piet', '--json')).stdout)
  expect(shown).toHaveLength(2)
  const test = shown.find(({ review }) => review.terms.args.to === 'mallory@example.net')
  expect(Object.keys(test).toSorted()).toEqual(Object.keys(real).toSorted())
  const answered = await warrant('decline', test.intent, '--key', 'piet', '--as', 'piet')
  expect([answered.code, answered.stdout]).toEqual([0, expect.stringContaining('test question')])
  expect((await warrant('drills')).stdout).toMatch(/pay +you +piet +piet declined/)
  expect(json((await warrant('reviews', '--as', 'piet', '--json')).stdout)).toHaveLength(1)
  const { people, rules } = JSON.parse(
    (await warrant('stats', '--people', '--rules', '--json')).stdout,
  )
  expect(people).toMatchObject([{ person: 'piet', drills: 1, catchRate: 1 }])
  expect(rules).toMatchObject([{ rule: 'paid', drills: 1, catchRate: 1 }])
  const { stdout } = await warrant('log', '--name', 'drillanswer.>')
  expect(stdout).toContain('`piet` declines the test question')
  expect((await warrant('replay')).code).toBe(0)
})
