// A call for others by the stages: each way in which a delegation does not count, and beside it the
// neighbour that does.
import { describe, expect, test } from 'vitest'
import { nowDefault } from '#testing/setup'
import { allow, deny } from '#testing/expected'
import { catalogChange, passing, decision } from '#testing/people'
import { intent, message, type Step } from '#testing/steps'
import { anyArgs, look, reason } from '../../../support/scene.ts'
import { given as givenOf } from '../../../support/given.ts'
import { asks, catalog, delegates, given, named, refusedFor, session } from './delegating.ts'
import { digestOfContent } from '#stages/review'

type Fields = Readonly<Record<string, unknown>>

const hour = 3_600_000
const forReview = { level: 'review', issues: [] }
const at = (ms: number) => new Date(nowDefault + ms).toISOString()

describe('a delegation that counts', () => {
  test('names the chain in the terms, bound to the narrowest and its last moment', () => {
    const constraints = { max_rows: 3, allowed_fields: ['id', 'total'] }
    const data = { constraints, until: at(60_000) }
    const asked = { constraints: { allowed_fields: ['total', 'name'], max_rows: 7 } }
    given(delegates('planner', 'reader', { data }))
      .when(asks('look', asked))
      .then(
        allow({
          terms: {
            chain: ['planner', 'reader'],
            constraints: { allowed_fields: ['total'], max_rows: 3 },
            useBy: at(60_000),
          },
        }),
      )
  })

  test('may be handed on, within what was left', () => {
    const parent = named('planner', 'D1')
    const narrower = { capabilities: ['look'], constraints: { max_rows: 2 }, parent }
    given(
      delegates('planner', 'helper', { data: { constraints: { max_rows: 5 } } }),
      delegates('helper', 'reader', { data: narrower }),
    )
      .when(asks('look', { delegation: named('helper', 'D1') }))
      .then(
        allow({ terms: { chain: ['planner', 'helper', 'reader'], constraints: { max_rows: 2 } } }),
      )
  })

  test('is not missed where it is not cited, and then permits nothing', () => {
    const asked = intent('send', { as: 'intern', session, justification: 'they asked for it' })
    given(delegates('planner', 'intern')).when(asked).then(deny('missing_role'))
  })

  test('counts nothing under rules that do not have it', () => {
    const before = { ...catalog, rules: 2 }
    const issues = [{ code: 'schema_invalid', path: '/payload/intent' }]
    givenOf({ catalog: before }, delegates('planner', 'reader'))
      .when(asks('look'))
      .then(deny({ code: 'malformed_message', params: { issues } }))
  })
})

