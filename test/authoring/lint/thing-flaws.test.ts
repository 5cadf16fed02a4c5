// An argument that must be a thing is protected by lists of such things: where there is none, the
// author is warned.
import { expect, test } from 'vitest'
import { thingFlaws } from '#authoring/lint/thing-flaws'
import { Capability } from '#schemas/catalog'

const known = [{ arg: '/id', kind: 'id', thing: 'product' }]
const argsSchema = { type: 'object', properties: { id: { type: 'string' } } }
const buy = { id: 'buy', safetyClass: 'WRITE', argsSchema, known }
const lists = [{ thing: 'product', at: '/*', id: 'id', key: true }]

function found(...all: readonly object[]): readonly string[] {
  const capabilities = all.map((one) => Capability.parse(one))
  return thingFlaws({ capabilities: new Map(capabilities.map((one) => [one.id, one])) }).map(
    ({ code, where }) => `${code} ${where.capability}`,
  )
}

test('a thing that nothing lists is reported', () => {
  expect(found(buy)).toEqual(['thing_unlisted buy'])
  const orders = [{ thing: 'order', at: '/*', id: 'id', key: true }]
  expect(found(buy, { id: 'search', safetyClass: 'READ', untrusted: [], lists: orders })).toEqual([
    'thing_unlisted buy',
  ])
})

test('so is one that only results list which never count', () => {
  expect(found(buy, { id: 'search', safetyClass: 'READ', lists })).toEqual(['thing_unlisted buy'])
})

test('one that is listed is not', () => {
  expect(found(buy, { id: 'search', safetyClass: 'READ', untrusted: [], lists })).toEqual([])
})

test('so is one that goes by calls of a tool that is not there', () => {
  const madeBy = [{ tool: 'clone', arg: '/into' }]
  const push = { ...buy, id: 'push', known: [{ arg: '/id', kind: 'path', madeBy }] }
  const clone = { id: 'clone', safetyClass: 'READ', untrusted: [] }
  expect(found(push)).toEqual(['confirmed_elsewhere push'])
  expect(found(push, clone)).toEqual([])
})

test('so is where something goes, of a tool with nothing that goes there', () => {
  const to = { arg: '/id', kind: 'account', part: 'to' }
  const pay = { ...buy, id: 'pay', known: [to] }
  expect(found(pay)).toEqual(['part_alone pay'])
  expect(found({ ...pay, known: [to, { arg: '/id', kind: 'amount', part: 'what' }] })).toEqual([])
})
