// What is barred by the acts of a session is not barred in the next one: where nothing counts
// beyond it, the author is warned.
import { expect, test } from 'vitest'
import { actFlaws } from '#authoring/lint/act-flaws'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { newestRules } from '#rules/catalog/rules-version'

const argsSchema = { type: 'object', properties: { to: { type: 'string' } } }
const when = "acts.exists(a, a.tool == 'pay' && a.args.to == args.to)"
const once = { name: 'once', effect: 'deny', when }
const pay = { id: 'pay', safetyClass: 'WRITE', argsSchema, conditions: [once] }
const look = { id: 'look', safetyClass: 'READ', argsSchema }
const day = 86_400_000

function found(more: object, ...capabilities: readonly object[]): readonly string[] {
  const file = { rules: newestRules, capabilities, ...more }
  const { catalog, refused } = catalogFromFile(file)
  if (refused !== undefined) throw new Error(refused.message)
  return actFlaws(catalog).map(({ what }) => what)
}

test('a tool that is barred by acts alone is reported, by whatever rule', () => {
  const what = '`once` bars `pay` by `acts` within a session alone'
  expect(found({}, pay)).toEqual([what])
  expect(found({}, { ...pay, conditions: [{ ...once, effect: 'confirm' }] })).toEqual([what])
  const { conditions, ...bare } = pay
  expect(found({ conditions }, look, bare, { ...bare, id: 'give' })).toEqual([what])
  const budgets = [{ name: 'b', max: 1, windowMs: day, per: 'session', capabilities: ['pay'] }]
  expect(found({ budgets }, pay)).toEqual([what])
})

test.each<[string, object]>([
  ['a budget of it', { budgets: [{ name: 'b', max: 1, windowMs: day, capabilities: ['pay'] }] }],
  ['a budget of all', { budgets: [{ name: 'b', max: 1, windowMs: day, per: 'owner' }] }],
  ['a limit of it', { limits: [{ capability: 'pay', uses: 1, windowMs: day }] }],
])('one that %s counts is not', (_, more) => {
  expect(found(more, pay)).toEqual([])
})

test('nor one that demands an act, reads none, or only looks', () => {
  const [demands, reads] = [
    { ...once, effect: 'require' },
    { ...once, name: 'x', when: "args.to == 'x'" },
  ]
  expect(found({}, { ...pay, conditions: [demands, reads] })).toEqual([])
  expect(found({}, { ...look, conditions: [once] })).toEqual([])
})
