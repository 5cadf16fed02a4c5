// What observed calls would have come to, counted before anything is enforced.
import { beforeAll, expect, test } from 'vitest'
import { wouldCome } from '#operations/counting/observed'
import { run, type Ran } from '../../support/cli-runner.ts'
import { seedChanged } from '../../support/seed-changed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const asked = { name: 'big', when: 'args.big', effect: 'confirm', question: 'Is that meant?' }
const look = { id: 'look', safetyClass: 'READ', conditions: [asked], argsSchema: {} }

let cwd = ''
const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const observed = (...args: readonly string[]) => warrant('ask', ...args, '--observe')

beforeAll(async () => {
  cwd = await temporaryFolder()
  await warrant('init')
  await seedChanged(cwd, (catalog) => {
    catalog.capabilities.push({ ...look, argsSchema: { type: 'object' } })
  })
})

test('without observed calls it reports that there is none', async () => {
  const { stdout, code } = await warrant('stats', '--observed')
  expect([code, stdout]).toEqual([0, expect.stringContaining('no observed call')])
})

test('what would be allowed, asked and denied is kept apart, and enforced calls are left out', async () => {
  for (const big of ['false', 'false', 'true']) await observed('look', '--arg', `big=${big}`)
  await observed('sing')
  // For want of a reason its owner would be asked.
  await observed('send_email', '--arg', 'to=ann@example.org')
  expect(await warrant('ask', 'sing')).toMatchObject({ code: 3 })
  const { stdout } = await warrant('stats', '--observed')
  expect(stdout).toContain(
    '5 observed calls: 2 would be allowed, 2 would be asked about, 1 would be denied',
  )
  expect(stdout).toMatch(/look +allow +2/)
  expect(stdout).toMatch(/look +ask people +no_confirmer +1/)
  expect(stdout).toMatch(/send_email +ask people +insufficient_justification +1/)
  expect(stdout).toMatch(/sing +deny +unknown_capability +1/)
  const counts = JSON.parse((await warrant('stats', '--observed', '--json')).stdout)
  expect(counts).toMatchObject({ calls: 5, allow: 2, ask: 2, deny: 1 })
  const csv = (await warrant('stats', '--observed', '--csv', '--tool', 'sing')).stdout
  expect(csv).toBe('tool,would,reason,calls\r\nsing,deny,unknown_capability,1\r\n')
})

test('one reason that no person could answer makes it a denial', () => {
  const people = { code: 'no_confirmer', recover: 'never', params: { cause: 'not_asked' } } as const
  const gap = { code: 'ungrounded', recover: 'learn', params: {} } as const
  const none = { ...people, params: { cause: 'none_eligible' } }
  const would = (...reasons: Parameters<typeof wouldCome>[0]['reasons']) =>
    wouldCome({ outcome: 'deny', reasons })
  expect([would(people), would(people, people)]).toEqual(['ask', 'ask'])
  expect([would(gap, people), would(none), would()]).toEqual(['deny', 'deny', 'deny'])
})
