// Conditions, edges with conditions, known values and callbacks as `decide` and `warrant test`
// answer them: the same rows, by both commands, come to the same.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { testPublicKey } from '#testing/setup'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''

const annsKey = testPublicKey('ann')

const text = { type: 'string' }
const schema = { type: 'object', properties: { to: text, env: text, count: { type: 'integer' } } }
const open = { safetyClass: 'READ', argsSchema: schema }
const known = [{ arg: '/to', kind: 'email' }]
const conditions = {
  outside: {
    name: 'outside',
    when: "has(args.to) && !args.to.endsWith('@example.com')",
    effect: 'confirm',
    question: 'It goes outside.',
  },
  hours: {
    name: 'hours',
    when: "now.getHours('Europe/Berlin') in [9, 10, 11, 12, 13, 14, 15, 16]",
    effect: 'require',
    recover: 'wait',
  },
  frozen: {
    name: 'frozen',
    when: "session.evidence.exists(e, e.sender == 'shop' && e.payload.state == 'frozen')",
    effect: 'deny',
  },
  team: { name: 'team', when: "owner.attributes.team == 'red'", effect: 'require' },
  few: { name: 'few', when: 'args.count < 10', effect: 'require' },
}
const catalog = {
  principals: [
    { id: 'bot', owner: 'ann', attributes: { tenant: 'eu' } },
    { id: 'stray' },
    { id: 'ann', attributes: { team: 'red', mail: 'ann@own.example' }, keys: [annsKey] },
    { id: 'bob', attributes: { team: 'blue' } },
    { id: 'shop' },
    { id: 'gossip' },
  ],
  capabilities: [
    { ...open, id: 'mail', conditions: [conditions.outside] },
    { ...open, id: 'deploy', conditions: [conditions.hours] },
    { ...open, id: 'refund', conditions: [conditions.frozen] },
    { ...open, id: 'team', conditions: [conditions.team] },
    { ...open, id: 'count', conditions: [conditions.few] },
    { ...open, id: 'write_to', known },
    { ...open, id: 'wipe', concepts: ['wipe', 'disk'] },
    { ...open, id: 'check', concepts: ['check', 'disk'] },
  ],
  trustedEvidence: [
    { sender: 'shop', for: ['refund', 'write_to', 'isQuiet'] },
    { sender: 'gossip', for: ['other'] },
  ],
}
const concept = (name: string, policies: object[] | null = null) => {
  const relata =
    policies === null ? [] : [{ type: 'APPLIES_TO', target: 'disk', targetDepth: 1, policies }]
  return { name, depths: [{ level: 0 }, { level: 1, properties: { is: 'known' }, relata }] }
}
const graph = {
  primitives: [
    concept('disk'),
    concept('wipe', [
      { name: 'production', when: "args.env == 'production'", requiresConfirmation: false },
    ]),
    concept('check', [{ name: 'quiet', callback: 'isQuiet', requiresConfirmation: false }]),
  ],
}
const module = `export const isQuiet = ({ evidence }: { evidence: any[] }) => ({
  passed: evidence.every(({ payload }) => payload.state !== 'loud'),
})
`

interface Row {
  readonly says: string
  readonly tool: string
  readonly args?: object
  readonly agent?: string
  readonly now?: string
  readonly evidence?: readonly { readonly from: string; readonly payload: object }[]
  readonly comes: string
}

