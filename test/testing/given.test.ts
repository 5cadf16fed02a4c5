// The testing kit: what it derives is what a runtime derives (each outcome is replayed), and what
// does not follow is shown clearly.
import { AssertionError } from 'node:assert'
import { describe, expect, test } from 'vitest'
import { given as bare } from '#testing/given'
import { allow, bound, deny, hold, none, review } from '#testing/expected'
import type { ExpectedFact } from '#testing/expected'
import { catalogChange, decision, graphChange, withdrawal } from '#testing/people'
import { passing } from '#testing/people'
import { testKey, testPublicKey, type Setup } from '#testing/setup'
import { evidence, intent, message } from '#testing/steps'
import type { CallbackInput } from '#testing/call'
import { given } from '../support/given.ts'
import { deletion, erase, look } from '../support/scene.ts'

const asking = deletion({ name: 'ask' })
const checked = deletion({ name: 'rule', requiresConfirmation: false, callback: 'granted' })
const session = 'S-2026-01-01-bot-abcdef'
const capabilities = [look, erase]
const tools = {
  capabilities,
  principals: [{ id: 'tools' }],
  trustedEvidence: [{ sender: 'tools', for: ['*'] }],
}
const callbacks = {
  granted: ({ evidence: received }: CallbackInput) => {
    return { passed: received.some(({ payload }) => JSON.stringify(payload) === '{"ok":true}') }
  },
}

describe('what follows', () => {
  test('an intent is allowed, denied, asked of people, or held', () => {
    const learning = { capabilities, learning: true }
    const unknown = { concepts: ['moon'], onGap: 'learn' as const }
    given({ catalog: { capabilities } }).when(intent('look')).then(allow())
    given({ catalog: { capabilities } }).when(intent('fly')).then(deny('unknown_capability'))
    given({ catalog: { capabilities }, graph: asking })
      .when(intent('erase'))
      .then(review({ confirmers: ['olga'] }), none())
    given({ catalog: learning }).when(intent('look', unknown)).then(hold(), none())
  })

  test('people decide, and time runs out', () => {
    const open = given({ catalog: { capabilities }, graph: asking }, intent('erase'))
    open.when(decision('olga')).then(allow({ release: { confirmedBy: ['olga'] } }))
    open.when(decision('olga', { answers: false })).then(deny('declined'))
    open.when(decision('piet')).then(none())
    open.when(passing(900_000)).then(none())
    open.when(passing(900_001)).then(deny('review_expired'))
    open.when(withdrawal()).then(deny('withdrawn'))
  })

  test('a callback reads what trusted senders report in the session', () => {
    const on = given({ catalog: tools, graph: checked, callbacks, session })
    on.when(intent('erase')).then(deny('policy_blocked'))
    on.when(evidence('tools', { ok: true }), intent('erase')).then(allow())
    on.when(evidence('olga', { ok: true }), intent('erase')).then(deny('policy_blocked'))
  })

  test('the catalog and the graph change, and an intent is named by its id', () => {
    const on = given({ catalog: { capabilities }, graph: asking })
    on.when(catalogChange({ op: 'suspend', id: 'bot' }), intent('look')).then(
      deny('agent_suspended'),
    )
    on.when(graphChange({ op: 'erase', name: 'file', level: 1 }), intent('erase')).then(
      deny('ungrounded'),
    )
    on.when(intent('erase', { id: 'one' }), intent('erase', { id: 'two' }))
      .then(review())
      .when(decision('olga', { intent: 'one' }))
      .then(allow({ intent: { address: 'bot.-.one', agent: 'bot', session: null } }))
  })

  test('a keyed sender signs, unless the test prevents it', () => {
    const signer = { id: 'signer', keys: [testPublicKey('signer')] }
    const on = given({ catalog: { capabilities, principals: [signer] } })
    on.when(intent('look', { as: 'signer' })).then(allow())
    on.when(intent('look', { as: 'signer', privateKey: null })).then(deny('sender_mismatch'))
    on.when(intent('look', { as: 'signer', privateKey: testKey('other') })).then(
      deny('sender_mismatch'),
    )
  })
})

