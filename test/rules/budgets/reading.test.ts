// What a call takes of a budget and for whom, as the expressions of the budget read it.
import { describe, expect, test } from 'vitest'
import { Budget } from '#schemas/budgets/budget'
import { amountText } from '#rules/budgets/decimal'
import { budgetProblem, keyToken, readBudget } from '#rules/budgets/reading'
import type { ConditionInput } from '#conditions/input'
import { openObject, typeOfArguments } from '#conditions/types'
import type { JsonMap } from '#record/canonical'

const caller = { agent: 'bot', owner: 'olga', session: null, tenant: 'eu' }

function input(args: JsonMap): ConditionInput {
  return {
    args,
    argsType: openObject,
    capability: { id: 'pay', safetyClass: 'READ', sensitivity: 'NONE', tags: [], concepts: [] },
    principal: { id: 'bot', roles: [], attributes: { team: 'red' } },
    owner: null,
    intent: { goal: '', justification: '', session: '', scope: {}, constraints: {} },
    grounding: { grounded: true, concepts: [] },
    now: 0,
    evidence: () => [],
  }
}

function budget(part: object): Budget {
  return Budget.parse({ name: 'b', max: 1, windowMs: 1, ...part })
}

function read(part: object, args: JsonMap = {}): unknown {
  const found = readBudget(budget(part), input(args), caller)
  if (found === null || typeof found === 'string') return found
  return [amountText(found.amount), found.keys]
}

const domain = "args.to.map(a, a.substring(a.lastIndexOf('@') + 1))"

describe('a call', () => {
  test.each([
    ['counts as one, for all together', {}, {}, ['1', [null]]],
    ['takes what an argument says', { of: 'args.n' }, { n: 0.1 }, ['0.1', [null]]],
    ['takes what a text says', { of: 'args.n' }, { n: '12.50' }, ['12.5', [null]]],
    [
      'adds up a list',
      { of: 'args.l.map(i, i.n)' },
      { l: [{ n: 0.1 }, { n: '0.2' }] },
      ['0.3', [null]],
    ],
    ['takes nothing of an empty list', { of: 'args.l' }, { l: [] }, ['0', [null]]],
    ['counts for its agent', { per: 'agent' }, {}, ['1', ['bot']]],
    ['counts for its topmost owner', { per: 'owner' }, {}, ['1', ['olga']]],
    ['counts for its tenant', { per: 'tenant' }, {}, ['1', ['eu']]],
    ['counts for an attribute', { per: 'principal.attributes.team' }, {}, ['1', ['red']]],
    ['counts once for each key', { per: domain }, { to: ['a@x', 'b@y', 'c@x'] }, ['1', ['x', 'y']]],
    ['is left out by `when`', { when: 'has(args.n)' }, {}, null],
    ['is left out where it is of another capability', { capabilities: ['mail'] }, {}, null],
    ['without a session cannot count for one', { per: 'session' }, {}, 'session_missing'],
    ['without the argument cannot be counted', { of: 'args.n' }, {}, 'amount_failed'],
    ['takes no truth', { of: 'args.n' }, { n: true }, 'amount_not_decimal'],
    ['takes no list in a list', { of: 'args.n' }, { n: [[1]] }, 'amount_failed'],
    ['takes no truth in a list', { of: 'args.n' }, { n: [true] }, 'amount_not_decimal'],
    ['takes nothing negative', { of: 'args.n' }, { n: [2, -1] }, 'amount_negative'],
    ['faults by its `when`', { when: 'args.n > 1' }, { n: 'x' }, 'when_failed'],
    ['counts for no number', { per: 'args.n' }, { n: 1 }, 'key_failed'],
    ['counts for no one', { per: domain }, { to: [] }, 'key_empty'],
    ['counts for nothing that is empty', { per: 'args.n' }, { n: ' \u200b. ' }, 'key_empty'],
    ['counts for no endless text', { per: 'args.n' }, { n: 'x'.repeat(257) }, 'key_long'],
  ])('%s', (_what, part, args, found) => {
    expect(read(part, args)).toEqual(found)
  })

  test('counts for 32 at once, and for no more', () => {
    const to = Array.from({ length: 33 }, (_, index) => `a@d${index}`)
    expect(read({ per: domain }, { to: to.slice(1) })).toMatchObject(['1', { length: 32 }])
    expect(read({ per: domain }, { to })).toBe('key_many')
  })
})

test.each([
  ['case', 'X.COM'],
  ['full width', 'ｘ．ｃｏｍ'],
  ['a ligature or a sign', 'x.\u{1d41c}om'],
  ['a zero-width space', 'x\u200b.com'],
  ['a variation selector', 'x\ufe0f.com'],
  ['a joiner', 'x\u034f.com'],
  ['a soft hyphen', 'x.c\u00adom'],
  ['spaces around it', ' x.com\t'],
  ['a dot at its end', 'x.com.'],
])('%s makes no other key', (_what, key) => {
  expect(read({ per: 'args.n' }, { n: key })).toEqual(['1', ['x.com']])
})

test('another key is another key', () => {
  const keys = ['x.com', 'y.com', 'xcom', 'x-com', 'х.com']
  const tokens = keys.map((n) => keyToken(String(read({ per: 'args.n' }, { n }))))
  expect(new Set(tokens).size).toBe(keys.length)
  expect(keyToken('-')).not.toBe(keyToken(null))
})

const args = typeOfArguments({
  type: 'object',
  properties: { amount: { type: 'number' }, to: { type: 'string' }, on: { type: 'boolean' } },
})

test.each([
  [{ of: 'args.amonut' }, 'of', /no field `amonut` is known here; did you mean `amount`\?/],
  [{ of: 'args.on' }, 'of', /it comes to bool, and must to int or double or string or list/],
  [{ of: 'args.amount +' }, 'of', /it is no CEL/],
  [{ per: 'args.amount' }, 'per', /it comes to double, and must to string or list\(string\)/],
  [{ per: 'ownr' }, 'per', /no variable `ownr` is known here; did you mean `owner`\?/],
  [{ when: 'args.to' }, 'when', /it comes to string, and must to bool/],
  [{ when: 'session.evidence.size() > 0' }, 'when', /`session` cannot be read here/],
  [{ of: 'grounding.concepts.size()' }, 'of', /`grounding` cannot be read here/],
])('a slip is found when it is written: %j', (part, field, message) => {
  expect(budgetProblem(budget(part), args)).toMatchObject({ field })
  expect(budgetProblem(budget(part), args)?.message).toMatch(message)
})

test('what each may say is taken', () => {
  const good = { of: 'args.amount * 2.0', per: "args.to.split('@')", when: 'now.getHours() > 3' }
  expect(budgetProblem(budget(good), args)).toBeNull()
  for (const per of ['agent', 'owner', 'session', 'tenant']) {
    expect(budgetProblem(budget({ per }), args)).toBeNull()
  }
})
