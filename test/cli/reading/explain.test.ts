// What a request would come to: the same as asking makes of it, and the log stays as it is.
import { beforeAll, expect, test } from 'vitest'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run, type Ran } from '../../support/cli-runner.ts'
import { seedChanged } from '../../support/seed-changed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const because = ['--justification', 'Ann asked for her invoice']
const readArgs = { id: 'read', safetyClass: 'READ', argsSchema: { type: 'object' } }
const once = { ...readArgs, id: 'once' }

let cwd = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  await seedChanged(cwd, (catalog) => {
    catalog.capabilities.push(readArgs, once, { ...readArgs, id: 'write', safetyClass: 'WRITE' })
    catalog.limits = [{ capability: 'once', uses: 1, windowMs: 3_600_000 }]
  })
})

const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const facts = async (): Promise<number> =>
  (await warrant('log', '--json')).stdout.split('\n').length - 1

async function explained(...args: readonly string[]) {
  const before = await facts()
  const { code, stdout } = await warrant('explain', ...args, '--json')
  expect(await facts()).toBe(before)
  return { code, ...JSON.parse(stdout) }
}

test('a denial is explained with what asking would say, and how to close the gap', async () => {
  const { code, outcome, reasons, fixes, ground } = await explained('send_email', ...because)
  expect([code, outcome, ground.grounded]).toEqual([3, 'deny', false])
  const asked = JSON.parse((await warrant('ask', 'send_email', ...because, '--json')).stdout)
  expect(reasons).toEqual(asked.reasons)
  expect(fixes).toEqual(asked.fixes)
  const text = (await warrant('explain', 'send_email', ...because)).stdout
  expect(text).toMatch(/^WOULD DENY {3}send_email for my-agent\n {2}- ungrounded: /)
  expect(text).toContain('nothing was asked and nothing was appended')
})

test('an allowance comes with what it is bound to, a question with who is asked', async () => {
  expect(await explained('read')).toMatchObject({
    code: 0,
    outcome: 'allow',
    reasons: [],
    constraints: { max_rows: 50 },
  })
  const asked = { code: 4, outcome: 'ask', questions: [{ kind: 'justification' }] }
  expect(await explained('write')).toMatchObject({ ...asked, confirmers: ['you'], quorum: 1 })
})

test('a limit counts what was used, and explaining uses nothing', async () => {
  for (let times = 0; times < 3; times += 1) {
    expect(await explained('once')).toMatchObject({ code: 0, outcome: 'allow' })
  }
  expect(await warrant('ask', 'once')).toMatchObject({ code: 0 })
  const { code, reasons } = await explained('once')
  expect([code, reasons[0].code]).toEqual([3, 'rate_limited'])
})

test('an agent that must sign is believed, and one that is suspended is not', async () => {
  const keyed = await warrant('keys', 'new', 'my-agent')
  const [key] = /ed25519:[\w-]+/.exec(keyed.stdout) ?? []
  expect(await warrant('keys', 'add', 'my-agent', key ?? '')).toMatchObject({ code: 0 })
  expect(await explained('read')).toMatchObject({ code: 0, outcome: 'allow' })
  await warrant('suspend', 'my-agent')
  const { reasons } = await explained('read')
  expect(reasons[0].code).toBe('agent_suspended')
  const other = await explained('read', '--agent', 'other')
  expect(other.reasons[0].code).toBe('unknown_agent')
})