describe('what does not follow', () => {
  const on = given({ catalog: { capabilities } })

  test.each([
    [deny('unknown_capability'), /outcome: 'deny'/],
    [review(), /no `review` is bound; what followed is: vlp, grounding, rate, verdict/],
    [none(), /a `verdict` is bound, and none was expected/],
    [bound('grounding', { attempt: 2 }), /attempt: 2/],
    [allow({ terms: { capability: 'erase' } }), /capability: 'erase'/],
  ])('is shown: %j', (expected, text) => {
    const outcome = on.when(intent('look'))
    expect(() => outcome.then(expected)).toThrow(AssertionError)
    expect(() => outcome.then(expected)).toThrow(text)
  })

  test('nor is nothing expected, or an outcome awaited', () => {
    const outcome = on.when(intent('look'))
    const nothing: readonly ExpectedFact[] = []
    expect(() => outcome.then(...nothing)).toThrow('something to expect')
    // What `await` would do.
    const settle = () => undefined
    expect(() => Reflect.apply(outcome.then, outcome, [settle, settle])).toThrow('to await')
  })

  test('a decision without a review, a withdrawal without an intent, a name twice', () => {
    expect(() => on.when(decision('olga'))).toThrow('no intent waits for people')
    expect(() => on.when(withdrawal())).toThrow('no intent is open')
    const same = message({ id: 'same' })
    expect(() => on.when(same, same)).toThrow('is bound already')
  })
})

describe('a setup', () => {
  test('needs no policy admin, and gives those with keys a test key', () => {
    const key = testPublicKey('another')
    const setup: Setup = {
      catalog: {
        principals: [
          { id: 'agent', owner: 'ann' },
          { id: 'ann', keys: [key] },
        ],
        capabilities,
      },
      graph: asking,
    }
    bare(setup, intent('erase')).when(decision('ann')).then(allow())
    bare({ ...setup, testKeys: false }, intent('erase'))
      .when(decision('ann'))
      .then(none())
  })

  test('that is wrong is refused with what is wrong', () => {
    const twice = { catalog: { principals: [{ id: 'a' }, { id: 'a' }] } }
    expect(() => bare(twice).when()).toThrow('`a` is given twice')
    const lost = { primitives: [{ name: 'a', depths: [{ level: 7 }] }] }
    expect(() => bare({ graph: lost }).when()).toThrow('`7` is not a level')
  })

  test('is reproducible: the same steps give the same bytes', () => {
    const bytes = () => {
      const { log } = given({ catalog: { capabilities } }).when(intent('look'))
      return log.map((fact) => Buffer.from(fact.bytes).toString('utf8'))
    }
    expect(bytes()).toEqual(bytes())
  })
})

describe('a callback of a test', () => {
  const of = (granted: (input: never) => unknown) => {
    return given({ catalog: { capabilities }, graph: checked, callbacks: { granted } })
  }

  test.each([
    [
      'threw',
      () => {
        throw new TypeError('no')
      },
    ],
    ['answered_promise', () => Promise.resolve({ passed: true })],
    ['answer_not_json', () => undefined],
    ['answer_invalid', () => ({ passed: 'yes' })],
  ])('that is wrong faults as in a thread: %s', (code, callback) => {
    const { verdict } = of(callback).when(intent('erase'))
    expect(verdict?.reasons.map((reason) => reason.code)).toEqual(['policy_faulted'])
    expect(verdict?.callbacks[0]?.fault?.code).toBe(code)
  })

  test('that is missing, or looks outside, is reported', () => {
    const missing = given({ catalog: { capabilities }, graph: checked, callbacks: {} })
    missing.when(intent('erase')).then(deny('policy_faulted'))
    const outside = Object.assign(() => ({ passed: true }), { recorded: true })
    expect(() => of(outside).when(intent('erase'))).toThrow('looks outside')
  })
})
