// What one asks people for another, where the catalog lets it: who may answer, what a yes permits,
// and that nothing else about such a request is different.
import { describe, expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { allow, bound, deny, none, review } from '#testing/expected'
import { catalogChange, decision, grant } from '#testing/people'
import { intent } from '#testing/steps'
import { Capability, Principal } from '#schemas/catalog'
import { given } from '../../../support/given.ts'
import { anyArgs } from '../../../support/scene.ts'

const subjects = [{ type: 'user', who: { role: 'staff' } }]
const minute = 60_000
const desk = {
  id: 'desk',
  tier: 'four_eyes' as const,
  sessionless: true,
  group: 'desk',
  quorum: 1,
  decideWithinMs: minute,
  useWithinMs: minute,
}
const large = {
  name: 'large',
  effect: 'confirm' as const,
  when: 'has(args.n) && args.n > 10',
  confirmation: 'desk',
}
const catalog = {
  rules: newestRules,
  principals: [
    { id: 'gate', owner: 'quin', evaluates: { subjects, asks: true } },
    { id: 'reader', evaluates: { subjects } },
    { id: 'ann', roles: ['staff'], owner: 'olga' },
  ],
  capabilities: [
    { id: 'doc.read', safetyClass: 'READ' as const, argsSchema: anyArgs, conditions: [large] },
  ],
  groups: [{ id: 'desk', members: ['olga', 'piet', 'quin'] }],
  confirmations: [desk],
  limits: [{ capability: 'doc.read', uses: 1, windowMs: minute }],
}

function asks(more: Parameters<typeof intent>[1] = {}) {
  const subject = { type: 'user', id: 'ann' }
  return intent('doc.read', { as: 'gate', session: null, args: { n: 11 }, subject, ...more })
}

const without = catalogChange({
  op: 'put',
  collection: 'principals',
  entry: Principal.parse({ id: 'gate', owner: 'quin', evaluates: { subjects } }),
})

const notAsked = { code: 'no_confirmer', params: { cause: 'not_asked' } }

describe('where the catalog lets a caller ask people for others', () => {
  test('they are shown for whom, and both sides of it are left out', () => {
    const shown = { terms: { subject: 'ann' }, confirmers: ['piet'], excluded: ['olga', 'quin'] }
    given({ catalog }).when(asks()).then(review(shown))
  })

  test('their yes permits the call of the caller, once counted as the subject’s', () => {
    const asked = given({ catalog }, asks())
    const yes = asked.when(decision('piet'))
    yes.then(
      allow({ observed: false, terms: { capability: 'doc.read' } }),
      bound('rate', { agent: 'ann' }),
    )
    asked.when(decision('piet', { answers: false })).then(deny('declined'))
  })

  test('their yes is for that call alone, and for no later ones', () => {
    const asked = given({ catalog }, asks())
    expect(() => asked.when(grant('piet'))).toThrow('is asked each time')
  })

  test('what needs no one permits nothing, as ever', () => {
    given({ catalog })
      .when(asks({ args: { n: 1 } }))
      .then(allow({ observed: true, terms: null }))
  })

  test('no one is asked by an evaluation, by others, or any more', () => {
    given({ catalog })
      .when(asks({ observe: true }))
      .then(deny(notAsked), none('review'))
    given({ catalog })
      .when(asks({ as: 'reader' }))
      .then(deny(notAsked), none('review'))
    given({ catalog }, without).when(asks()).then(deny(notAsked))
    // A yes to what may not be asked any more permits nothing.
    given({ catalog }, asks(), without).when(decision('piet')).then(deny('review_stale'))
  })

  test('what has come to need no one permits nothing, where none may be asked any more', () => {
    const asked = given({ catalog }, asks())
    const small = { ...catalog.capabilities[0], conditions: [] }
    const easier = catalogChange({
      op: 'put',
      collection: 'capabilities',
      entry: Capability.parse(small),
    })
    asked
      .when(easier, decision('piet'))
      .then(allow({ observed: false, terms: { capability: 'doc.read' } }))
    asked.when(easier, without, decision('piet')).then(allow({ observed: true, terms: null }))
  })

  test('a subject that is no one’s business is refused before', () => {
    given({ catalog })
      .when(asks({ subject: { type: 'user', id: 'olga' } }))
      .then(deny('subject_refused'), none('review'))
  })
})
