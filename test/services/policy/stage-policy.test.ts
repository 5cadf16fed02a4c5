// Every reason that policy can give, end to end, with how to recover from it.
import { expect, test } from 'vitest'
import type { Json } from '#core/kernel/canonical'
import { anyArgs, deletion, erase, expectReplay, judged, look } from '../../support/scene.ts'
import {
  names,
  reason,
  recoveries,
  scene,
  type PolicyInput,
  type Saying,
  type SceneSetup,
} from '../../support/scene.ts'

const write = { id: 'write', safetyClass: 'WRITE' as const, argsSchema: anyArgs }
const destroy = { ...write, id: 'destroy', safetyClass: 'DESTRUCTIVE' as const }
const pii = { ...look, id: 'pii', sensitivity: 'PII' as const }
const secrets = { ...look, id: 'secrets', sensitivity: 'SECRETS' as const }
const remember = { ...write, id: 'remember', sensitivity: 'MEMORY' as const }
const recallIt = { ...look, id: 'recall', sensitivity: 'MEMORY' as const }
const strict = {
  ...look,
  id: 'strict',
  argsSchema: {
    type: 'object',
    properties: { n: { type: 'integer' } },
    additionalProperties: false,
    required: ['n'],
  },
}
const capabilities = [look, erase, write, destroy, pii, secrets, remember, recallIt, strict]
const principals = [
  { id: 'stopped', suspended: true },
  { id: 'guest' },
  { id: 'tenant', attributes: { tenant: '' } },
  { id: 'boss', roles: ['admin'], owner: 'olga' },
  { id: 'lone', roles: ['writer'] },
]
const module = `
export const no = () => ({ passed: false, message: 'the file is open' })
export const broken = () => { throw new Error('no') }
`
const setup = {
  catalog: { capabilities, principals, knownConstraints: ['no_pii'] },
  graph: deletion(),
  module,
}

const blocked = { policies: [{ name: 'closed', requiresConfirmation: false, callback: 'no' }] }
const faulty = { policies: [{ name: 'check', requiresConfirmation: false, callback: 'broken' }] }
const asking = { policies: [{ name: 'ask' }] }

type Row = readonly [
  string,
  { readonly tool: string } & { readonly [key: string]: Json },
  (Saying & { readonly policies?: readonly PolicyInput[] }) | undefined,
]

