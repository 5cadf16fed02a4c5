// What holds of the rule chain for any case: the order of its reasons, and that more of what speaks
// against an action, or more said by the agent, never lets more through.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Capability, type JsonObject } from '#schemas/catalog'
import { Policy, type Cardinality, type Level } from '#schemas/graph'
import { reasonCodes, type ReasonCode } from '#schemas/reasons'
import { isKnown } from '#knowledge/known/known-value'
import { effective } from '#rules/chain/effective'
import { explain } from '#present/explain'
import { judge, type Judgement } from '#rules/chain/judge'
import type { Case } from '#rules/chain/rule-input'
import { trigger, type CallbackResult, type Violation } from '#rules/chain/violation'
import { anyBudget, anyStanding, anyValue } from '../../support/samples/judge-arbitraries.ts'
import { count } from '../../support/vitest/counts.ts'

const runs = { numRuns: count(2_000, 500), seed: 20_260_101 }
const roles = ['writer', 'admin', 'service', 'pii_reader', 'secrets_reader', 'memory_writer']
const text = fc.constantFrom('', 'because', 'the customer asked for it', '\ud800'.repeat(20))

// The same two objects all the time: each new schema is compiled.
const argsSchema = fc.constantFrom<JsonObject>({}, { type: 'object', required: ['id'] })

const capability = fc
  .record({
    id: fc.constantFrom('mail.send', '__proto__'),
    safetyClass: fc.constantFrom('READ', 'WRITE', 'DESTRUCTIVE'),
    sensitivity: fc.constantFrom('NONE', 'PII', 'PCI', 'SECRETS', 'MEMORY'),
    allowedFields: fc.constantFrom([], ['id']),
    allow: fc.constantFrom(undefined, undefined, undefined, [{ role: 'admin' }]),
    suspended: fc.constantFrom(undefined, undefined, undefined, true),
    deny: fc.constantFrom([], [], [{ role: 'admin' }, { role: 'writer' }, { principal: 'x' }]),
  })
  .chain((entry) =>
    argsSchema.map((schema) => ({ ...Capability.parse(entry), argsSchema: schema })),
  )

const violation: fc.Arbitrary<Violation> = fc.record({
  policy: fc.record({ name: fc.string(), requiresConfirmation: fc.boolean() }),
  source: fc.string(),
  target: fc.string(),
  message: fc.string({ unit: 'binary' }),
  callback: fc.option(
    fc.oneof<fc.Arbitrary<CallbackResult>[]>(
      fc.record({ passed: fc.boolean() }),
      fc.constant({ fault: { code: 'not_called', params: {} } } as const),
    ),
  ),
})

const message = fc.record({
  malformed: mostlyNot(),
  senderMatches: mostlyNot().map((not) => !not),
  issues: fc.constant([]),
  safetyLevel: fc.constantFrom('safe', 'safe', 'safe', 'review', 'block'),
  requiresHuman: mostlyNot(),
  unearnedConfidence: mostlyNot(),
  gate: fc.constantFrom('pass', 'pass', 'review', 'fail'),
} as const)

const review = fc.oneof(
  fc.record({
    state: fc.constant('answered' as const),
    answers: fc.array(fc.boolean(), { maxLength: 3 }),
    note: text,
  }),
  fc.constantFrom({ state: 'no_confirmer' }, { state: 'stale' }, { state: 'expired' } as const),
)

// Those that count are in test/rules/chain/delegated-properties.test.ts.
const refusedDelegation = { refusal: { cause: 'ended' }, principals: [], links: [] }

// Those that count are in test/workers/policy/evaluations/.
const refusedEvaluation = { caller: null, subject: null, refusal: 'not_assigned' } as const

