// `decide` with the callbacks of a seed folder, principals by id, and an exit code for a build.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''

const module = `export const staysInside = ({ intent, now }: { intent: any, now: string }) => ({
  passed: intent.args.to.endsWith('@example.com'),
  applies: now < '2030',
  message: \`\${intent.args.to} is outside\`,
})
export const clock = () => ({ passed: Date.now() > 0 })
`
const applies = (target: string, policies: object[]) => {
  return { type: 'APPLIES_TO', target, targetDepth: 1, policies }
}
const concept = (name: string, relata: object[] = []) => {
  return { name, depths: [{ level: 0 }, { level: 1, properties: { is: 'known' }, relata }] }
}
const graph = {
  primitives: [
    concept('email'),
    concept('clock'),
    concept('send', [applies('email', [{ name: 'inside', callback: 'staysInside' }])]),
    concept('read', [applies('clock', [{ name: 'time', callback: 'clock' }])]),
  ],
}
const open = { safetyClass: 'READ', argsSchema: { type: 'object' } }
const catalog = {
  principals: [{ id: 'bot' }],
  capabilities: [
    { ...open, id: 'send_email', concepts: ['send', 'email'] },
    { ...open, id: 'read_clock', concepts: ['read', 'clock'] },
  ],
}

beforeAll(async () => {
  cwd = await temporaryFolder()
  await writeFile(join(cwd, 'graph.json'), JSON.stringify(graph))
  await writeFile(join(cwd, 'catalog.json'), JSON.stringify(catalog))
  await writeFile(join(cwd, 'callbacks.ts'), module)
})

const to = (address: string, more: object = {}) => {
  return { principal: 'bot', tool: 'send_email', request: { args: { to: address } }, ...more }
}

async function decided(lines: readonly object[], ...args: string[]) {
  await writeFile(join(cwd, 'lines'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { code, stdout, stderr } = await run(['decide', 'lines', ...args], { cwd })
  expect(stderr).toBe('')
  const texts = stdout.trim().split('\n')
  return { code, answers: texts.map((text) => JSON.parse(text)) }
}

test('callbacks run as in a stage, by the time of the line, and without a clock', async () => {
  const clock = { principal: 'bot', tool: 'read_clock', request: { args: {} } }
  const lines = [to('a@example.com'), to('a@b.c'), to('a@b.c', { now: '2031-01-01T00:00:00Z' })]
  const { code, answers } = await decided([...lines, clock], '--seed', '.')
  expect(code).toBe(0)
  expect(answers.map(({ outcome }) => outcome)).toEqual(['allow', 'deny', 'allow', 'deny'])
  expect(answers[1].reasons).toEqual([{ code: 'policy_blocked', recover: 'never' }])
  expect(answers[3].reasons).toMatchObject([{ code: 'policy_faulted' }])
})

test('the module may be given by itself, and without one a check has faulted', async () => {
  const files = ['--graph', 'graph.json', '--catalog', 'catalog.json']
  const with1 = await decided([to('a@example.com')], ...files, '--callbacks', 'callbacks.ts')
  expect(with1.answers).toMatchObject([{ outcome: 'allow' }])
  const without = await decided([to('a@example.com')], ...files)
  expect(without.answers).toMatchObject([
    { outcome: 'deny', reasons: [{ code: 'policy_faulted' }] },
  ])
})

test('details name the policy, its edge, its parameters and what its check said', async () => {
  const { answers } = await decided([to('a@b.c')], '--seed', '.', '--details')
  const place = { policy: 'inside', source: 'send', target: 'email' }
  const params = { ...place, message: 'a@b.c is outside' }
  expect(answers[0]).toMatchObject({
    reasons: [{ code: 'policy_blocked', params, text: 'a@b.c is outside' }],
    policies: [{ ...place, callback: { passed: false, message: 'a@b.c is outside' } }],
    questions: [],
    gaps: [],
  })
})

test('a principal that the catalog does not have is an error of its line', async () => {
  const { code, answers } = await decided([{ ...to('a@b.c'), principal: 'bto' }], '--seed', '.')
  expect(code).toBe(6)
  const message = 'principal: the catalog has no `bto`; did you mean `bot`?'
  expect(answers).toEqual([{ error: { code: 'line_invalid', message, line: 1 } }])
})

test('a build fails by the outcomes that it names, and by none unless it does', async () => {
  const denied = [to('a@example.com'), to('a@b.c')]
  expect((await decided(denied, '--seed', '.')).code).toBe(0)
  expect((await decided(denied, '--seed', '.', '--fail')).code).toBe(3)
  expect((await decided(denied, '--seed', '.', '--fail-on', 'ask,review')).code).toBe(0)
  expect((await decided(denied.slice(0, 1), '--seed', '.', '--fail')).code).toBe(0)
  const wrong = await run(['decide', 'lines', '--fail-on', 'no'], { cwd })
  expect(wrong.code).toBe(2)
})

test('a file that is no module, and a folder that is no seed, are refused by name', async () => {
  await writeFile(join(cwd, 'broken.ts'), 'import "x"')
  const broken = await run(['decide', 'lines', '--callbacks', 'broken.ts'], { cwd })
  expect(broken).toMatchObject({ code: 1, stdout: '' })
  expect(broken.stderr).toContain('`broken.ts`: a callback module must be one file')
  const nowhere = await run(['decide', 'lines', '--seed', 'nowhere'], { cwd })
  expect(nowhere.stderr).toContain('`nowhere` holds no seed')
})

test('a message that fails ends it with 3 if --fail is given', async () => {
  await writeFile(join(cwd, 'messages'), '{}\n')
  expect((await run(['vlp', 'check', 'messages'], { cwd })).code).toBe(0)
  expect((await run(['vlp', 'check', 'messages', '--fail'], { cwd })).code).toBe(3)
})
