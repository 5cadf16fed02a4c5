// Earlier calls of a case: in its session or another, answered by people or not, so that rules on
// what was done and agreed to before are tested like any other.
import { expect, test } from 'vitest'
import { judgedTexts } from '#cases/judged'
import { newestRules } from '#rules/catalog/rules-version'
import { testPublicKey } from '#testing/setup'

const people = ['olga', 'piet', 'quin', 'rosa'].map((id) => {
  return { id, roles: [], keys: [testPublicKey(id)] }
})
const properties = { to: { type: 'string' }, amount: { type: 'integer' } }
const argsSchema = { type: 'object', properties, required: ['to'] }
const paid = "acts.exists(a, a.tool == 'pay' && a.args.to == args.to)"
const catalog = {
  rules: newestRules,
  principals: [...people, { id: 'bot', owner: 'olga', roles: ['writer', 'admin'] }],
  groups: [{ id: 'two', members: ['piet', 'quin', 'rosa'] }],
  confirmations: [{ id: 'two', tier: 'four_eyes', group: 'two', quorum: 2, sessionless: true }],
  capabilities: [
    {
      id: 'pay',
      safetyClass: 'WRITE',
      argsSchema,
      conditions: [
        { name: 'once', when: paid, effect: 'deny' },
        { name: 'large', when: 'has(args.amount) && args.amount == 50', effect: 'confirm' },
        {
          name: 'huge',
          when: 'has(args.amount) && args.amount > 99',
          effect: 'confirm',
          confirmation: 'two',
        },
      ],
    },
    {
      id: 'code',
      safetyClass: 'WRITE',
      argsSchema: { type: 'object' },
      conditions: [{ name: 'let', when: 'acts.exists(a, a.allowed)', effect: 'require' }],
    },
    {
      id: 'mail',
      safetyClass: 'READ',
      argsSchema,
      known: [{ arg: '/to', kind: 'email', confirmed: ['mail'] }],
    },
    { id: 'wipe', safetyClass: 'DESTRUCTIVE', argsSchema: { type: 'object' } },
  ],
}

const because = 'they asked for it today'

interface Earlier {
  readonly tool: string
  readonly args?: object
  readonly answered?: string
  readonly session?: string | null
  readonly times?: number
  readonly justification?: string
}

/** What the call comes to after those. */
async function after(before: readonly Earlier[], tool: string, args: object, session = 'S-1') {
  const given = { before: before.map((one) => ({ justification: because, ...one })) }
  const request = { tool, args, justification: because }
  const of = { name: 'one', agent: 'bot', session, given, request, expect: 'hold' }
  const found = await judgedTexts({
    catalog: JSON.stringify(catalog),
    graph: '',
    request: '',
    history: '',
    cases: JSON.stringify({ cases: [of] }),
  })
  const outcome = found.tried?.cases[0]?.outcome ?? found.problems[0]?.text ?? ''
  return /^deny \((\w+)/.exec(outcome)?.[1] ?? outcome
}

const to = { to: 'ann' }
const large = { to: 'bob', amount: 50 }
const huge = { to: 'bob', amount: 500 }

test('what was done in the session before is seen, and of another one nothing', async () => {
  expect(await after([], 'pay', to)).toBe('allow')
  expect(await after([{ tool: 'pay', args: to }], 'pay', to)).toBe('policy_blocked')
  expect(await after([{ tool: 'pay', args: to, session: 'S-2' }], 'pay', to)).toBe('allow')
  expect(await after([{ tool: 'pay', args: to, session: null }], 'pay', to)).toBe('allow')
})

test('what people answered is stated', async () => {
  for (const args of [large, huge]) {
    expect(await after([{ tool: 'pay', args }], 'code', {})).toBe('policy_blocked')
    for (const [answered, comes] of [
      ['approved', 'allow'],
      ['declined', 'policy_blocked'],
    ] as const) {
      expect(await after([{ tool: 'pay', args, answered }], 'code', {})).toBe(comes)
    }
  }
  // Asked for a reason, they give one.
  const bare = { tool: 'wipe', justification: '' }
  expect(await after([bare], 'code', {})).toBe('policy_blocked')
  expect(await after([{ ...bare, answered: 'approved' }], 'code', {})).toBe('allow')
})

test('what they agreed to is known, and what they declined is not', async () => {
  const first = { tool: 'mail', args: { to: 'ann@x.org' } }
  const next = { to: 'ann@x.org', amount: 1 }
  expect(await after([first], 'mail', next)).toMatch(/^ask/)
  expect(await after([{ ...first, answered: 'approved' }], 'mail', next)).toBe('allow')
  expect(await after([{ ...first, answered: 'declined' }], 'mail', next)).toMatch(/^ask/)
})

test('an answer to what no one is asked about is a mistake, and named', async () => {
  const found = await after([{ tool: 'pay', args: to, answered: 'approved' }], 'code', {})
  expect(found).toMatch(/`one`: given.before: .*no one is asked/)
})
