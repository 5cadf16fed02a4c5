// Rules as data, from the message to the verdict: lists of who may, conditions of a capability, of
// the catalog and of policies on edges, and what a review asks because of them.
import { describe, test } from 'vitest'
import type { z } from 'zod'
import type { Capability, CatalogFile } from '#schemas/catalog'
import { newestRules } from '#rules/catalog/rules-version'
import { allow, deny, review } from '#testing/expected'
import { evidence, intent } from '#testing/steps'
import { given } from '../../support/given.ts'
import { deletion, erase, look, reason, type PolicyInput } from '../../support/scene.ts'

const send = {
  id: 'send',
  safetyClass: 'WRITE' as const,
  argsSchema: {
    type: 'object',
    properties: { to: { type: 'string' }, amount: { type: 'number' } },
    additionalProperties: false,
  },
}

const principals = [
  { id: 'ops-bot', roles: ['writer', 'ops'], owner: 'olga', attributes: { team: 'red' } },
  { id: 'desk' },
]

type Catalog = z.input<typeof CatalogFile>
type Part = Partial<z.input<typeof Capability>>

function on(part: Part, catalog: Catalog = {}) {
  return given({ catalog: { capabilities: [{ ...send, ...part }], principals, ...catalog } })
}

const asks = (args: Readonly<Record<string, string | number>> = {}, as?: string) =>
  intent('send', { args, justification: reason, ...(as !== undefined && { as }) })

describe('who may use a capability', () => {
  const refused = (cause: string) =>
    deny({ code: 'not_permitted', recover: 'never', params: { tool: 'send', cause } })

  test('are those of `allow`, where there is one', () => {
    on({ allow: [{ principal: 'ops-bot' }] })
      .when(asks())
      .then(refused('allow'))
    on({ allow: [{ principal: 'ops-bot' }] })
      .when(asks({}, 'ops-bot'))
      .then(allow())
    on({ allow: [{ role: 'ops' }] })
      .when(asks({}, 'ops-bot'))
      .then(allow())
    on({ allow: [{ attributes: { team: 'red' } }] })
      .when(asks({}, 'ops-bot'))
      .then(allow())
    on({ allow: [{ role: 'ops', attributes: { team: 'blue' } }] })
      .when(asks({}, 'ops-bot'))
      .then(refused('allow'))
    on({ allow: [] }).when(asks({}, 'ops-bot')).then(refused('allow'))
  })

  test('are none of `deny`, which wins', () => {
    on({ allow: [{ role: 'ops' }], deny: [{ attributes: { team: 'red' } }] })
      .when(asks({}, 'ops-bot'))
      .then(refused('deny'))
  })
})

