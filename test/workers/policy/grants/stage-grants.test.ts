// Grants as the policy stage counts them: which later calls they answer for, and which are asked
// about all the same.
import { expect, test } from 'vitest'
import type { Condition } from '#schemas/catalog'
import { allow, bound, deny, none, review } from '#testing/expected'
import { grant, catalogChange, decision, passing } from '#testing/people'
import { intent as asked, message } from '#testing/steps'
import { given } from '../../../support/given.ts'
import { anyArgs, deletion, erase } from '../../../support/scene.ts'

const day = 24 * 3_600_000
const large: Condition = {
  name: 'large',
  effect: 'confirm',
  when: 'args.n > 10',
  question: 'So much?',
}
const send = { id: 'send', safetyClass: 'READ' as const, argsSchema: anyArgs, conditions: [large] }
const desk = {
  id: 'desk',
  tier: 'four_eyes' as const,
  group: 'desk',
  sessionless: true,
  quorum: 2,
}
const setup = {
  catalog: {
    capabilities: [send, erase],
    limits: [{ safetyClass: 'READ' as const, uses: 'unlimited' as const, windowMs: 1 }],
    principals: [
      { id: 'other', owner: 'olga' },
      { id: 'Bot', owner: 'olga' },
    ],
    groups: [{ id: 'desk', members: ['piet', 'quin'] }],
    confirmations: [desk],
  },
  graph: deletion(),
}
const call = (n: number, more = {}) => asked('send', { args: { n }, ...more })
const on = () => given(setup, call(11), decision('olga'))
const put = (entry: typeof send & { confirmation?: string }) =>
  catalogChange({ op: 'put', collection: 'capabilities', entry: { ...empty, ...entry } })
const empty = {
  description: '',
  sensitivity: 'NONE' as const,
  concepts: [],
  allowedFields: [],
  tags: [],
}

test('a call that fits is allowed without a question, and the verdict cites the grant', () => {
  const name = 'main.1.grant.g1.olga'
  on()
    .when(grant('olga', { id: 'g1', when: 'args.n <= 20', uses: 3 }), call(15))
    .then(
      allow({ grants: [{ grant: name, confirmer: 'olga', use: 1 }], review: null, release: null }),
      bound('use', { grant: name, use: 1, taken: 1, uses: 3 }),
    )
})

test('a call that does not fit is asked about, and takes no use', () => {
  const granted = on()
    .when(grant('olga', { when: 'args.n <= 20' }))
    .then(bound('grant'))
  granted.when(call(20)).then(allow())
  granted.when(call(21)).then(review(), none('use'))
  granted.when(call(11, { as: 'other' })).then(review(), none('use'))
  granted.when(call(11, { as: 'Bot' })).then(review(), none('use'))
  // What needs no one takes nothing.
  granted.when(call(1)).then(allow(), none('use'))
})

test('a condition that cannot be worked out answers for nothing', () => {
  const granted = on()
    .when(grant('olga', { when: 'args.missing < 3' }))
    .then(bound('grant'))
  granted.when(call(11)).then(review(), none('use'))
})

test('the last use counts, and the one after it asks', () => {
  const granted = on()
    .when(grant('olga', { uses: 2 }), call(11))
    .then(allow())
  granted
    .when(call(11))
    .then(allow(), bound('use', { taken: 2 }))
    .when(call(11))
    .then(review())
})

test('at its last moment it counts, and one millisecond later it asks', () => {
  const granted = on()
    .when(grant('olga', { forMs: 1_000 }))
    .then(bound('grant'))
  granted.when(passing(1_000), call(11)).then(allow())
  granted.when(passing(1_001), call(11)).then(review(), none('use'))
})

test('what is allowed may be done no longer than the grant lasts', () => {
  const granted = on()
    .when(grant('olga', { forMs: 1_000 }), passing(400))
    .then(bound('grant'))
  const { facts } = granted.when(call(11))
  const verdict = facts.findLast(({ kind }) => kind === 'verdict')
  expect(verdict?.data).toMatchObject({ terms: { useBy: '2026-01-01T00:00:01.000Z' } })
})

test('its budget is a sum over the calls, exact to the last part', () => {
  const budget = { of: 'args.n', max: '31' }
  const granted = on().when(grant('olga', { budget }), call(15)).then(allow())
  granted.when(call(17)).then(review(), none('use'))
  granted.when(call(16)).then(allow(), bound('use', { amount: '16', max: '31' }))
  granted.when(asked('send', { args: { n: 12, cost: 1 } })).then(allow())
  on()
    .when(grant('olga', { budget: { of: 'args.cost', max: '5' } }), call(11))
    .then(review(), none('use'))
})

test('a new question asks, whatever a grant says of the others', () => {
  const granted = on().when(grant('olga')).then(bound('grant'))
  const more: Condition = { name: 'odd', effect: 'confirm', when: 'args.n == 13' }
  const changed = granted.when(put({ ...send, conditions: [large, more] })).then(bound('catalog'))
  changed.when(call(11)).then(allow())
  changed.when(call(13)).then(review(), none('use'))
})

