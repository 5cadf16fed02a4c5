// `warrant delegate` and `undelegate`, and a call that cites what they printed, as a person sees
// it at the terminal.
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../support/cli-runner.ts'
import { seedChanged } from '../../support/seed-changed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''

const large = { name: 'large', effect: 'confirm', when: 'has(args.n) && args.n > 10' }

beforeAll(async () => {
  cwd = await temporaryFolder()
  expect((await run(['init'], { cwd })).code).toBe(0)
  await seedChanged(cwd, (catalog) => {
    catalog.principals.push(
      { id: 'planner', roles: ['writer'], owner: 'you' },
      { id: 'intern', owner: 'you' },
    )
    catalog.capabilities[0].conditions = [large]
  })
})

const within = ['--session', 'S-1', '--tool', 'send_email', '--for', '1h']

async function delegated(from: string, ...more: readonly string[]): Promise<string> {
  const made = await run(['delegate', 'my-agent', '--as', from, ...within, ...more, '--json'], {
    cwd,
  })
  expect(made).toMatchObject({ code: 0 })
  return JSON.parse(made.stdout).name
}

function asks(command: string, delegation: string, ...more: readonly string[]) {
  const who = ['--agent', 'my-agent', '--session', 'S-1', '--delegation', delegation]
  const why = ['--justification', 'Ann asked for her invoice']
  return run([command, 'send_email', ...who, ...why, ...more], { cwd })
}

test('what is delegated is printed with how to cite it', async () => {
  const { code, stdout } = await run(['delegate', 'my-agent', '--as', 'planner', ...within], {
    cwd,
  })
  expect(code).toBe(0)
  expect(stdout).toContain('`my-agent` acts for `planner`, for send_email')
  expect(stdout).toMatch(/--delegation main\.1\.vlp\.planner\.S-1\./)
  const { stdout: log } = await run(['log'], { cwd })
  expect(log).toContain('lets `my-agent` act for it: `send_email`, until')
})

test('a call that cites it is bound to it, and explained so beforehand', async () => {
  const name = await delegated('planner', '--max-rows', '3', '--fields', 'id,total')
  const before = await asks('explain', name)
  expect(before.stdout).toContain('`my-agent` acts for `planner`')
  const { code, stdout } = await asks('ask', name)
  expect(code).toBe(0)
  expect(stdout).toContain('`my-agent` acts for `planner`')
  expect(stdout).toContain('only the fields `id` and `total`; at most 3 rows of its result')
})

test('what another lacks is what to give the other', async () => {
  const { code, stdout } = await asks('ask', await delegated('intern'))
  expect(code).toBe(3)
  expect(stdout).toContain('for `intern`, for whom it acts: WRITE tools require the role')
  expect(stdout).toContain('Give `intern` the role')
  expect(stdout).toContain('the principal `intern` then has\n    "roles": ["writer"]\n')
})

test('people who are asked see for whom the agent acts', async () => {
  const asked = await asks('ask', await delegated('planner'), '--arg', 'n=11')
  expect(asked.code).toBe(4)
  const { stdout } = await run(['reviews'], { cwd })
  expect(stdout).toMatch(/for whom +`my-agent` acts for `planner`/)
})

test('what was taken back counts no more, and the trace shows what was cited', async () => {
  const name = await delegated('planner')
  const ended = await run(['undelegate', name, '--why', 'it is done'], { cwd })
  expect(ended.stdout).toContain('`my-agent` no longer acts for `planner`')
  const { code, stdout } = await asks('ask', name, '--json')
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({ reasons: [{ params: { cause: 'withdrawn' } }] })
  const { stdout: story } = await run(['trace', JSON.parse(stdout).intent], { cwd })
  expect(story).toContain(`acting for another, by ${name}`)
  expect(await run(['replay', '--strict'], { cwd })).toMatchObject({ code: 0 })
})

test('what could never count is refused before it is published', async () => {
  const usual = ['--as', 'planner', ...within]
  for (const args of [
    ['delegate', 'stranger', ...usual],
    ['delegate', 'my-agent', '--as', 'stranger', ...within],
    ['delegate', 'my-agent', ...usual, '--tool', 'nowhere'],
    ['delegate', 'my-agent', ...usual, '--for', 'ever'],
    ['delegate', 'my-agent', ...usual, '--max-rows', 'all'],
    ['undelegate', 'planner'],
    ['undelegate', 'main.1.vlp.planner.S-1.none'],
  ]) {
    expect(await run(args, { cwd })).toMatchObject({ code: 2 })
  }
  const wrong = await run(['delegate', 'my-agent', ...usual, '--when', 'args.n <', '--json'], {
    cwd,
  })
  expect(wrong.stdout).toContain('message_invalid')
})
