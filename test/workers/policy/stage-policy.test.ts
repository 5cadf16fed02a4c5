// Every reason that policy can give, end to end, with how to recover from it.
import { expect, test } from 'vitest'
import type { Json } from '#record/canonical'
import { allow, bound, deny, none } from '#testing/expected'
import { message } from '#testing/steps'
import { given } from '../../support/given.ts'
import { anyArgs, deletion, erase, look, reason, type PolicyInput } from '../../support/scene.ts'

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
const callbacks = {
  no: () => ({ passed: false, message: 'the file is open' }),
  broken: () => {
    throw new Error('no')
  },
}
const setup = {
  catalog: { capabilities, principals, knownConstraints: ['no_pii'] },
  graph: deletion(),
  callbacks,
}

const blocked = { policies: [{ name: 'closed', requiresConfirmation: false, callback: 'no' }] }
const faulty = { policies: [{ name: 'check', requiresConfirmation: false, callback: 'broken' }] }
const confirmed = { policies: [{ name: 'ask' }] }

type Asked = { readonly tool: string } & { readonly [key: string]: Json }

interface Saying {
  readonly as?: string
  readonly message?: Readonly<Record<string, unknown>>
  readonly policies?: readonly PolicyInput[]
}

type Row = readonly [string, Asked, Saying | undefined]

/** As any publisher may put it, also what is no intent. */
function asking(intent: Json, { as, message: fields }: Saying = {}) {
  const query = { type: 'query', payload: { intent }, ...fields }
  return message({ message: query, ...(as !== undefined && { as }) })
}

/** The code of a reason, and how to recover from it. */
const recovering = (text: string) => {
  const [code, recover] = text.split(' ')
  return { code, recover }
}

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
  ['unknown_agent never', { tool: 'look' }, { as: 'no-such-agent' }],
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
  ['no_confirmer never', { tool: 'erase' }, { as: 'lone', ...confirmed }],
]

test.each(rows)('%s: %j', (expected, intent, saying = {}) => {
  const { policies = [] } = saying
  given({ ...setup, graph: deletion(...policies) })
    .when(asking(intent, saying))
    .then(deny(recovering(expected)), bound('verdict', { terms: null }))
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
])('the neighbour of a refusal is allowed: %j as %j', (intent, saying) => {
  given(setup)
    .when(asking(intent, saying))
    .then(allow({ reasons: [], terms: { capability: intent.tool } }))
})

test('all that refuses is listed, the first in precedence at the head', () => {
  const intent = { tool: 'erase', concepts: ['moon'], constraints: { max_rows: -0.5 } }
  const { grounding, ...denied } = given({
    ...setup,
    graph: deletion(...blocked.policies, ...faulty.policies),
  }).when(asking(intent, { as: 'stopped' }))
  // No check is run for a call that is refused whatever it says.
  denied.then(
    deny(
      ...['agent_suspended never', 'invalid_constraint fix', 'ungrounded learn'].map(recovering),
    ),
  )
  expect(grounding?.ground?.gaps.map(({ kind }) => kind)).toContain('EXISTENCE')
})

test('a reason that would not be enough alone is to be given with the next request', () => {
  given(setup)
    .when(asking({ tool: 'write', concepts: ['moon'] }))
    .then(deny(...['ungrounded learn', 'insufficient_justification fix'].map(recovering)))
})

test('what is refused anyway is asked of no one', () => {
  given({ ...setup, graph: deletion(...blocked.policies, ...confirmed.policies) })
    .when(asking({ tool: 'erase' }))
    .then(deny(recovering('policy_blocked never')), none('review'))
})

test('a failed check refuses before a message that its sender blocks is asked about', () => {
  const safety = { level: 'block', issues: [], requires_human: true }
  given(setup)
    .when(asking({ tool: 'look' }, { message: { safety } }))
    .then(deny(recovering('message_blocked never')))
})

const [closed] = blocked.policies
const several = deletion({ ...closed, name: 'several', triggerCardinality: 'multiple' })

test('a policy is triggered by the cardinality of the call, and by an unknown one', () => {
  const on = given({ ...setup, graph: several })
  on.when(asking({ tool: 'erase', cardinality: 'multiple' })).then(deny('policy_blocked'))
  on.when(asking({ tool: 'erase' })).then(deny('policy_blocked'))
  on.when(asking({ tool: 'erase', cardinality: 'single' })).then(allow())
})

test('the word of the agent for the cardinality does not outweigh that of the catalog', () => {
  const on = (cardinality: 'single' | 'multiple') => {
    const catalog = { ...setup.catalog, capabilities: [{ ...erase, cardinality }] }
    return given({ ...setup, graph: several, catalog })
  }
  const claimed = asking({ tool: 'erase', cardinality: 'single' })
  on('multiple').when(claimed).then(deny('policy_blocked'))
  on('single').when(claimed).then(allow())
})

test.each<[Json, Json]>([
  [
    { region: 'eu', max_rows: 7 },
    { region: 'eu', max_rows: 7 },
  ],
  [{ max_rows: 50 }, { max_rows: 50 }],
  [{ max_rows: 51 }, { max_rows: 50 }],
  [{}, { max_rows: 50 }],
])('an allow binds the agent to its constraints and to the caps: %j', (constraints, expected) => {
  const { verdict } = given(setup).when(asking({ tool: 'look', constraints }))
  expect(verdict?.terms?.constraints).toEqual(expected)
})

test('an allow has a last moment', () => {
  given(setup)
    .when(asking({ tool: 'look' }))
    .then(allow({ terms: { useBy: '2026-01-01T00:05:00.000Z' } }))
})