describe('a delegation is refused', () => {
  const planned = named('planner', 'D1')
  const cases: readonly [string, Step[], Fields?, Fields?][] = [
    ['not_found', []],
    ['not_found', [delegates('planner', 'reader')], { delegation: named('planner', 'D2') }],
    [
      'other_session',
      [delegates('planner', 'reader', { session: 'S-2' })],
      { delegation: named('planner', 'D1', 'S-2') },
    ],
    ['other_session', [delegates('planner', 'reader')], { session: 'S-2' }],
    ['other_session', [delegates('planner', 'reader')], { session: null }],
    ['other_session', [delegates('planner', 'reader')], { delegation: 'D1' }],
    ['other_session', [delegates('planner', 'reader', { message: { session_id: 'S-2' } })]],
    ['malformed', [message({ as: 'planner', session, id: 'D1' })]],
    ['malformed', [delegates('planner', 'reader', { data: { capabilities: [] } })]],
    ['malformed', [delegates('planner', 'reader', { data: { uses: 1 } })]],
    ['malformed', [delegates('planner', 'reader', { message: { type: 'notice' } })]],
    ['malformed', [delegates('planner', 'reader', { message: { receiver: null } })]],
    ['malformed', [delegates('planner', 'reader', { message: { safety: forReview } })]],
    ['not_signed', [delegates('planner', 'reader', { privateKey: null })]],
    ['not_signed', [delegates('planner', 'reader', { message: { sender: 'helper' } })]],
    ['other_agent', [delegates('planner', 'helper')], {}, { principal: 'planner' }],
    ['circular', [delegates('reader', 'reader')], { delegation: named('reader', 'D1') }],
    [
      'capability',
      [delegates('planner', 'reader', { data: { capabilities: ['send'] } })],
      {},
      { tool: 'look' },
    ],
    [
      'condition',
      [delegates('planner', 'reader', { data: { when: 'args.n < 3' } })],
      { args: { n: 3 } },
    ],
    ['condition', [delegates('planner', 'reader', { data: { when: 'args.n < 3' } })]],
    [
      'nothing_left',
      [delegates('planner', 'reader', { data: { constraints: { allowed_fields: ['id'] } } })],
      { constraints: { allowed_fields: ['name'] } },
    ],
    [
      'withdrawn',
      [
        delegates('planner', 'reader'),
        message({ as: 'planner', session, message: { type: 'correction', refers_to: planned } }),
      ],
    ],
    [
      'suspended',
      [delegates('planner', 'reader'), catalogChange({ op: 'suspend', id: 'planner' })],
    ],
    ['ended', [delegates('planner', 'reader'), passing(hour + 1)]],
  ]

  test.each(cases)('as %s (%#)', (cause, steps, asked = {}, more = {}) => {
    given(...steps)
      .when(asks('look', asked))
      .then(deny(refusedFor(cause, more)))
  })

  test('not at its last moment, nor within its condition and its fields', () => {
    given(delegates('planner', 'reader'), passing(hour)).when(asks('look')).then(allow())
    given(delegates('planner', 'reader', { data: { when: 'args.n < 3' } }))
      .when(asks('look', { args: { n: 2 } }))
      .then(allow())
  })

  test('as unknown_principal, of one whom the catalog does not have', () => {
    given(delegates('stranger', 'reader'))
      .when(asks('look', { delegation: named('stranger', 'D1') }))
      .then(deny(refusedFor('unknown_principal', { principal: 'stranger' })))
  })

  test('where it was handed on before it was there, however well its name was guessed', () => {
    const handed = delegates('helper', 'reader', { data: { parent: planned } })
    const asked = asks('look', { delegation: named('helper', 'D1') })
    const first = delegates('planner', 'helper')
    given(handed, first)
      .when(asked)
      .then(deny(refusedFor('not_found', { fact: planned })))
    given(first, handed).when(asked).then(allow())
  })

  test('where the one that is handed on does not count', () => {
    const handed = { data: { parent: planned } }
    const asked = asks('look', { delegation: named('helper', 'D1') })
    const of = (...steps: Step[]) =>
      given(...steps, delegates('helper', 'reader', handed)).when(asked)
    of().then(deny(refusedFor('not_found', { fact: planned })))
    of(delegates('planner', 'intern')).then(deny(refusedFor('other_agent', { fact: planned })))
    const brief = { data: { until: at(60_000) } }
    of(delegates('planner', 'helper', brief)).then(deny(refusedFor('wider', { fact: planned })))
    const less = { data: { capabilities: ['look'] } }
    of(delegates('planner', 'helper', less)).then(deny(refusedFor('wider')))
  })

  test('where it is longer than four, and not where it is four', () => {
    const ids = ['root', 'olga', 'quin', 'planner', 'helper', 'reader'] as const
    const links = ids.slice(1).map((to, index) => {
      const from = ids[index] ?? ''
      const parent = index === 0 ? undefined : named(ids[index - 1] ?? '', 'D1')
      return { from, to, parent }
    })
    const steps = (from: number) =>
      links.slice(from).map(({ from: by, to, parent }, index) => {
        const data = index === 0 || parent === undefined ? {} : { parent }
        return delegates(by, to, { data })
      })
    const asked = asks('look', { delegation: named('helper', 'D1') })
    given(...steps(0))
      .when(asked)
      .then(deny(refusedFor('too_long')))
    const chain = ids.slice(1)
    given(...steps(1))
      .when(asked)
      .then(allow({ terms: { chain } }))
  })

  test('where it goes in a circle', () => {
    const handed = (parent: string) => ({ data: { parent } })
    given(
      delegates('reader', 'planner'),
      delegates('planner', 'reader', handed(named('reader', 'D1'))),
    )
      .when(asks('look'))
      .then(deny(refusedFor('circular', { principal: 'reader' })))
    given(delegates('planner', 'reader', handed(planned)))
      .when(asks('look'))
      .then(deny(refusedFor('circular')))
  })

  test('where who sent it is blocked, in this session or another in which it spoke', () => {
    const block = (receiver: string | null, of = session) =>
      message({
        as: 'desk',
        session: of,
        message: { receiver, safety: { level: 'block', issues: [] } },
      })
    const blocked = deny(refusedFor('blocked', { principal: 'planner' }))
    given(delegates('planner', 'reader'), block('planner')).when(asks('look')).then(blocked)
    const spoke = message({ as: 'planner', session: 'S-2' })
    given(delegates('planner', 'reader'), spoke, block(null, 'S-2'))
      .when(asks('look'))
      .then(blocked)
    given(delegates('planner', 'reader'), block(null, 'S-2')).when(asks('look')).then(allow())
  })
})