test('a rule that asks something else under its old name is a new question', () => {
  const granted = on().when(grant('olga')).then(bound('grant'))
  const other: Condition = { ...large, question: 'Really so much?' }
  granted.when(put({ ...send, conditions: [other] }), call(11)).then(review(), none('use'))
})

test('what a message asks for itself is asked each time', () => {
  const granted = on().when(grant('olga')).then(bound('grant'))
  const human = { safety: { level: 'safe', issues: [], requires_human: true } }
  granted.when(call(11)).then(allow())
  granted.when(call(11, { message: human })).then(review(), none('use'))
})

test('an agent whose signer has lost the right to decide is asked about', () => {
  const granted = on().when(grant('olga')).then(bound('grant'))
  const suspended = catalogChange({ op: 'suspend', id: 'olga' })
  granted.when(suspended, call(11)).then(deny('no_confirmer'), none('use'))
  const owner = { id: 'bot', owner: 'piet', roles: [], attributes: {}, keys: [], suspended: false }
  const moved = catalogChange({ op: 'put', collection: 'principals', entry: owner })
  granted.when(moved, call(11)).then(review({ confirmers: ['piet'] }), none('use'))
})

const pair = () => {
  const asks = { ...send, confirmation: 'desk' }
  const catalog = { ...setup.catalog, capabilities: [asks] }
  return given({ ...setup, catalog }, call(11), decision('piet'), decision('quin'))
}

test('a quorum of two needs the grants of two people', () => {
  const one = pair()
    .when(grant('piet', { id: 'g1' }))
    .then(bound('grant'))
  one.when(call(11)).then(review({ quorum: 2 }), none('use'))
  one.when(grant('piet', { id: 'g2' }), call(11)).then(review(), none('use'))
  one.when(grant('quin', { id: 'g3' }), call(11)).then(
    allow({
      grants: [
        { confirmer: 'piet', use: 1 },
        { confirmer: 'quin', use: 1 },
      ],
    }),
  )
})

test('a confirmer who left the group, or whose side asks, does not count any more', () => {
  const two = pair().when(grant('piet'), grant('quin')).then(bound('grant'))
  const left = catalogChange({
    op: 'put',
    collection: 'groups',
    entry: { id: 'desk', members: ['piet', 'root', 'olga'] },
  })
  two.when(left, call(11)).then(review({ confirmers: ['piet', 'root'] }), none('use'))
})

test('who asked the agent to act in its session does not answer for it, grant or not', () => {
  const session = 'S-2026-01-01-bot-000001'
  const two = pair().when(grant('piet'), grant('quin')).then(bound('grant'))
  two.when(call(11, { session })).then(allow())
  const wanted = message({ as: 'quin', session, message: { type: 'query', receiver: 'bot' } })
  two.when(wanted, call(11, { session })).then(deny('no_confirmer'), none('use'))
})

test('a key that is taken out of the catalog takes its grants along', () => {
  const granted = on().when(grant('olga')).then(bound('grant'))
  const olga = granted.when(call(11)).then(allow())
  const entry = {
    id: 'olga',
    roles: [],
    attributes: {},
    keys: ['ed25519:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
    suspended: false,
  }
  const changed = catalogChange({ op: 'put', collection: 'principals', entry })
  olga.when(changed, call(11)).then(review(), none('use'))
})

const classed = (safetyClass: 'READ' | 'DESTRUCTIVE', grants?: ('READ' | 'DESTRUCTIVE')[]) => {
  const own = { id: 'own', tier: 'confirm' as const, ...(grants && { grants }) }
  const catalog = {
    ...setup.catalog,
    capabilities: [{ ...send, safetyClass, confirmation: 'own' }],
    confirmations: [own],
    defaults: { rolesFor: { DESTRUCTIVE: ['writer'] } },
  }
  const justification = 'it is needed for the release'
  return { first: given({ ...setup, catalog }, call(11, { justification })), justification }
}

test('nothing destructive is answered for, unless its confirmation allows that', () => {
  const { first, justification } = classed('DESTRUCTIVE')
  const again = call(11, { justification })
  first.when(decision('olga'), grant('olga'), again).then(review(), none('use'))
  const open = classed('DESTRUCTIVE', ['DESTRUCTIVE']).first
  open.when(decision('olga'), grant('olga'), again).then(allow(), bound('use'))
})

test('a confirmation may say that each call is asked about', () => {
  const { first } = classed('READ', [])
  first.when(decision('olga'), grant('olga'), call(11)).then(review(), none('use'))
})

test('a class that has changed since is a question again', () => {
  const granted = on().when(grant('olga')).then(bound('grant'))
  const written = { ...empty, ...send, safetyClass: 'WRITE' as const }
  const changed = catalogChange({ op: 'put', collection: 'capabilities', entry: written })
  const justification = 'it is needed for the release'
  granted.when(changed, call(11, { justification })).then(review(), none('use'))
})

test('a grant for longer than a year counts for nothing', () => {
  on()
    .when(grant('olga', { forMs: 367 * day }), call(11))
    .then(review(), none('use'))
})