const shop = (state: string) => ({ from: 'shop', payload: { state } })
const rows: readonly Row[] = [
  { says: 'outside', tool: 'mail', args: { to: 'a@b.c' }, comes: 'ask' },
  { says: 'inside', tool: 'mail', args: { to: 'a@example.com' }, comes: 'allow' },
  { says: 'no one', tool: 'mail', args: {}, comes: 'allow' },
  { says: 'at nine', tool: 'deploy', now: '2026-01-01T08:00:00Z', comes: 'allow' },
  { says: 'before nine', tool: 'deploy', now: '2026-01-01T07:59:59Z', comes: 'policy_blocked' },
  { says: 'at eight in summer', tool: 'deploy', now: '2026-07-01T07:00:00Z', comes: 'allow' },
  { says: 'nothing said', tool: 'refund', comes: 'allow' },
  { says: 'frozen', tool: 'refund', evidence: [shop('frozen')], comes: 'policy_blocked' },
  {
    says: 'frozen, by one who is not trusted for it',
    tool: 'refund',
    evidence: [{ from: 'gossip', payload: { state: 'frozen' } }],
    comes: 'allow',
  },
  { says: 'evidence without the member', tool: 'refund', evidence: [shop('')], comes: 'allow' },
  {
    says: 'evidence that cannot be read',
    tool: 'refund',
    evidence: [{ from: 'shop', payload: {} }],
    comes: 'policy_faulted',
  },
  { says: 'the owner is red', tool: 'team', comes: 'allow' },
  { says: 'no owner', tool: 'team', agent: 'stray', comes: 'policy_faulted' },
  { says: 'few', tool: 'count', args: { count: 9 }, comes: 'allow' },
  { says: 'many', tool: 'count', args: { count: 10 }, comes: 'policy_blocked' },
  { says: 'no count', tool: 'count', comes: 'policy_faulted' },
  { says: 'to someone unknown', tool: 'write_to', args: { to: 'eve@b.c' }, comes: 'ask' },
  { says: "to the owner's own", tool: 'write_to', args: { to: 'Ann@Own.example' }, comes: 'allow' },
  {
    says: 'to whom a trusted sender named',
    tool: 'write_to',
    args: { to: 'eve@b.c' },
    evidence: [shop('please write to eve@b.c.')],
    comes: 'allow',
  },
  {
    says: 'to whom someone else named',
    tool: 'write_to',
    args: { to: 'eve@b.c' },
    evidence: [{ from: 'gossip', payload: { text: 'eve@b.c' } }],
    comes: 'ask',
  },
  { says: 'in production', tool: 'wipe', args: { env: 'production' }, comes: 'policy_blocked' },
  { says: 'in a test', tool: 'wipe', args: { env: 'test' }, comes: 'allow' },
  { says: 'quiet', tool: 'check', evidence: [shop('calm')], comes: 'allow' },
  { says: 'loud', tool: 'check', evidence: [shop('loud')], comes: 'policy_blocked' },
]

const usual = '2026-01-01T12:00:00Z'

beforeAll(async () => {
  cwd = await temporaryFolder()
  await writeFile(join(cwd, 'graph.json'), JSON.stringify(graph))
  await writeFile(join(cwd, 'catalog.json'), JSON.stringify(catalog))
  await writeFile(join(cwd, 'callbacks.ts'), module)
  await mkdir(join(cwd, 'tests'))
})

async function decided(lines: readonly object[], ...options: string[]) {
  await writeFile(join(cwd, 'lines'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { stdout, stderr } = await run(['decide', 'lines', '--seed', '.', ...options], { cwd })
  expect(stderr).toBe('')
  return stdout
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one))
}

const lineOf = ({ tool, args = {}, agent = 'bot', now = usual, evidence = [] }: Row) => {
  return { principal: agent, tool, request: { args }, now, evidence }
}

test('every row comes to what it says by `decide`', async () => {
  const answers = await decided(rows.map(lineOf))
  const found = answers.map(({ outcome, reasons }, index) => {
    const comes = outcome === 'review' ? 'ask' : (reasons[0]?.code ?? outcome)
    return [rows[index]?.says, comes]
  })
  expect(found).toEqual(rows.map(({ says, comes }) => [says, comes]))
})

