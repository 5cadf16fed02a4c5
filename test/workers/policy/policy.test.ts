// Relata policies: the recommended column of the two tables of VRE's policy refactor, row by row,
// both as one line of `policy resolve` and as the rule chain sees them.
import { describe, expect, test } from 'vitest'
import { Policy } from '#schemas/graph'
import { judge } from '#rules/chain/judge'
import { policyResolveLine } from '#cli/offline/run'
import { render, trigger } from '#rules/chain/violation'
import * as on from '../../support/samples/judge-cases.ts'
import { violation } from '../../support/samples/judge-cases.ts'

const machine = (callback: boolean | null) => line(false, callback)
const person = (callback: boolean | null) => line(true, callback)
const resolve = (violations: unknown[], answers: unknown) =>
  policyResolveLine({ violations, answers })

function line(requiresConfirmation: boolean, callback: boolean | null) {
  return { requiresConfirmation, callback: callback === null ? null : { passed: callback } }
}

const pass = (asked: boolean) => ({ action: 'PASS', asked, reason: null })
const block = (asked: boolean, reason: string) => ({ action: 'BLOCK', asked, reason })

describe('one policy that needs no one', () => {
  test.each([[null], [[true]], [[false]]])(
    'blocks when its callback failed, and asks no one: %o',
    (answers) => {
      expect(resolve([machine(false)], answers)).toEqual(block(false, 'policy_blocked'))
    },
  )

  test.each([[null], [[true]], [[false]]])('passes when its callback passed: %o', (answers) => {
    expect(resolve([machine(true)], answers)).toEqual(pass(false))
  })

  test('passes without a callback: nothing has failed', () => {
    expect(resolve([machine(null)], null)).toEqual(pass(false))
  })
})

describe('one policy that needs a person', () => {
  test.each([null, true, false])('blocks where no one is there, callback %o', (callback) => {
    expect(resolve([person(callback)], null)).toEqual(block(false, 'no_confirmer'))
  })

  test.each([null, true, false])('blocks on a no, callback %o', (callback) => {
    expect(resolve([person(callback)], [false])).toEqual(block(true, 'declined'))
  })

  test.each([null, true, false])('passes on a yes, callback %o', (callback) => {
    expect(resolve([person(callback)], [true])).toEqual(pass(true))
  })
})

describe('several policies', () => {
  test('pass when there are none', () => {
    expect(resolve([], null)).toEqual(pass(false))
    expect(resolve([], [])).toEqual(pass(false))
  })

  test('block where one needs a person and no one is there', () => {
    expect(resolve([machine(true), person(true)], null)).toEqual(block(false, 'no_confirmer'))
  })

  test('are all answered, and any no blocks', () => {
    expect(resolve([person(null), person(null)], [true, false])).toEqual(block(true, 'declined'))
    expect(resolve([machine(true), person(null)], [false, true])).toEqual(block(true, 'declined'))
  })

  test('pass when every answer is yes', () => {
    expect(resolve([person(false), machine(true), person(null)], [true, true, true])).toEqual(
      pass(true),
    )
  })

  test('block on a failed callback that no one can lift, and then no one is asked', () => {
    expect(resolve([person(null), machine(false)], [true, true])).toEqual(
      block(false, 'policy_blocked'),
    )
  })

  test('that need no one block on any failure and pass on none', () => {
    expect(resolve([machine(true), machine(false)], [true, true])).toEqual(
      block(false, 'policy_blocked'),
    )
    expect(resolve([machine(true), machine(null)], null)).toEqual(pass(false))
  })

  test.each([[[]], [[true]], [[true, true, true]], ['yes'], [true], [1], [{ length: 2 }]])(
    'block on a reply that does not fit them: %o',
    (answers) => {
      expect(resolve([person(null), person(null)], answers)).toEqual(block(true, 'declined'))
    },
  )

  test.each([[['true', true]], [[1, 1]], [[null, true]], [[{}, {}]]])(
    'block on a reply that is not booleans: %o',
    (answers) => {
      expect(resolve([person(null), person(null)], answers)).toEqual(block(true, 'declined'))
    },
  )
})

