// People who are asked about a call for others: none of those whose call it is answers for it, what
// they sign says the chain, and what has become of it by the release counts.
import { describe, expect, test } from 'vitest'
import { digestOfContent } from '#stages/review'
import { allow, deny } from '#testing/expected'
import { catalogChange, decision, passing } from '#testing/people'
import { message } from '#testing/steps'
import { nowDefault } from '#testing/setup'
import { given as givenOf } from '../../../support/given.ts'
import { look } from '../../../support/scene.ts'
import { asks, catalog, delegates, named, refusedFor, session } from './delegating.ts'

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
