// `warrant contract`, `claim`, `contracts`, `standing` and `reinstate`, as a person uses them, and
// the story of a contract; the verifier runs in this process.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../../support/cli-runner.ts'
import { seedChanged } from '../../../support/seed-changed.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { verified } from './verifying.ts'

let cwd = ''
const task = { taskId: 'T-1', objective: 'write the page', requiredFiles: ['page.json'] }

beforeAll(async () => {
  cwd = await temporaryFolder()
  await run(['init'], { cwd })
  await mkdir(join(cwd, 'site'))
  await writeFile(join(cwd, 'task.json'), JSON.stringify(task))
  await seedChanged(cwd, (catalog) => {
    catalog.principals.push({ id: 'grader' })
    catalog.work = {
      issuers: ['grader'],
      workspaces: [{ id: 'site', folder: join(cwd, 'site') }],
      probation: 2,
    }
  })
})

const warrant = (...args: readonly string[]) => run(args, { cwd })

async function json(...args: readonly string[]) {
  const { code, stdout, stderr } = await warrant(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const opens = async (): Promise<string> => {
  const how = ['--for', 'my-agent', '--as', 'grader', '--workspace', 'site']
  const [{ contract }] = await json('contract', 'task.json', ...how)
  return contract
}

const writes = (text: string) => writeFile(join(cwd, 'site', 'page.json'), text)
const success = ['--status', 'success', '--folder', 'site']

test('a task is given, claimed, refuted, claimed again, and then shown as a whole', async () => {
  expect((await warrant('contracts')).stdout).toBe('there is no such contract\n')
  const contract = await opens()
  const end = contract.slice(-8)
  await writes('{"title":')
  expect(await json('claim', end, ...success)).toMatchObject([{ contract, work: {} }])
  expect(await json('contracts')).toMatchObject([
    { rows: [{ state: 'open', contract, waits: 'verifier', looked: 0, attemptsMax: 3 }] },
  ])
  await verified(cwd)
  const { stdout: open } = await warrant('contracts')
  expect(open).toMatch(/T-1 +grader +my-agent +1 of 3 +a claim +\d{4}-/)
  await writes('{"title":"home"}')
  await warrant('claim', contract, ...success, '--created', 'page.json')
  await verified(cwd)
  const { stdout: shown } = await warrant('contracts', end)
  expect(shown).toContain('ended: its work is verified, score 0.7')
  expect(shown).toContain('page.json: is not JSON')
  expect(shown).toMatch(/attempt 1: refuted[\s\S]*attempt 2: verified/)
  const ended = ['contracts', '--state', 'ended']
  expect(await json(...ended)).toMatchObject([
    { count: 1, rows: [{ contract, looked: 2, waits: null, ended: { score: 0.7 } }] },
  ])
  expect((await warrant(...ended)).stdout).toMatch(/my-agent +2 of 3 +verified +0.7/)
  const [{ summary, steps }] = await json('trace', end)
  expect(summary).toContain('its work is verified, score 0.7')
  expect(steps).toHaveLength(7)
  const { stdout: log } = await warrant('log')
  expect(log).toContain('gives `my-agent` the task “T-1”: “write the page”')
  expect(await warrant('replay', '--strict')).toMatchObject({ code: 0 })
})

test('a contract and a claim that would not count are refused, and nothing is published', async () => {
  const [before] = (await json('log', '--from', '-1')).toReversed()
  const asWorker = ['--for', 'my-agent', '--as', 'you', '--workspace', 'site']
  const unlisted = await warrant('contract', 'task.json', ...asWorker)
  expect(unlisted.code).not.toBe(0)
  expect(unlisted.stderr).toContain('does not list `you` in `work.issuers`')
  const contract = await opens()
  const nothing = await warrant('claim', contract, '--status', 'success')
  expect(nothing.stderr).toContain('a success names its work: give --folder or --commit')
  const short = await warrant('claim', contract, '--status', 'success', '--commit', 'abc')
  expect(short.stderr).toContain('--commit takes the whole hash')
  const [after] = (await json('log', '--from', '-1')).toReversed()
  expect(after.position).toBe(before.position + 1)
  await warrant('claim', contract, '--status', 'blocked', '--need', 'a title')
  await verified(cwd)
  const again = await warrant('claim', contract, '--status', 'failed')
  expect(again.stderr).toContain('is open: those that have ended are in')
  const unknown = await warrant('contracts', 'NOSUCH')
  expect(unknown.stderr).toContain('no contract `NOSUCH`')
})

test('standings are listed, and one is shown with its steps, as it was and in a chart', async () => {
  const [{ standing, steps }] = await json('standing', 'my-agent')
  expect(steps.map(({ scored }: { scored: { rule: string } }) => scored.rule)).toEqual([
    'verified_retry',
    'blocked_with_need',
  ])
  expect(standing.value).toBeCloseTo(0.64)
  const at = String(steps[0].position)
  expect(await json('standing', 'my-agent', '--at', at)).toMatchObject([
    { standing: { value: steps[0].after, scored: 1, level: 'supervised', probation: 1 } },
  ])
  const first = await json('standing', '--at', '2')
  expect(first).toMatchObject([{ rows: [{ agent: 'my-agent', scored: 0, probation: 2 }] }])
  const { stdout: all } = await warrant('standing')
  expect(all).toMatch(/my-agent +0\.640 +standard +0 +2/)
  const { stdout: one } = await warrant('standing', 'my-agent')
  expect(one).toContain('my-agent: standard, at 0.640')
  expect(one).toContain(' 0.8 |------- above: autonomous')
  const { stderr } = await warrant('standing', 'stranger')
  expect(stderr).toContain('no principal `stranger`')
})

test('an agent that fell too far is suspended until a person lets it work again', async () => {
  const early = await warrant('reinstate', 'my-agent', '--reason', 'just so')
  expect(early.stdout).toContain('is not suspended by its standing')
  await writes('{"title":')
  const contract = await opens()
  for (const _ of [1, 2, 3]) await warrant('claim', contract, ...success)
  await verified(cwd)
  const [{ standing }] = await json('standing', 'my-agent')
  expect(standing).toMatchObject({
    level: 'suspended',
    suspendedBy: { name: expect.stringContaining('.verification.') },
  })
  const lifted = 'warrant reinstate my-agent --reason TEXT'
  expect((await warrant('standing', 'my-agent')).stdout).toContain(lifted)
  expect((await warrant('unsuspend', 'my-agent')).stdout).toContain(lifted)
  const more = ['--for', 'my-agent', '--as', 'grader', '--workspace', 'site']
  const refused = await warrant('contract', 'task.json', ...more)
  expect(refused.stderr).toContain('its worker is suspended')
  const { code, stdout } = await warrant('reinstate', 'my-agent', '--reason', 'wrong tests')
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('my-agent may work again, under strict rules'),
  })
  expect(await json('standing', 'my-agent')).toMatchObject([
    { standing: { level: 'strict', value: 0.3 } },
  ])
  expect((await warrant('standing', 'my-agent')).stdout).toContain('reinstated')
})