test('every row comes to the same by `warrant test`', async () => {
  const cases = rows.map(({ says, tool, args = {}, agent = 'bot', now = usual, ...row }) => {
    const isOutcome = row.comes === 'ask' || row.comes === 'allow'
    return {
      name: says,
      agent,
      now,
      given: { evidence: row.evidence ?? [] },
      request: { tool, args },
      expect: isOutcome ? row.comes : { outcome: 'deny', reasons: [row.comes] },
    }
  })
  const lines = cases.map((one) => JSON.stringify(one)).join('\n')
  await writeFile(join(cwd, 'tests/rows.ndjson'), lines)
  const { code, stdout } = await run(['test', '.', '--json'], { cwd })
  const { cases: tried } = JSON.parse(stdout)
  const failed = tried.filter(({ differences }: { differences: [] }) => differences.length > 0)
  expect(failed).toEqual([])
  expect(code).toBe(0)
  expect(tried).toHaveLength(rows.length)
})

test('a line may bring its owner, its session and what grounding says', async () => {
  const of = { principal: 'bot', now: usual, request: { args: {} } }
  const [blue, red, unknown, ungrounded, grounded] = await decided([
    { ...of, tool: 'team', owner: 'bob' },
    { ...of, tool: 'team', owner: { id: 'eve', attributes: { team: 'red' } } },
    { ...of, tool: 'team', owner: 'bbo' },
    { ...of, tool: 'wipe', grounding: { grounded: false } },
    { ...of, tool: 'wipe', grounding: { grounded: true } },
  ])
  expect(blue).toMatchObject({ outcome: 'deny', reasons: [{ code: 'policy_blocked' }] })
  expect(red).toMatchObject({ outcome: 'allow' })
  expect(unknown.error.message).toBe('owner: the catalog has no `bbo`; did you mean `bob`?')
  expect(ungrounded).toMatchObject({ outcome: 'deny', reasons: [{ code: 'ungrounded' }] })
  expect(grounded).toMatchObject({ outcome: 'allow' })
  const capability = {
    id: 'c',
    safetyClass: 'READ',
    conditions: [{ name: 'in', when: "intent.session == 'S-1'", effect: 'require' }],
  }
  const [inside, without] = await decided([
    { ...of, capability, session: 'S-1' },
    { ...of, capability },
  ])
  expect([inside.outcome, without.outcome]).toEqual(['allow', 'deny'])
})

test('a condition of a line is checked, and its place is named', async () => {
  const condition = { name: 'slip', when: "args.too == 'a'", effect: 'deny' }
  const capability = { ...open, id: 'c', conditions: [condition] }
  const [answer, both] = await decided([
    { principal: 'bot', capability },
    { principal: 'bot', tool: 'wipe', graph: { primitives: [] }, grounding: { grounded: true } },
  ])
  expect(answer.error.message).toContain('capability/conditions/0/when: `slip`: ')
  expect(answer.error.message).toContain('`to`')
  expect(both.error.message).toBe('grounding: it has `graph` and `grounding`: keep one of them')
})

test('details name the rule, the question, and where a value was looked for', async () => {
  const [mail, deploy, write] = await decided(
    [
      { principal: 'bot', tool: 'mail', request: { args: { to: 'a@b.c' } } },
      { principal: 'bot', tool: 'deploy', now: '2026-01-01T00:00:00Z' },
      {
        principal: 'bot',
        tool: 'write_to',
        request: { args: { to: 'eve@b.c' } },
        evidence: [{ from: 'gossip', payload: { text: 'eve@b.c' } }],
      },
    ],
    '--details',
  )
  expect(mail.questions).toMatchObject([{ rule: 'outside', message: 'It goes outside.' }])
  expect(deploy.reasons).toMatchObject([{ recover: 'wait', params: { rule: 'hours' } }])
  const value = {
    value: 'eve@b.c',
    found: 'untrusted',
    message: '/evidence/0',
    pointer: '/payload/text',
  }
  expect(write.questions).toMatchObject([{ kind: 'value_unknown', value }])
})
