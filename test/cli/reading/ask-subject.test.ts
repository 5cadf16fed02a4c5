// `warrant ask --subject`: asking as an evaluator does, from the command line.
import { beforeAll, expect, test } from 'vitest'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run, type Ran } from '../../support/cli-runner.ts'
import { seedChanged } from '../../support/seed-changed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  await seedChanged(cwd, (catalog) => {
    const argsSchema = { type: 'object' }
    catalog.capabilities.push(
      { id: 'record.read', safetyClass: 'READ', argsSchema },
      { id: 'record.write', safetyClass: 'WRITE', argsSchema },
    )
    const subjects = [{ type: 'user', who: { role: 'staff' } }]
    catalog.principals.push(
      { id: 'gate', evaluates: { subjects } },
      { id: 'ann:1', roles: ['staff'] },
    )
  })
})

const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const asked = (tool: string, subject: string, ...more: readonly string[]): Promise<Ran> =>
  warrant('ask', tool, '--agent', 'gate', '--subject', subject, ...more)

test('answers for that one, with a code, and permits nothing', async () => {
  const ran = await asked('record.read', 'user:ann:1')
  expect(ran.code).toBe(0)
  expect(ran.stdout).toContain('OBSERVED ONLY')
  expect(ran.stdout).toContain('ALLOW  record.read for ann:1')
  expect(ran.stdout).toContain('its call would be bound to: at most 50 rows of its result')
  const { code, stdout } = await asked('record.read', 'user:ann:1', '--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { outcome: 'allow', terms: null }])
})

test('says no with a code, and what that one lacks', async () => {
  const reason = ['--justification', 'Ann asked for it at the desk']
  const ran = await asked('record.write', 'user:ann:1', ...reason)
  expect(ran.code).toBe(3)
  expect(ran.stdout).toContain('DENY   record.write for ann:1')
  expect(ran.stdout).toContain('the principal `ann:1` then has')
  // Who observes is stopped by nothing.
  expect((await asked('record.write', 'user:ann:1', ...reason, '--observe')).code).toBe(0)
})

test('is refused for whom the agent may not ask about', async () => {
  for (const subject of ['user:you', 'robot:ann:1', 'user:nemo']) {
    const { code, stdout } = await asked('record.read', subject, '--json')
    expect([code, JSON.parse(stdout).reasons]).toMatchObject([3, [{ code: 'subject_refused' }]])
  }
})

test.each(['ann', ':ann', 'user:'])('takes a type and an id, and not `%s`', async (subject) => {
  const { code, stderr } = await asked('record.read', subject)
  expect([code, stderr]).toEqual([2, expect.stringContaining('such as user:ann')])
})