test.each([null, 7, 'x', [], {}, { violations: {} }, { violations: [{}], answers: null }])(
  'an invalid line is answered with an error: %o',
  (value) => {
    expect(policyResolveLine(value)).toMatchObject({ error: { code: 'line_invalid' } })
  },
)

describe('a callback that faulted', () => {
  test('refuses, no matter who would agree', () => {
    const violations = [violation({ ...on.confirmed, ...on.faulted })]
    const review = { state: 'answered', answers: [] } as const
    expect(judge({ violations }).reasons).toMatchObject([
      { code: 'policy_faulted', params: { policy: 'rule' } },
    ])
    expect(judge({ violations, review }).reasons).toMatchObject([{ code: 'policy_faulted' }])
  })

  test('refuses where the policy needs no one', () => {
    const { outcome, questions } = judge({ violations: [violation(on.faulted)] })
    expect(outcome).toBe('deny')
    expect(questions).toEqual([])
  })
})

describe('the question of a policy', () => {
  test('shows the answer of the callback, which the person may overrule', () => {
    const violations = [violation({ ...on.confirmed, ...on.failed, confirmation: 'desk' })]
    expect(judge({ violations }).questions).toEqual([
      {
        kind: 'policy',
        message: '`delete` needs confirmation',
        policy: 'rule',
        source: 'delete',
        target: 'file',
        confirmation: 'desk',
        callback: { passed: false, message: 'the ticket is closed' },
      },
    ])
  })

  test('names the confirmation of the policy before that of the capability', () => {
    const capability = on.capability({ confirmation: 'group' })
    const violations = [
      violation({ ...on.confirmed, confirmation: 'desk' }),
      violation(on.confirmed),
    ]
    const { questions } = judge({ capability, violations })
    expect(questions.map(({ confirmation }) => confirmation)).toEqual(['desk', 'group'])
  })

  test('is asked once for each edge', () => {
    const violations = [violation(on.confirmed), violation({ ...on.confirmed, target: 'user' })]
    expect(judge({ violations }).questions).toHaveLength(2)
  })
})

test('a policy that blocks gives the message of its callback, and its edge', () => {
  const [only] = judge({ violations: [violation(on.failed)] }).reasons
  expect(only).toEqual({
    code: 'policy_blocked',
    recover: 'never',
    params: { message: 'the ticket is closed', policy: 'rule', source: 'delete', target: 'file' },
  })
})

describe('triggering', () => {
  const placed = (triggerCardinality: 'single' | 'multiple' | null) => ({
    source: 'delete',
    target: 'file',
    policy: Policy.parse({ name: `on ${triggerCardinality}`, triggerCardinality }),
  })
  const policies = [placed('multiple'), placed(null), placed('single')]
  const names = (cardinality: 'single' | 'multiple' | null) =>
    trigger(policies, cardinality).map(({ policy }) => policy.name)

  test('is by equality, and always where the policy names none', () => {
    expect(names('single')).toEqual(['on null', 'on single'])
    expect(names('multiple')).toEqual(['on multiple', 'on null'])
  })

  test('is of all policies where the cardinality is unknown', () => {
    expect(names(null)).toEqual(['on multiple', 'on null', 'on single'])
  })
})

describe('rendering', () => {
  const rendered = (confirmationMessage: string, source: string) =>
    render(Policy.parse({ name: 'rule', confirmationMessage }), source)

  test('puts the source for each literal action', () => {
    expect(rendered('{action}? Really {action}?', 'delete')).toBe('delete? Really delete?')
  })

  test.each(['{0}', '{}', '{action.x}', '{{action}}', '{ action }', '{target}'])(
    'is no format language: %s',
    (text) => {
      expect(rendered(text, 'x')).toBe(text.replace('{action}', 'x'))
    },
  )

  test('takes no pattern of a replacement from the source', () => {
    expect(rendered('{action}!', "$& $' $1 {action}")).toBe("$& $' $1 {action}!")
  })
})