describe('a condition of a capability', () => {
  const outside = '!args.to.endsWith("@acme.com")'

  test('denies where it holds, as its author says', () => {
    const conditions = [
      {
        name: 'outside',
        when: outside,
        effect: 'deny' as const,
        message: 'inside only',
        recover: 'fix' as const,
      },
    ]
    on({ conditions })
      .when(asks({ to: 'a@evil.com' }))
      .then(
        deny({
          code: 'policy_blocked',
          recover: 'fix',
          params: { rule: 'outside', message: 'inside only' },
        }),
      )
    on({ conditions })
      .when(asks({ to: 'a@acme.com' }))
      .then(allow())
  })

  test('is required, so what it does not hold for is denied', () => {
    const conditions = [{ name: 'inside', when: 'args.amount <= 100', effect: 'require' as const }]
    on({ conditions })
      .when(asks({ amount: 101 }))
      .then(deny({ code: 'policy_blocked', recover: 'never', params: { rule: 'inside' } }))
    on({ conditions })
      .when(asks({ amount: 100 }))
      .then(allow())
  })

  test('asks people where it holds', () => {
    const question = 'It goes outside the company.'
    const conditions = [{ name: 'outside', when: outside, effect: 'confirm' as const, question }]
    on({ conditions })
      .when(asks({ to: 'a@evil.com' }))
      .then(review({ questions: [{ kind: 'condition', message: question, rule: 'outside' }] }))
  })

  test('refuses where it cannot be worked out, and says which', () => {
    const conditions = [{ name: 'inside', when: 'args.amount <= 100', effect: 'require' as const }]
    on({ conditions })
      .when(asks())
      .then(
        deny({
          code: 'policy_faulted',
          recover: 'never',
          params: { rule: 'inside', fault: { code: 'condition_failed', params: {} } },
        }),
      )
  })

  test('is not asked of arguments that the schema refuses', () => {
    const conditions = [{ name: 'inside', when: 'args.amount <= 100', effect: 'require' as const }]
    on({ conditions })
      .when(asks({ amount: 'many' }))
      .then(deny('invalid_arguments'))
  })

  test('reads evidence of those whom the catalog trusts, and no one else', () => {
    const when = 'session.evidence.exists(e, e.sender == "desk" && e.payload.paid == true)'
    const conditions = [{ name: 'paid', when, effect: 'require' as const }]
    const trusting = { trustedEvidence: [{ sender: 'desk', for: ['send'] }] }
    const session = { session: 's1' }
    const paid = evidence('desk', { paid: true }, session)
    const request = intent('send', { justification: reason, ...session })
    on({ conditions }, trusting).when(request).then(deny('policy_blocked'))
    on({ conditions }, trusting).when(paid, request).then(allow())
    on({ conditions }).when(paid, request).then(deny('policy_blocked'))
  })
})

test('a condition of the catalog is about calls of every capability', () => {
  const when = 'capability.safetyClass != "READ"'
  const conditions = [{ name: 'frozen', when, effect: 'deny' as const, recover: 'wait' as const }]
  const catalog = { capabilities: [look, send], principals, conditions }
  given({ catalog }).when(intent('look')).then(allow())
  given({ catalog })
    .when(asks())
    .then(deny({ code: 'policy_blocked', recover: 'wait', params: { rule: 'frozen' } }))
})

describe('a policy on an edge with a condition', () => {
  const catalog = { capabilities: [erase] }
  const paths = (policy: PolicyInput) => ({ catalog, graph: deletion(policy) })
  const tmp = 'args.path.startsWith("/scratch/")'

  test('applies only where it holds', () => {
    const graph = paths({ name: 'ask', when: `!${tmp}` })
    given(graph)
      .when(intent('erase', { args: { path: '/etc/x' } }))
      .then(review({ questions: [{ kind: 'policy', policy: 'ask' }] }))
    given(graph)
      .when(intent('erase', { args: { path: '/scratch/x' } }))
      .then(allow())
  })

  test('refuses where it asks no one', () => {
    const graph = paths({ name: 'never', when: `!${tmp}`, requiresConfirmation: false })
    given(graph)
      .when(intent('erase', { args: { path: '/etc/x' } }))
      .then(deny({ code: 'policy_blocked', recover: 'never', params: { policy: 'never' } }))
    given(graph)
      .when(intent('erase', { args: { path: '/scratch/x' } }))
      .then(allow())
  })

  test('refuses where it cannot be worked out', () => {
    given(paths({ name: 'ask', when: tmp }))
      .when(intent('erase'))
      .then(deny('policy_faulted'))
  })

  test.each([
    ['double(args.n) > 1000.0', ['5,000.00', '$5000', 'NaN', ' 5', '']],
    ['int(args.n) > 16', ['0x10', '1.0', '']],
    ["timestamp(args.n) > timestamp('2026-03-01T00:00:00Z')", ['2026-02-30T00:00:00Z']],
    ["duration(args.n) > duration('1h')", ['5 minutes', '']],
  ])('refuses `%s` of a text that is not wholly one', (when, texts) => {
    const { catalog, graph } = paths({ name: 'ask', when })
    for (const n of texts) {
      const asked = intent('erase', { args: { n } })
      given({ catalog: { ...catalog, rules: newestRules }, graph })
        .when(asked)
        .then(deny('policy_faulted'))
    }
  })
})