const anyCase: fc.Arbitrary<Case> = fc.record(
  {
    message,
    principal: fc.option(
      fc.record({
        id: fc.string(),
        roles: fc.array(fc.constantFrom(...roles), { maxLength: 3 }),
        attributes: fc.constantFrom({}, { tenant: 'eu' }),
        suspended: mostlyNot(),
      }),
    ),
    capability: fc.option(capability, { freq: 8 }),
    request: fc.record({
      tool: fc.string({ unit: 'binary' }),
      args: fc.constantFrom<unknown>({}, { id: 1 }, null, [], 7),
      justification: text,
      constraints: fc.constantFrom({}, { max_rows: 7 }, { max_rows: 'x' }),
      scope: fc.constantFrom({}, { memory_scope: 'sensitive' }),
    }),
    grounding: fc.record({ grounded: mostlyNot().map((not) => !not), gaps: fc.constant([]) }),
    violations: fc.array(violation, { maxLength: 3 }),
    values: fc.array(anyValue, { maxLength: 2 }),
    budgets: fc.array(anyBudget, { maxLength: 2 }),
    rate: fc.record({ limited: mostlyNot(), waitMs: fc.nat() }),
    review: fc.oneof(
      { weight: 2, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: review },
    ),
    withdrawn: mostlyNot(),
    openMax: fc.option(fc.constant(256), { freq: 4 }),
    moving: mostlyNot(),
    standing: anyStanding,
    equalTo: fc.option(fc.constant('main.1.vlp.bot.-.A1'), { freq: 4, nil: undefined }),
    delegated: fc.option(fc.constant(refusedDelegation), { freq: 4, nil: undefined }),
    evaluation: fc.option(fc.constant(refusedEvaluation), { freq: 4, nil: undefined }),
    elsewhere: fc.option(fc.constant({ cell: 2 }), { freq: 4 }),
  } as const,
  { requiredKeys: ['violations'] },
)

function mostlyNot() {
  return fc.constantFrom(false, false, false, true)
}

const rank = (code: ReasonCode) => reasonCodes.indexOf(code)
const codesOf = ({ reasons }: Judgement) => reasons.map(({ code }) => code)

describe('of any case', () => {
  test('the judgement keeps its own promises, and can be explained', () => {
    fc.assert(
      fc.property(anyCase, (of) => {
        const judgement = judge(of)
        const { outcome, reasons, questions, constraints } = judgement
        const ranks = codesOf(judgement).map(rank)
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
        expect(reasons.length > 0).toBe(outcome === 'deny' || outcome === 'ask')
        expect(questions.length > 0).toBe(outcome === 'ask' || outcome === 'review')
        if (outcome !== 'allow') expect(constraints).toEqual({})
        if (of.review !== undefined) expect(['allow', 'deny']).toContain(outcome)
        for (const reason of reasons) {
          expect(JSON.stringify(reason.params)).not.toMatch(/\\ud[89a-f]/)
          expect(reason.recover === 'ask').toBe(
            reason.code === 'insufficient_justification' &&
              reasons.length === 1 &&
              asksForReason(of),
          )
        }
        expect(explain(judgement).length).toBeGreaterThan(0)
        expect(judge(of)).toEqual(judgement)
      }),
      runs,
    )
  })

  test('every two reasons that can hold together are seen together, in order', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(anyCase, (of) => {
        const codes = [...new Set(codesOf(judge(of)))]
        codes.forEach((first, at) =>
          codes.slice(at + 1).forEach((other) => seen.add(`${first} ${other}`)),
        )
      }),
      { ...runs, numRuns: count(10_000, 4_000) },
    )
    const unseen = reasonCodes.flatMap((first, at) =>
      reasonCodes
        .slice(at + 1)
        .filter((other) => !seen.has(`${first} ${other}`) && !excludes(first, other))
        .map((other) => `${first} ${other}`),
    )
    expect(unseen).toEqual([])
  })
})

/** Whether two codes need things that no one case can have. */
function excludes(first: ReasonCode, other: ReasonCode): boolean {
  const ofCapability: ReasonCode[] = [
    'capability_suspended',
    'invalid_arguments',
    'not_permitted',
    'standing_refused',
    'missing_role',
    'missing_tenant_attribute',
    'memory_write_requires_writer',
    'memory_sensitive_read_denied',
    'insufficient_justification',
  ]
  const ofReview: ReasonCode[] = ['no_confirmer', 'declined', 'review_stale', 'review_expired']
  const both = (codes: ReasonCode[]) => codes.includes(first) && codes.includes(other)
  // Whose message cannot be believed is not looked up; an agent that is unknown has no state.
  if (other === 'unknown_agent') return first === 'malformed_message' || first === 'sender_mismatch'
  if (first === 'unknown_agent') return other === 'agent_suspended'
  if (first === 'unknown_capability') return ofCapability.includes(other)
  // A wrong number of answers is stale, and may have a no among them.
  if (both(ofReview)) return !(first === 'declined' && other === 'review_stale')
  if (first === 'missing_tenant_attribute') return other.startsWith('memory_')
  if (first === 'memory_write_requires_writer') return other === 'memory_sensitive_read_denied'
  // Reading memory needs no role and no reason.
  if (other === 'memory_sensitive_read_denied') return first === 'missing_role'
  return first === 'memory_sensitive_read_denied' && other === 'insufficient_justification'
}

