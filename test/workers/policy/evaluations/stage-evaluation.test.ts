// What one asks about another, by the stages: who may ask, by whose rights it is judged, and that
// it permits, asks and uses up nothing.
import { describe, expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { allow, deny } from '#testing/expected'
import { catalogChange } from '#testing/people'
import { intent, message } from '#testing/steps'
import { given } from '../../../support/given.ts'
import { anyArgs } from '../../../support/scene.ts'

const conditions = [
  { name: 'large', effect: 'confirm' as const, when: 'has(args.n) && args.n > 10' },
  {
    name: 'own',
    effect: 'require' as const,
    when: '!has(args.owner) || args.owner == principal.attributes.mail',
  },
]

const catalog = {
  rules: newestRules,
  principals: [
    {
      id: 'app',
      roles: ['admin'],
      evaluates: { subjects: [{ type: 'user', who: { role: 'staff' } }] },
    },
    {
      id: 'gate',
      evaluates: { subjects: [{ type: 'user', who: { role: 'staff' } }], enforces: true },
    },
    { id: 'ann', roles: ['staff', 'writer'], attributes: { mail: 'ann@x.org' }, owner: 'olga' },
    { id: 'ben', roles: ['staff'], attributes: { mail: 'ben@x.org' } },
    { id: 'boss', roles: ['admin'] },
    { id: 'desk' },
  ],
  capabilities: [
    { id: 'doc.read', safetyClass: 'READ' as const, argsSchema: anyArgs, conditions },
    { id: 'doc.write', safetyClass: 'WRITE' as const, argsSchema: anyArgs },
  ],
  limits: [{ capability: 'doc.read', uses: 1, windowMs: 60_000 }],
  trustedEvidence: [{ sender: 'desk', for: ['*'] }],
}

const justification = 'they asked the desk for it'

function asks(id: string, more: Parameters<typeof intent>[1] & { readonly tool?: string } = {}) {
  const { tool = 'doc.read', ...fields } = more
  const base = { as: 'app', session: null, justification }
  return intent(tool, { ...base, subject: { type: 'user', id }, ...fields })
}

const refused = { code: 'subject_refused', params: { cause: 'not_assigned', path: '/subject' } }

describe('who asks about another', () => {
  test('is answered by the rights of that one, and permitted nothing', () => {
    const outcome = given({ catalog }).when(asks('ann', { tool: 'doc.write' }))
    outcome.then(allow({ observed: true, terms: null, constraints: { max_rows: 50 } }))
    // The role of who asks is no role of the subject.
    given({ catalog })
      .when(asks('ben', { tool: 'doc.write' }))
      .then(deny('missing_role'))
  })

  test('has conditions read the subject', () => {
    const args = { owner: 'ann@x.org' }
    given({ catalog }).when(asks('ann', { args })).then(allow())
    given({ catalog }).when(asks('ben', { args })).then(deny('policy_blocked'))
  })

  test.each([
    ['one who is not named', asks('boss')],
    ['one of another type', asks('ann', { subject: { type: 'robot', id: 'ann' } })],
    ['one whom no one knows', asks('nemo')],
    ['anyone, where the catalog names no one', asks('ben', { as: 'ann' })],
    ['another as itself', asks('ann', { subject: { id: 'ann' } })],
  ])('is refused %s, in the same words', (_, step) => {
    given({ catalog }).when(step).then(deny(refused))
  })

  test('may ask about itself', () => {
    const own = { tool: 'doc.write', subject: { id: 'app' } }
    given({ catalog })
      .when(asks('app', own))
      .then(allow({ observed: true, terms: null }))
  })

  test('cites no delegation', () => {
    const delegation = 'main.1.vlp.ann.S-1.D1'
    const cause = { code: 'subject_refused', params: { cause: 'delegated' } }
    given({ catalog }).when(asks('ann', { delegation })).then(deny('delegation_refused', cause))
  })

  test('asks no one, and says who might be', () => {
    const asked = { code: 'no_confirmer', params: { cause: 'not_asked' } }
    given({ catalog })
      .when(asks('ann', { args: { n: 11 } }))
      .then(deny(asked))
    // Whose call has no one who may confirm it, is refused for that.
    const none = { code: 'no_confirmer', params: { cause: 'none_eligible' } }
    given({ catalog })
      .when(asks('ben', { args: { n: 11 } }))
      .then(deny(none))
  })

  test('is stopped where it, or the subject, is', () => {
    for (const id of ['app', 'ann']) {
      const suspended = { code: 'agent_suspended', params: { principal: id } }
      given({ catalog }, catalogChange({ op: 'suspend', id }))
        .when(asks('ann'))
        .then(deny(suspended))
    }
    const safety = { level: 'block', issues: [] }
    given(
      { catalog },
      message({ as: 'desk', session: 'S-1', message: { receiver: 'ann', safety } }),
    )
      .when(asks('ann'))
      .then(deny('message_blocked'))
  })
})

describe('limits', () => {
  test('are read for who only asks, and used up for who acts by the answer', () => {
    const read = given({ catalog }).when(asks('ann'), asks('ann'))
    expect(read.log.filter(({ name }) => name.includes('.rate.'))).toEqual([])
    const used = given({ catalog }, asks('ann', { as: 'gate' })).when(asks('ann'))
    used.then(deny('rate_limited'))
    // It is the subject that has used it, and no one else.
    given({ catalog }, asks('ann', { as: 'gate' }))
      .when(asks('ben'))
      .then(allow())
    given({ catalog }, asks('ann', { as: 'gate' }))
      .when(intent('doc.read', { as: 'gate', session: null, justification }))
      .then(allow())
  })
})

test('rules before these refuse what names a subject', () => {
  const issues = [{ code: 'schema_invalid', path: '/payload/intent' }]
  given({ catalog: { ...catalog, rules: 3 } })
    .when(asks('ann'))
    .then(deny({ code: 'malformed_message', params: { issues } }))
})
