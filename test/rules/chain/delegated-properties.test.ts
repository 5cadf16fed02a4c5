// What holds of any call for others, by the rules alone: it never permits what one of them alone
// would be refused, it never gives more than without the others, and each link more leaves less.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Capability, Condition } from '#schemas/catalog'
import { newestRules } from '#rules/catalog/rules-version'
import { callInput } from '#stages/scene/call-input'
import { judge, type Judgement } from '#rules/chain/judge'
import type { Case, DelegatedCase, PrincipalCase } from '#rules/chain/rule-input'
import { count } from '../../support/vitest/counts.ts'

const runs = { numRuns: count(3_000, 600), seed: 20_261_123 }
const roles = ['writer', 'admin', 'service', 'pii_reader', 'secrets_reader', 'memory_writer']
const fields = ['id', 'name', 'total']

const principal: fc.Arbitrary<PrincipalCase> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  roles: fc.subarray(roles),
  attributes: fc.constantFrom({}, { tenant: 'eu' }, { team: 'x' }),
  suspended: fc.constant(false),
})

const matchers = fc.constantFrom([], [{ role: 'admin' }], [{ principal: 'b' }, { role: 'service' }])

const condition = fc
  .record({
    name: fc.constantFrom('one', 'two'),
    effect: fc.constantFrom('deny', 'require', 'confirm'),
    when: fc.constantFrom(
      "principal.id == 'b'",
      "'writer' in principal.roles",
      "principal.attributes.team == 'x'",
      'args.n > 3',
    ),
  })
  .map((entry) => Condition.parse(entry))

const capability = fc
  .record({
    id: fc.constantFrom('look', 'send'),
    safetyClass: fc.constantFrom('READ', 'WRITE', 'DESTRUCTIVE'),
    sensitivity: fc.constantFrom('NONE', 'PII', 'SECRETS', 'MEMORY'),
    allowedFields: fc.constantFrom([], ['id'], ['id', 'name']),
    deny: matchers,
    conditions: fc.array(condition, { maxLength: 2 }),
  })
  .chain((entry) => {
    const allow = fc.constantFrom(undefined, undefined, [{ role: 'writer' }, { principal: 'c' }])
    return allow.map((list) => {
      const { conditions, ...rest } = entry
      const parsed = Capability.parse({ ...rest, argsSchema: {}, ...(list && { allow: list }) })
      return { ...parsed, argsSchema: { type: 'object' }, conditions }
    })
  })

const constraints = fc.record(
  { max_rows: fc.nat(60), allowed_fields: fc.subarray(fields, { minLength: 1 }) },
  { requiredKeys: [] },
)

const link: fc.Arbitrary<DelegatedCase['links'][number]> = fc.record({
  name: fc.constantFrom('main.1.vlp.a.s.D1', 'main.1.vlp.b.s.D2'),
  data: fc
    .record({
      capabilities: fc.subarray(['look', 'send'], { minLength: 1 }),
      constraints,
      until: fc.constant('2027-01-01T00:00:00Z'),
      when: fc.constantFrom(undefined, undefined, 'args.n < 5', 'args.n', 'nothing'),
    })
    .map(({ when, ...rest }) => ({ ...rest, ...(when !== undefined && { when }) })),
})

interface Called {
  /** The agent alone, and the others. */
  readonly alone: Case
  readonly others: readonly PrincipalCase[]
  readonly links: DelegatedCase['links']
}

const called: fc.Arbitrary<Called> = fc
  .record({
    capability,
    principal,
    others: fc.array(principal, { maxLength: 3 }),
    links: fc.array(link, { maxLength: 3 }),
    n: fc.nat(6),
    asked: constraints,
    justification: fc.constantFrom('because', 'the customer asked for it'),
  })
  .map(({ capability: of, principal: agent, others, links, n, asked, justification }) => {
    const request = { tool: of.id, args: { n }, constraints: asked, justification }
    const alone = caseOf({ capability: of, request, violations: [] }, agent)
    return { alone, others, links }
  })

function caseOf(of: Case, agent: PrincipalCase): Case {
  const { capability: found, request = {} } = of
  if (found === undefined || found === null) return of
  const input = callInput({
    catalog: { rules: newestRules },
    capability: found,
    request: { args: request.args, constraints: request.constraints },
    principal: { ...agent, roles: [...agent.roles], keys: [] },
    owner: undefined,
    session: 's',
    ground: null,
    now: 0,
    evidence: () => [],
  })
  return { ...of, principal: agent, input }
}

function together({ alone, others, links }: Called): Case {
  const principals = others.map((one) => {
    return { principal: one, input: caseOf(alone, one).input ?? null }
  })
  return { ...alone, delegated: { refusal: null, principals, links } }
}

const strictness = { allow: 0, ask: 1, review: 1, deny: 2 } as const

/** Whether what the one permits is within what the other permits. */
function isWithin(one: Judgement, other: Judgement): boolean {
  if (one.outcome !== 'allow' || other.outcome !== 'allow') return true
  const { max_rows: rows = Infinity, allowed_fields: some } = one.constraints
  const { max_rows: rowsMax = Infinity, allowed_fields: all } = other.constraints
  const isFewer = Number(rows) <= Number(rowsMax)
  if (!Array.isArray(all)) return isFewer
  return isFewer && Array.isArray(some) && some.every((field) => all.includes(field))
}

describe('of any call for others', () => {
  test('it is refused where one of them alone would be, and asked where one would be asked', () => {
    const seen = { allow: 0, ask: 0, review: 0, deny: 0 }
    fc.assert(
      fc.property(called, (of) => {
        const judged = judge(together(of))
        seen[judged.outcome] += 1
        for (const one of [of.alone, ...of.others.map((other) => caseOf(of.alone, other))]) {
          const own = judge(one)
          expect(strictness[judged.outcome]).toBeGreaterThanOrEqual(strictness[own.outcome])
          expect(isWithin(judged, own)).toBe(true)
          const codes = new Set(judged.reasons.map(({ code }) => code))
          if (judged.outcome !== 'deny' || own.outcome !== 'deny') continue
          expect(own.reasons.every(({ code }) => codes.has(code))).toBe(true)
        }
      }),
      runs,
    )
    expect(Math.min(seen.allow, seen.review, seen.deny)).toBeGreaterThan(0)
  })

  test('one more of them, or one link more, never gives more', () => {
    fc.assert(
      fc.property(called, principal, link, (of, other, more) => {
        const before = judge(together(of))
        for (const after of [
          judge(together({ ...of, others: [...of.others, other] })),
          judge(together({ ...of, links: [...of.links, more] })),
        ]) {
          expect(strictness[after.outcome]).toBeGreaterThanOrEqual(strictness[before.outcome])
          expect(isWithin(after, before)).toBe(true)
        }
      }),
      runs,
    )
  })

  test('what does not count is refused for that first', () => {
    fc.assert(
      fc.property(called, (of) => {
        const { delegated } = together(of)
        if (delegated === undefined) return
        const refused = { ...delegated, refusal: { cause: 'ended' } }
        const { outcome, reasons } = judge({ ...of.alone, delegated: refused })
        expect(outcome).toBe('deny')
        expect(reasons[0]).toMatchObject({ code: 'delegation_refused', recover: 'fix' })
      }),
      runs,
    )
  })
})