describe('all whose call it is must be allowed', () => {
  const by = { delegation: named('intern', 'D1') }

  test('by their roles, and whose role is missing is named', () => {
    given(delegates('intern', 'reader'))
      .when(asks('send', by))
      .then(deny({ code: 'missing_role', params: { actingFor: 'intern' } }))
    given(delegates('intern', 'reader')).when(asks('look', by)).then(allow())
  })

  test('by the lists and the conditions of a capability', () => {
    const denied = { ...look, deny: [{ principal: 'intern' }] }
    const own = { name: 'writers', effect: 'require' as const, when: "'writer' in principal.roles" }
    const setup = (capability: object) => ({
      catalog: { ...catalog, capabilities: [{ ...look, ...capability }] },
    })
    const steps = delegates('intern', 'reader', { data: { capabilities: ['look'] } })
    givenOf(setup(denied), steps)
      .when(asks('look', by))
      .then(deny({ code: 'not_permitted', params: { actingFor: 'intern', cause: 'deny' } }))
    givenOf(setup({ conditions: [own] }), steps)
      .when(asks('look', by))
      .then(deny({ code: 'policy_blocked', params: { actingFor: 'intern', rule: 'writers' } }))
  })

  test('and what is asked for one of them is asked', () => {
    const asked = { name: 'interns', effect: 'confirm' as const, when: "principal.id == 'intern'" }
    const setup = { catalog: { ...catalog, capabilities: [{ ...look, conditions: [asked] }] } }
    const steps = delegates('intern', 'reader', { data: { capabilities: ['look'] } })
    const outcome = givenOf(setup, steps).when(asks('look', by))
    expect(outcome.review?.questions).toMatchObject([{ kind: 'condition', rule: 'interns' }])
    expect(outcome.review?.terms.chain).toEqual(['intern', 'reader'])
    givenOf(setup, steps)
      .when(asks('look', by), decision('piet'))
      .then(allow({ terms: { chain: ['intern', 'reader'] } }))
  })
})

describe('what was done before', () => {
  const same = "a.tool == 'send' && a.args.to == args.to"
  const once = { name: 'once', effect: 'deny' as const, when: `acts.exists(a, ${same})` }
  const begun = (when: string, ...steps: readonly Step[]) => {
    const conditions = [{ ...once, when }]
    const send = { id: 'send', safetyClass: 'WRITE' as const, argsSchema: anyArgs, conditions }
    return givenOf({ catalog: { ...catalog, capabilities: [send] } }, ...steps)
  }
  const call = { args: { to: 'ann' } }
  const alone = (as: string) => intent('send', { as, session, justification: reason, ...call })
  const cited = () => asks('send', call)
  const planned = () => delegates('planner', 'reader')
  const blocked = deny({ code: 'policy_blocked', params: { rule: 'once', actingFor: 'planner' } })

  test('by whom the agent acts for stops it as it would stop that one', () => {
    begun(once.when, planned(), alone('planner')).when(cited()).then(blocked)
    begun(once.when, alone('planner'), planned()).when(cited()).then(blocked)
    const parent = named('planner', 'D1')
    const on = delegates('helper', 'reader', { data: { parent } })
    begun(once.when, alone('planner'), delegates('planner', 'helper'), on)
      .when(asks('send', { ...call, delegation: named('helper', 'D1') }))
      .then(blocked)
  })

  test('by the agent itself stops it as ever, and what it does for itself is its own', () => {
    begun(once.when, planned(), alone('reader')).when(cited()).then(deny('policy_blocked'))
    begun(once.when, planned(), cited()).when(alone('reader')).then(deny('policy_blocked'))
    begun(once.when, planned(), alone('planner')).when(alone('reader')).then(allow())
  })

  test('by the agent for another counts for that one, and what it did for itself does not', () => {
    const ofPlanner = `principal.id == 'planner' && ${once.when}`
    begun(ofPlanner, planned(), cited()).when(cited()).then(blocked)
    begun(ofPlanner, planned(), alone('reader')).when(cited()).then(allow())
  })

  test('by others stops no one, in the chain or beside it', () => {
    begun(once.when, planned(), alone('helper')).when(cited()).then(allow())
    begun(once.when, planned(), alone('helper')).when(alone('planner')).then(allow())
  })

  test('is read by the condition of a delegation, whatever the catalog reads', () => {
    const first = delegates('planner', 'reader', { data: { when: `!acts.exists(a, ${same})` } })
    const on = begun('false', first, alone('planner'))
    on.when(cited()).then(allow())
    on.when(cited(), cited()).then(deny(refusedFor('condition')))
    on.when(cited(), asks('send', { args: { to: 'bob' } })).then(allow())
  })
})

