// Further looks at kept results: each attack on the reference first, then what is right.
import { describe, expect, test } from 'vitest'
import { judgedExpansion, expansionPage } from '#firewall/expand'
import type { ExpandedResult, Expansion, ExpansionAnswer, ExpansionRules } from '#firewall/expand'
import type { Json } from '#record/canonical'

const value: Json = Array.from({ length: 20 }, (_, index) => ({
  id: index,
  state: index % 2 === 0 ? 'open' : 'done',
  salary: 1_000 + index,
  email: `a${index}@example.com`,
}))
const kept = { owner: 'ann', value, expiresAt: 5_000 }
const open: ExpansionRules = { permitted: true, allowedFields: null, maxRows: null }
const narrow: ExpansionRules = {
  permitted: true,
  allowedFields: ['id', 'state', 'email'],
  maxRows: 3,
}

function expand(
  of: (ExpandedResult & { readonly value: Json }) | null,
  rules: ExpansionRules,
  expansion: Expansion,
): ExpansionAnswer {
  const { page, refused } = judgedExpansion(of, rules, expansion)
  return page === undefined ? { refused } : { frame: expansionPage(of?.value ?? null, page) }
}

function ask(query: unknown, rules = open, more: { caller?: string; now?: number } = {}) {
  return expand(kept, rules, { caller: 'ann', now: 4_999, query, ...more })
}

function idsOf(answer: ReturnType<typeof expand>): readonly unknown[] {
  return (answer.frame?.table ?? []).map((row) => Object(row).id)
}

describe('a handle of the caller’s own making (H2)', () => {
  test.each([
    { principal: 'ann', constraints: {} },
    { owner: 'bob' },
    { handle: { id: 'x', owner: '', constraints: {} } },
    { allowedFields: ['salary'] },
    { maxRows: 100 },
    { max_rows: 100 },
  ])('changes nothing, and is refused: %o', (query) => {
    expect(ask(query, narrow)).toEqual({ refused: 'query_invalid' })
  })

  test('opens nothing to another principal, nor to none', () => {
    for (const caller of ['bob', '', 'ANN', 'ann ']) {
      expect(ask({}, open, { caller })).toEqual({ refused: 'handle_unknown' })
    }
    const unowned = { ...kept, owner: '' }
    expect(expand(unowned, open, { caller: '', now: 1, query: {} }).refused).toBe('handle_unknown')
    expect(expand(null, open, { caller: 'ann', now: 1, query: {} }).refused).toBe('handle_unknown')
  })
})

describe('a filter over what is not shown (H3)', () => {
  test('is refused, whether a row would be there or not', () => {
    for (const salary of [1_000, 999]) {
      expect(ask({ filter: { salary } }, narrow)).toEqual({ refused: 'field_not_allowed' })
    }
  })

  test('finds no value that is redacted', () => {
    expect(ask({ filter: { email: 'a1@example.com' } }).frame?.table).toEqual([])
    expect(ask({ filter: { email: '[REDACTED]' } }).frame?.table).toHaveLength(20)
  })

  test('shows with others no row beyond those that may be seen', () => {
    const seen = new Set<unknown>()
    for (let id = 0; id < 20; id += 1) {
      for (const one of idsOf(ask({ filter: { id } }, narrow))) seen.add(one)
    }
    expect([...seen]).toEqual([0, 1, 2])
  })
})

describe('roles that the caller claims (H6)', () => {
  test.each([{ roles: ['admin'] }, { mode: 'raw' }, { reveal: ['email'] }])(
    'are refused: %o',
    (query) => {
      expect(ask(query)).toEqual({ refused: 'query_invalid' })
    },
  )
})