const rows: readonly Row[] = [
  [
    'message_blocked never',
    { tool: 'look' },
    { message: { safety: { level: 'block', issues: [] } } },
  ],
  [
    'context_gate_failed fix',
    { tool: 'look' },
    { message: { constraints: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'] } },
  ],
  ['agent_suspended never', { tool: 'look' }, { as: 'stopped' }],
  ['unknown_capability fix', { tool: 'fly' }, undefined],
  ['unknown_capability fix', { tool: '__proto__' }, undefined],
  ['unknown_capability fix', { tool: 'constructor' }, undefined],
  ['invalid_arguments fix', { tool: 'strict', args: { n: 1.5 } }, undefined],
  ['invalid_arguments fix', { tool: 'strict', args: { n: 1, more: 1 } }, undefined],
  ['invalid_arguments fix', { tool: 'strict' }, undefined],
  ['missing_role never', { tool: 'write', justification: reason }, { as: 'guest' }],
  ['unknown_agent never', { tool: 'look' }, { as: 'nobody-knows-me' }],
  ['missing_role never', { tool: 'destroy', justification: reason }, undefined],
  ['missing_role never', { tool: 'secrets', justification: reason }, undefined],
  ['missing_tenant_attribute never', { tool: 'pii' }, undefined],
  ['memory_write_requires_writer never', { tool: 'remember', justification: reason }, undefined],
  [
    'memory_sensitive_read_denied never',
    { tool: 'recall', scope: { memory_scope: 'sensitive' } },
    undefined,
  ],
  ['invalid_constraint fix', { tool: 'look', constraints: { max_rows: '7' } }, undefined],
  ['ungrounded learn', { tool: 'look', concepts: ['moon'] }, undefined],
  ['policy_faulted never', { tool: 'erase' }, faulty],
  ['policy_blocked never', { tool: 'erase' }, blocked],
  ['insufficient_justification ask', { tool: 'write' }, { as: 'lone' }],
  [
    'insufficient_justification ask',
    { tool: 'write', justification: 'because I say' },
    { as: 'lone' },
  ],
  ['no_confirmer never', { tool: 'erase' }, { as: 'lone', ...asking }],
]

test.each(rows)('%s: %j', async (expected, intent, given) => {
  const { policies, ...saying } = given ?? {}
  const on = await scene({ ...setup, graph: deletion(...(policies ?? [])) })
  const denied = await judged(on, { intent, ...saying })
  expect(denied.outcome).toBe('deny')
  expect(denied.terms).toBe(null)
  expect(recoveries(denied)).toEqual([expected])
  await expectReplay(on)
})

test.each([
  [{ tool: 'strict', args: { n: 1 } }, {}],
  [{ tool: 'write', justification: reason }, {}],
  [{ tool: 'destroy', justification: reason }, { as: 'boss' }],
  [{ tool: 'secrets', justification: reason }, { as: 'boss' }],
  [{ tool: 'pii' }, { as: 'tenant' }],
  [{ tool: 'remember', justification: reason }, { as: 'boss' }],
  [{ tool: 'recall', scope: { memory_scope: 'own' } }, {}],
  [{ tool: 'look', constraints: { max_rows: 7 } }, {}],
  [{ tool: 'look', concepts: ['file'] }, {}],
  [{ tool: 'erase' }, {}],
  [{ tool: 'look' }, { as: 'honest' }],
])('the neighbour of a refusal is allowed: %j as %j', async (intent, saying) => {
  const allowed = await judged(await scene(setup), { intent, ...saying })
  expect(recoveries(allowed)).toEqual([])
  expect(allowed.outcome).toBe('allow')
  expect(allowed.terms).toMatchObject({ capability: intent.tool })
})

test('all that refuses is listed, the first in precedence at the head', async () => {
  const on = await scene({ ...setup, graph: deletion(...blocked.policies, ...faulty.policies) })
  const intent = { tool: 'erase', concepts: ['moon'], constraints: { max_rows: -0.5 } }
  const denied = await judged(on, { as: 'stopped', intent })
  // No check is run for a call that is refused whatever it says.
  expect(recoveries(denied)).toEqual([
    'agent_suspended never',
    'invalid_constraint fix',
    'ungrounded learn',
  ])
  expect(denied.gaps.map(({ kind }) => kind)).toContain('EXISTENCE')
})

test('a reason that would not be enough alone is to be given with the next request', async () => {
  const on = await scene(setup)
  const denied = await judged(on, { intent: { tool: 'write', concepts: ['moon'] } })
  expect(recoveries(denied)).toEqual(['ungrounded learn', 'insufficient_justification fix'])
})

test('what is refused anyway is asked of nobody', async () => {
  const on = await scene({ ...setup, graph: deletion(...blocked.policies, ...asking.policies) })
  const denied = await judged(on, { intent: { tool: 'erase' } })
  expect(recoveries(denied)).toEqual(['policy_blocked never'])
  expect(await names(on.log, 'main.1.review.>')).toEqual([])
})

test('a failed check refuses before a message that its sender blocks is asked about', async () => {
  const safety = { level: 'block', issues: [], requires_human: true }
  const denied = await judged(await scene(setup), { intent: { tool: 'look' }, message: { safety } })
  expect(recoveries(denied)).toEqual(['message_blocked never'])
})

test('a policy is triggered by the cardinality of the call, and by an unknown one', async () => {
  const [policy] = blocked.policies
  const several = {
    ...setup,
    graph: deletion({ ...policy, name: 'several', triggerCardinality: 'multiple' }),
  }
  const on = await scene(several)
  const outcome = async (cardinality?: string) => {
    const intent = { tool: 'erase', ...(cardinality !== undefined && { cardinality }) }
    return (await judged(on, { intent })).outcome
  }
  expect(await outcome('multiple')).toBe('deny')
  expect(await outcome()).toBe('deny')
  expect(await outcome('single')).toBe('allow')
})

test('the agent`s word for the cardinality does not outweigh the catalog`s', async () => {
  const [policy] = blocked.policies
  const graph = deletion({ ...policy, name: 'several', triggerCardinality: 'multiple' })
  const of = (cardinality: 'single' | 'multiple'): SceneSetup => ({
    ...setup,
    graph,
    catalog: { ...setup.catalog, capabilities: [{ ...erase, cardinality }] },
  })
  const claimed = { tool: 'erase', cardinality: 'single' }
  expect((await judged(await scene(of('multiple')), { intent: claimed })).outcome).toBe('deny')
  expect((await judged(await scene(of('single')), { intent: claimed })).outcome).toBe('allow')
})

test('an allow binds the agent to its constraints and to the caps', async () => {
  const on = await scene(setup)
  const bound = async (constraints: Json) => {
    const { terms } = await judged(on, { intent: { tool: 'look', constraints } })
    return terms?.constraints
  }
  expect(await bound({ region: 'eu', max_rows: 7 })).toEqual({ region: 'eu', max_rows: 7 })
  expect(await bound({ max_rows: 50 })).toEqual({ max_rows: 50 })
  expect(await bound({ max_rows: 51 })).toEqual({ max_rows: 50 })
  expect(await bound({})).toEqual({ max_rows: 50 })
})

test('an allow says until when it is good', async () => {
  const on = await scene(setup)
  const { terms } = await judged(on, { intent: { tool: 'look' } })
  expect(Date.parse(terms?.useBy ?? '')).toBe(on.time.now + 300_000)
})