function asksForReason(of: Case): boolean {
  const asked = of.violations.some(({ policy }) => policy.requiresConfirmation)
  const { safetyLevel = 'safe', requiresHuman, unearnedConfidence } = of.message ?? {}
  if (of.values?.some(({ found, unknown }) => unknown === 'ask' && !isKnown(found))) return false
  return !asked && safetyLevel === 'safe' && requiresHuman !== true && unearnedConfidence !== true
}

describe('more against it never lets more through', () => {
  const strictness = { allow: 0, ask: 1, review: 1, deny: 2 } as const

  test('with one violation more', () => {
    fc.assert(
      fc.property(anyCase, violation, fc.nat(3), (of, added, at) => {
        const violations = of.violations.toSpliced(at, 0, added)
        // Answers are to the questions that there were: with one more question they are others'.
        const before = judge({ ...of, review: undefined })
        const after = judge({ ...of, violations, review: undefined })
        expect(strictness[after.outcome]).toBeGreaterThanOrEqual(strictness[before.outcome])
        expect(codesOf(after)).toEqual(expect.arrayContaining(codesOf(before)))
        if (judge(of).outcome === 'deny' && of.review?.state !== 'answered') {
          expect(judge({ ...of, violations }).outcome).toBe('deny')
        }
      }),
      runs,
    )
  })

  test('with anything more that is checked', () => {
    fc.assert(
      fc.property(anyCase, anyCase, (of, more) => {
        const absent = Object.entries(more).filter(
          ([key]) => !Object.hasOwn(of, key) && key !== 'review',
        )
        const { principal: _, ...added } = Object.fromEntries(absent)
        const { review: __, ...asked } = of
        const codes = codesOf(judge({ ...asked, ...added }))
        const held = codesOf(judge(asked)).filter((code) => code !== 'insufficient_justification')
        expect(codes).toEqual(expect.arrayContaining(held.filter((code) => !liftable.has(code))))
      }),
      runs,
    )
  })

  // A request that was absent can bring the arguments that were missing.
  const liftable = new Set<ReasonCode>(['invalid_arguments'])
})

describe('an agent cannot talk its own down', () => {
  const cardinality = fc.constantFrom<Cardinality>('single', 'multiple')
  const concepts = fc.array(fc.constantFrom('delete', 'file', 'user'), { maxLength: 4 })
  const level = fc.constantFrom<Level>(0, 1, 2, 3, 4)
  const said = fc.record({ concepts, cardinality, minDepth: level }, { requiredKeys: [] })
  const policies = ([null, 'single', 'multiple'] as const).map((triggerCardinality, index) => ({
    source: 'delete',
    target: 'file',
    policy: Policy.parse({ name: `p${index}`, triggerCardinality }),
  }))

  test('not its concepts, its depth, nor what the catalog’s cardinality triggers', () => {
    fc.assert(
      fc.property(
        fc.record({ concepts, cardinality, minDepth: level }),
        said,
        (catalogs, agents) => {
          const alone = effective(catalogs, {})
          const both = effective(catalogs, agents)
          expect(both.concepts).toEqual(expect.arrayContaining([...alone.concepts]))
          expect(new Set(both.concepts).size).toBe(both.concepts.length)
          expect(both.minDepth).toBeGreaterThanOrEqual(catalogs.minDepth)
          const triggered = trigger(policies, both.cardinality)
          expect(triggered).toEqual(
            expect.arrayContaining([...trigger(policies, alone.cardinality)]),
          )
        },
      ),
      runs,
    )
  })

  test('and its own values count where the catalog has none', () => {
    expect(effective({ concepts: ['a'] }, {})).toEqual({
      concepts: ['a'],
      added: [],
      cardinality: null,
    })
    expect(
      effective(
        { concepts: ['b', 'a'] },
        { concepts: ['a', 'c'], cardinality: 'single', minDepth: 0 },
      ),
    ).toEqual({ concepts: ['b', 'a', 'c'], added: ['c'], cardinality: 'single', minDepth: 0 })
  })

  test('two that differ are believed neither: every policy is triggered', () => {
    const { cardinality: known } = effective(
      { concepts: [], cardinality: 'multiple' },
      { cardinality: 'single' },
    )
    expect(known).toBeNull()
    expect(trigger(policies, null)).toEqual(policies)
  })
})