describe('rules that changed since (H8)', () => {
  test('hold: what was revoked is refused, and fewer fields are fewer', () => {
    expect(ask({}, { ...open, permitted: false })).toEqual({ refused: 'handle_revoked' })
    const fewer = { ...open, allowedFields: ['id'] }
    expect(ask({ limit: 1 }, fewer).frame?.table).toEqual([{ id: 0 }])
    expect(ask({}, { ...open, allowedFields: [] }).frame?.table?.[0]).toEqual({})
  })

  test('hold: it has expired at its last moment', () => {
    expect(ask({}, open, { now: 5_000 })).toEqual({ refused: 'handle_expired' })
    expect(ask({}, open, { now: 4_999 }).refused).toBeUndefined()
  })
})

describe('pages', () => {
  test('together show no more rows than are allowed', () => {
    expect(idsOf(ask({}, narrow))).toEqual([0, 1, 2])
    expect(idsOf(ask({ offset: 1 }, narrow))).toEqual([1, 2])
    expect(idsOf(ask({ offset: 2, limit: 1 }, narrow))).toEqual([2])
    for (const query of [{ offset: 17 }, { offset: 3 }, { limit: 4 }, { offset: 2, limit: 2 }]) {
      expect(ask(query, narrow)).toEqual({ refused: 'rows_exceeded' })
    }
    expect(ask({}, { ...open, maxRows: 0 })).toEqual({ refused: 'rows_exceeded' })
  })

  test('have fields and rows as asked', () => {
    const answer = ask({ offset: 1, limit: 2, fields: ['id'], filter: { state: 'open' } })
    expect(answer.frame).toEqual({
      mode: 'table',
      table: [{ id: 2 }, { id: 4 }],
      handle: { rows: 20 },
      warnings: expect.anything(),
    })
    expect(ask({ fields: ['salary'] }, narrow)).toEqual({ refused: 'field_not_allowed' })
  })

  test('are redacted', () => {
    const { frame } = ask({ limit: 1 })
    expect(frame?.table).toEqual([{ id: 0, state: 'open', salary: 1_000, email: '[REDACTED]' }])
    expect(JSON.stringify(ask({}).frame)).not.toContain('example.com')
    expect(ask({ limit: 1 }, { ...open, reveal: ['email'] }).frame?.table?.[0]).toMatchObject({
      email: 'a0@example.com',
    })
  })

  test('are as the capability has its results redacted, and so is what filters find', () => {
    const secret = { ...kept, value: [{ mail: 'a0@example.com', password: 'hunter2x' }] }
    const look = (redaction: ExpansionRules['redaction'], filter: object) => {
      const rules = { ...open, ...(redaction !== undefined && { redaction }) }
      return expand(secret, rules, { caller: 'ann', now: 1, query: { filter } }).frame?.table
    }
    const [mail, password] = ['a0@example.com', 'hunter2x']
    expect(look('none', { mail, password })).toEqual([{ mail, password }])
    expect(look('secrets', { mail })).toEqual([{ mail, password: '[REDACTED]' }])
    expect(look('secrets', { password })).toEqual([])
    for (const redaction of ['all', undefined] as const) {
      expect(look(redaction, { mail })).toEqual([])
    }
  })

  test('of what is no list have one row', () => {
    const one = { ...kept, value: { id: 7 } }
    expect(expand(one, open, { caller: 'ann', now: 1, query: {} }).frame?.table).toEqual([
      { id: 7 },
    ])
  })

  test.each([
    null,
    5,
    'all',
    [],
    { offset: -1 },
    { offset: 1.5 },
    { offset: '3' },
    { limit: null },
    { limit: Number.POSITIVE_INFINITY },
    { fields: 'id' },
    { fields: [1] },
    { filter: [] },
    { filter: { id: { gt: 1 } } },
    { filter: 'id' },
  ])('are refused where the query cannot be read: %o', (query) => {
    expect(ask(query)).toEqual({ refused: 'query_invalid' })
  })

  test('of members that every object has are of none that was put there', () => {
    expect(ask({ filter: { constructor: 'x' } }).frame?.table).toEqual([])
    expect(ask({ filter: JSON.parse('{"__proto__":1}') })).toEqual({ refused: 'query_invalid' })
  })
})