// People who are asked about a call for others: none of those whose call it is answers for it, what
// they sign says the chain, and what has become of it by the release counts.

const large = { name: 'large', effect: 'confirm' as const, when: 'args.n > 10' }

/** `look` is asked about: of its owner, or of the desk where `desk` has members. */
function setup(desk?: readonly string[]) {
  const by = desk === undefined ? {} : { confirmation: 'desk' }
  const confirmations = [{ id: 'desk', tier: 'four_eyes' as const, group: 'desk' }]
  const group = { id: 'desk', members: [...(desk ?? [])] }
  return {
    catalog: {
      ...catalog,
      capabilities: [{ ...look, ...by, conditions: [large] }],
      ...(desk !== undefined && { confirmations, groups: [group] }),
    },
  }
}

const data = { capabilities: ['look'] }
const args = { args: { n: 11 } }
const planned = delegates('planner', 'reader', { data })

describe('who answers', () => {
  test('is no owner of anyone in the chain', () => {
    const asked = givenOf(setup(['olga', 'piet', 'quin']), planned).when(asks('look', args))
    expect(asked.review).toMatchObject({ confirmers: ['quin'], excluded: ['olga', 'piet'] })
    const alone = asks('look', { ...args, delegation: named('planner', 'D1') })
    givenOf(setup(['olga', 'piet']), planned)
      .when(alone)
      .then(deny('no_confirmer'))
  })

  test('is no one who delegated in the session, cited or not', () => {
    const uncited = message({
      as: 'reader',
      session,
      message: {
        type: 'query',
        payload: { intent: { tool: 'look', args: { n: 11 } } },
      },
    })
    const asked = givenOf(setup(['quin', 'root']), delegates('quin', 'reader', { data }))
    expect(asked.when(uncited).review?.confirmers).toEqual(['root'])
    const cited = asks('look', { ...args, delegation: named('quin', 'D1') })
    expect(asked.when(cited).review?.confirmers).toEqual(['root'])
  })

  test('is not the owner that lets its own agent act', () => {
    const asked = { ...args, delegation: named('piet', 'D1') }
    givenOf(setup(), delegates('piet', 'reader', { data }))
      .when(asks('look', asked))
      .then(deny('no_confirmer'))
    const of = givenOf(setup(), planned).when(asks('look', args))
    expect(of.review?.confirmers).toEqual(['piet'])
  })
})

describe('what they sign', () => {
  test('says the chain, and no other chain has its digest', () => {
    const { review } = givenOf(setup(['quin']), planned).when(asks('look', args))
    expect(review?.terms.chain).toEqual(['planner', 'reader'])
    if (review === null) throw new Error('no review')
    const { agent } = review.intent
    const without = { ...review.terms }
    delete without.chain
    expect(digestOfContent({ ...review, agent })).toBe(review.digest)
    expect(digestOfContent({ ...review, agent, terms: without })).not.toBe(review.digest)
  })

  test('permits nothing beyond the last moment of the chain', () => {
    const until = new Date(nowDefault + 60_000).toISOString()
    const brief = delegates('planner', 'reader', { data: { ...data, until } })
    const asked = givenOf(setup(['quin']), brief).when(asks('look', args))
    expect(asked.review?.decideBy).toBe(until)
    givenOf(setup(['quin']), brief)
      .when(asks('look', args), passing(30_000), decision('quin'))
      .then(allow({ terms: { chain: ['planner', 'reader'], useBy: until } }))
    givenOf(setup(['quin']), brief)
      .when(asks('look', args), passing(60_001))
      .then(deny('review_expired'))
  })
})

describe('at the release', () => {
  const asked = givenOf(setup(['quin']), planned, asks('look', args))
  const took = { type: 'correction', refers_to: named('planner', 'D1') }

  test.each([
    ['suspended', catalogChange({ op: 'suspend', id: 'planner' })],
    ['withdrawn', message({ as: 'planner', session, message: took })],
  ])('a chain that is %s by then is refused', (cause, step) => {
    asked.when(step, decision('quin')).then(deny(refusedFor(cause)))
    asked.when(decision('quin')).then(allow())
  })

  test('one who forges the withdrawal changes nothing', () => {
    const forged = message({ as: 'planner', session, message: took, privateKey: null })
    asked.when(forged, decision('quin')).then(allow())
    const others = message({ as: 'helper', session, message: took })
    asked.when(others, decision('quin')).then(allow())
  })
})
