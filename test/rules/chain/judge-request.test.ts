// What an allow is bound to, the arguments, and when a reason is asked for. Where the chain differs
// from agent-kernel on purpose, the test states it.
import { describe, expect, test } from 'vitest'
import { Capability } from '#schemas/catalog'
import { judge } from '#rules/chain/judge'
import type { Case, PrincipalCase } from '#rules/chain/rule-input'
import { capability, testCase, principal } from '../../support/samples/judge-cases.ts'

const codes = (of: Case) => judge(of).reasons.map(({ code }) => code)

function using(part: Partial<Capability>, who: PrincipalCase | null, justification?: string): Case {
  const request = { tool: 'tickets', justification }
  return testCase({ capability: capability(part), principal: who, request })
}

const write = { safetyClass: 'WRITE' } as const
const secrets = { sensitivity: 'SECRETS' } as const

describe('the rows of an allow', () => {
  const rows = (max_rows: number | undefined, ...roles: string[]) => {
    const constraints = max_rows === undefined ? {} : { max_rows }
    return judge(testCase({ principal: principal(...roles), request: { constraints } })).constraints
  }

  test('are capped, and more for a service', () => {
    expect(rows(undefined)).toEqual({ max_rows: 50 })
    expect(rows(undefined, 'service')).toEqual({ max_rows: 500 })
    expect(rows(50)).toEqual({ max_rows: 50 })
    expect(rows(51)).toEqual({ max_rows: 50 })
    expect(rows(9999, 'service')).toEqual({ max_rows: 500 })
  })

  test('may be fewer, and never fewer than none', () => {
    expect(rows(5)).toEqual({ max_rows: 5 })
    expect(rows(0)).toEqual({ max_rows: 0 })
    expect(rows(-10)).toEqual({ max_rows: 0 })
    expect(Object.is(rows(-0)['max_rows'], 0)).toBe(true)
  })

  // agent-kernel parses as Python does, and lets Infinity escape as an error (H12).
  test.each(['abc', '5', ' 7 ', '', true, null, 3.9, Infinity, Number.NaN, 2 ** 53, [], {}])(
    'that are no whole number refuse: %o',
    (max_rows) => {
      expect(judge(testCase({ request: { constraints: { max_rows } } }))).toMatchObject({
        outcome: 'deny',
        reasons: [
          { code: 'invalid_constraint', recover: 'fix', params: { path: '/constraints/max_rows' } },
        ],
        constraints: {},
      })
    },
  )

  test('stand beside constraints that no rule knows, which pass untouched', () => {
    const constraints = JSON.parse('{"__proto__":{"max_rows":9},"region":{"in":["eu"]}}')
    const bound = judge(testCase({ request: { constraints } })).constraints
    expect(Object.getPrototypeOf(bound)).toBe(Object.prototype)
    expect(bound['max_rows']).toBe(50)
    expect(Object.keys(bound).toSorted()).toEqual(['__proto__', 'max_rows', 'region'])
    expect(bound['region']).toEqual({ in: ['eu'] })
  })
})

describe('arguments', () => {
  const argsSchema = {
    type: 'object',
    properties: { id: { type: 'string', format: 'date' } },
    required: ['id'],
    additionalProperties: false,
  }
  const called = (args: unknown) =>
    testCase({ capability: capability({ argsSchema }), request: { args } })

  test.each([undefined, {}, { id: 7 }, { id: 'soon' }, { id: '2026-01-01', x: 1 }, [], 'id', null])(
    'that the schema does not want refuse: %o',
    (args) => {
      expect(judge(called(args))).toMatchObject({
        outcome: 'deny',
        reasons: [{ code: 'invalid_arguments', recover: 'fix' }],
      })
    },
  )

  test('that it wants pass', () => {
    expect(judge(called({ id: '2026-01-01' })).outcome).toBe('allow')
  })

  test('are pointed at', () => {
    expect(judge(called({ id: 7 })).reasons[0]?.params.path).toBe('/args/id')
    expect(judge(called({})).reasons[0]?.params.path).toBe('/args')
  })

  test('are none at all where the catalog gives no schema', () => {
    const strict = Capability.parse({ id: 'tickets', safetyClass: 'READ' })
    const of = (args: unknown) => testCase({ capability: strict, request: { args } })
    expect(codes(of({ operation: 'tickets.delete' }))).toEqual(['invalid_arguments'])
    expect(codes(of({}))).toEqual([])
  })

  test('must bring what is required themselves, not inherit it', () => {
    const required = capability({ argsSchema: { type: 'object', required: ['constructor'] } })
    expect(codes(testCase({ capability: required }))).toEqual(['invalid_arguments'])
  })

  test('nested deeper than the stack refuse and break nothing', () => {
    const nested = capability({
      argsSchema: { properties: { in: { $ref: '#' } }, type: 'object' },
    })
    let args: object = {}
    for (let depth = 0; depth < 200_000; depth += 1) args = { in: args }
    expect(codes(testCase({ capability: nested, request: { args } }))).toEqual([
      'invalid_arguments',
    ])
  })

  test('that must differ are compared, however many they are', () => {
    const distinct = capability({
      argsSchema: { properties: { in: { type: 'array', uniqueItems: true } }, type: 'object' },
    })
    const of = (...items: unknown[]) =>
      testCase({ capability: distinct, request: { args: { in: items } } })
    const many = Array.from({ length: 30_000 }, (_, number) => ({ number }))
    expect(codes(of({ a: 1, b: [] }, { b: [], a: 1 }))).toEqual(['invalid_arguments'])
    expect(codes(of(1, '1', [1], { 1: 1 }, null, false))).toEqual([])
    expect(codes(of(...many))).toEqual([])
    expect(codes(of(...many, { number: 7 }))).toEqual(['invalid_arguments'])
  })

  test('of a schema that cannot be used refuse', () => {
    const broken = capability({ argsSchema: { propertees: {} } })
    expect(codes(testCase({ capability: broken }))).toEqual(['invalid_arguments'])
  })
})

// agent-kernel lets 22 of 87 such calls be confirmed and then denies them for good (H14).
describe('a reason is asked for only where it would be enough', () => {
  test('not beside a missing role', () => {
    const of = using({ ...write, ...secrets }, principal('writer'))
    expect(judge(of)).toMatchObject({
      outcome: 'deny',
      reasons: [
        { code: 'missing_role', recover: 'never' },
        { code: 'insufficient_justification', recover: 'fix' },
      ],
      questions: [],
    })
  })

  test('not beside a limit that is reached', () => {
    const of = { ...using(write, principal('writer')), rate: { limited: true, waitMs: 0.2 } }
    expect(judge(of).reasons).toMatchObject([
      { code: 'insufficient_justification', recover: 'fix' },
      { code: 'rate_limited', recover: 'wait', params: { waitMs: 1 } },
    ])
  })
})
