// Answers a day on the command line: beyond them a yes is given to several together, or not at all.
import { beforeAll, expect, test } from 'vitest'
import { reviewsAsked } from '#schemas/operations/reviews'
import { run, type Ran } from '../../support/cli-runner.ts'
import { seedChanged } from '../../support/seed-changed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const asked = { name: 'big', when: 'true', effect: 'confirm', question: 'Is that meant?' }
const look = { id: 'look', safetyClass: 'READ', conditions: [asked] }

let cwd = ''
const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })

async function ask(id: string): Promise<string> {
  await warrant('ask', 'look', '--arg', `id=${id}`, '--wait', '0.2')
  const { stdout } = await warrant('reviews', '--json')
  const { rows } = reviewsAsked.output.parse(JSON.parse(stdout))
  const of = rows.find(({ review }) => JSON.stringify(review.terms.args) === `{"id":"${id}"}`)
  return of?.intent ?? ''
}

beforeAll(async () => {
  cwd = await temporaryFolder()
  await warrant('init')
  await seedChanged(cwd, (catalog) => {
    catalog.capabilities.push({ ...look, argsSchema: { type: 'object' } })
    catalog.attention = { answers: [{ person: 'you', perDay: 1 }] }
  })
})

test('the answer beyond the budget is refused before it is bound, and two together are not', async () => {
  const first = await ask('x1')
  expect(await warrant('approve', first)).toMatchObject({ code: 0 })
  const second = await ask('x2')
  const alone = await warrant('approve', second)
  expect(alone).toMatchObject({ code: 1 })
  expect(alone.stderr).toContain('1 answers a day count one by one')
  const stats = await warrant('stats', '--people')
  expect(stats.stdout).toContain('a yes counts only in a batch: you')
  const third = await ask('x3')
  const both = await warrant('approve', second, third)
  expect([both.code, both.stdout]).toEqual([0, expect.stringContaining('signed      yes')])
  for (const intent of [second, third]) {
    expect((await warrant('trace', intent)).stdout).toContain('Allowed')
  }
  const { stdout } = await warrant('log', '--json', '--name', 'decision.>')
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(last.fact.data.batch).toHaveLength(2)
})

test('several have one answer, and no grant', async () => {
  expect(await warrant('approve', 'a', 'b', '--answers', 'yes')).toMatchObject({ code: 2 })
  const also = ['--also', 'true', '--uses', '1', '--for', '1h']
  expect(await warrant('approve', 'a', 'b', ...also)).toMatchObject({ code: 2 })
})

test('beyond the budget one alone can be declined, and not approved', async () => {
  const ids = [await ask('y1'), await ask('y2')]
  const [one = '', other = ''] = ids
  // Several are a list, and one of them is shown with all of it.
  const { stdout: list } = await warrant('reviews')
  expect(list.match(/Is that meant/g)).toHaveLength(2)
  expect(list).not.toContain('REVIEW')
  const end = /(?<end>\w{8})  my-agent look \(.*y2\)/.exec(list)?.groups?.['end'] ?? ''
  const { stdout: shown } = await warrant('reviews', end)
  expect(shown).toMatch(/^REVIEW [^]*"id": "y2"[^]*warrant approve/)
  expect(await warrant('reviews', end, '--csv')).toMatchObject({ code: 2 })
  expect(await warrant('decline', other)).toMatchObject({ code: 0 })
  expect((await warrant('reviews', other)).stdout).toMatch(/answer +you declines/)
  expect(await warrant('approve', one)).toMatchObject({ code: 1 })
})
