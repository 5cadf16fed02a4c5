// The rule chain as a whole: each refusal, its precedence over each other, what is asked of people
// and what becomes of their answers.
import { describe, expect, test } from 'vitest'
import { reasonCodes, type ReasonCode } from '#schemas/reasons'
import { explain } from '#present/explain'
import { judge } from '#rules/chain/judge'
import type { Case, MessageCase, ReviewCase } from '#rules/chain/rule-input'
import * as on from '../../support/samples/judge-cases.ts'
import { testCase, soundMessage, violation } from '../../support/samples/judge-cases.ts'

const codes = (of: Case) => judge(of).reasons.map(({ code }) => code)
const message = (part: Partial<MessageCase>) => ({ message: { ...soundMessage, ...part } })
const answered = (...answers: boolean[]): ReviewCase => ({ state: 'answered', answers })
const object = { type: 'object' }
const asking = { violations: [violation(on.confirmed)] }
const { write, memoryWrite } = on
const unjustified = { ...write, request: { tool: 'tickets', justification: 'because' } }

// One case for each code, in which nothing else stands against it.
const alone: Record<ReasonCode, Partial<Case>> = {
  malformed_message: message({ malformed: true }),
  sender_mismatch: message({ senderMatches: false }),
  unknown_agent: { message: soundMessage, principal: null },
  agent_moving: { moving: true },
  other_cell: { elsewhere: { cell: 2 } },
  message_blocked: message({ safetyLevel: 'block' }),
  context_gate_failed: message({ gate: 'fail' }),
  agent_suspended: { principal: { ...on.principal(), suspended: true } },
  delegation_refused: { delegated: on.delegated({ refusal: { cause: 'ended' } }) },
  subject_refused: {
    evaluation: { caller: on.principal(), subject: null, refusal: 'not_assigned' },
  },
  too_many_open: { openMax: 256 },
  unknown_capability: { capability: null },
  capability_suspended: { capability: on.capability({ suspended: true }) },
  invalid_arguments: { request: { args: 1 }, capability: on.capability({ argsSchema: object }) },
  duplicate_request: { equalTo: 'main.1.vlp.bot.-.A1' },
  not_permitted: { capability: on.capability({ deny: [{ principal: 'agent' }] }) },
  standing_refused: {
    capability: on.capability(),
    standing: { value: 0.3, level: 'strict', refuses: true, asks: null },
  },
  missing_role: { capability: on.capability({ safetyClass: 'WRITE' }) },
  missing_tenant_attribute: { capability: on.capability({ sensitivity: 'PII' }) },
  memory_write_requires_writer: { ...write, capability: memoryWrite },
  memory_sensitive_read_denied: {
    capability: on.capability({ sensitivity: 'MEMORY' }),
    request: { scope: { memory_scope: 'sensitive' } },
  },
  invalid_constraint: { request: { constraints: { max_rows: 'abc' } } },
  ungrounded: {
    grounding: { grounded: false, gaps: [{ kind: 'REACHABILITY', primitive: 'file' }] },
  },
  policy_faulted: { violations: [violation(on.faulted)] },
  policy_blocked: { violations: [violation(on.failed)] },
  value_unknown: { values: [{ unknown: 'deny', found: on.strangeValue }] },
  insufficient_justification: unjustified,
  rate_limited: { rate: { limited: true, waitMs: 1500 } },
  budget_invalid: { budgets: [{ name: 'payments', fault: 'amount_negative' }] },
  budget_exceeded: { budgets: [on.usedUp] },
  no_confirmer: { ...asking, review: { state: 'no_confirmer' } },
  declined: { ...asking, review: answered(false) },
  review_stale: { ...asking, review: { state: 'stale' } },
  review_expired: { ...asking, review: { state: 'expired' } },
  withdrawn: { withdrawn: true },
}

describe('a refusal', () => {
  test.each(reasonCodes)('%s stands alone, and shows how to recover', (code) => {
    const judgement = judge(testCase(alone[code]))
    expect(judgement.reasons.map((reason) => [reason.code, reason.recover])).toEqual([
      [code, on.recovers[code]],
    ])
    expect(judgement.outcome).toBe(code === 'insufficient_justification' ? 'ask' : 'deny')
    expect(judgement.constraints).toEqual({})
    expect(explain(judgement).join('\n')).toContain(code)
  })

  test('does not stand against what has nothing against it', () => {
    expect(judge(testCase())).toEqual({
      outcome: 'allow',
      reasons: [],
      questions: [],
      constraints: { max_rows: 50 },
    })
  })

  test('of a capability rule comes in the order of the codes when all of them hold', () => {
    const capability = on.capability({
      safetyClass: 'DESTRUCTIVE',
      sensitivity: 'MEMORY',
      argsSchema: { type: 'object', required: ['id'] },
    })
    const request = { constraints: { max_rows: null } }
    const principal = { ...on.principal(), suspended: true }
    const violations = [violation(on.failed), violation(on.faulted), violation(on.confirmed)]
    const grounding = { grounded: false, gaps: [] }
    const of = testCase({ capability, request, principal, violations, grounding, withdrawn: true })
    expect(codes(of)).toEqual([
      'agent_suspended',
      'invalid_arguments',
      'missing_role',
      'memory_write_requires_writer',
      'invalid_constraint',
      'ungrounded',
      'policy_faulted',
      'policy_blocked',
      'insufficient_justification',
      'withdrawn',
    ])
    expect(judge(of).questions).toEqual([])
  })
})

describe('a message', () => {
  test('with an error of severity is malformed, whatever else was found', () => {
    const issues = [{ code: 'session_unknown' as const, severity: 'error', path: '/session_id' }]
    const [only] = judge(testCase(message({ issues }))).reasons
    expect(only).toMatchObject({ code: 'malformed_message' })
    expect(only?.params.issues).toEqual([{ code: 'session_unknown', path: '/session_id' }])
  })

  test('that blocks itself is sound', () => {
    const issues = [{ code: 'safety_block' as const, severity: 'error', path: '/safety/level' }]
    expect(codes(testCase(message({ issues, safetyLevel: 'block' })))).toEqual(['message_blocked'])
  })

  test('with warnings and a gate of review is let through', () => {
    const issues = [{ code: 'seq_gap' as const, severity: 'warning', path: '/seq' }]
    expect(judge(testCase(message({ issues, gate: 'review' }))).outcome).toBe('allow')
  })

  test('can ask for people itself, in a fixed order before the policies', () => {
    const asks = message({ safetyLevel: 'review', requiresHuman: true, unearnedConfidence: true })
    const capability = on.capability({ confirmation: 'desk' })
    const judgement = judge(testCase({ ...asks, ...asking, capability }))
    expect(judgement.outcome).toBe('review')
    expect(judgement.reasons).toEqual([])
    expect(judgement.questions.map(({ kind, confirmation }) => [kind, confirmation])).toEqual([
      ['safety_review', 'desk'],
      ['requires_human', 'desk'],
      ['unearned_confidence', 'desk'],
      ['policy', 'desk'],
    ])
  })
})

describe('gaps', () => {
  test('are carried by the reason as far as a fact should hold them', () => {
    const gaps = Array.from({ length: 40 }, (_, index) => ({
      kind: 'EXISTENCE' as const,
      primitive: `p${index}`,
    }))
    const [only] = judge(testCase({ grounding: { grounded: false, gaps } })).reasons
    expect(only?.params.gaps).toHaveLength(32)
    expect(only?.params.gapsOmitted).toBe(8)
  })

  test('are explained by the least that would close them', () => {
    const grounding = {
      grounded: false,
      gaps: [
        { kind: 'EXISTENCE' as const, primitive: 'folder', candidates: ['directory', 'file'] },
        { kind: 'DEPTH' as const, primitive: 'file', required: 3, current: null },
        { kind: 'RELATIONAL' as const, source: 'delete', target: 'user', required: 2, current: 1 },
        { kind: 'REACHABILITY' as const, primitive: 'network' },
      ],
    }
    expect(explain(judge(testCase({ grounding }))).slice(2)).toEqual([
      '  - `folder` may mean `directory` or `file`: name the one that is meant',
      '  - `file` is known by its name only, and D3 CONSTRAINTS is needed: describe it down to D3',
      '  - `user` is known down to D1 IDENTITY, and D2 CAPABILITIES is needed by `delete`: ' +
        'describe it down to D2',
      expect.stringMatching(/^ {2}- `network` is not related .+: relate it/),
    ])
  })
})

describe('what people answered', () => {
  const two = {
    violations: [violation(on.confirmed), violation({ ...on.confirmed, name: 'other' })],
  }

  test('refuses with any no', () => {
    expect(codes(testCase({ ...two, review: answered(true, false) }))).toEqual(['declined'])
  })

  test('refuses where it is not one answer for each question', () => {
    expect(codes(testCase({ ...two, review: answered(true) }))).toEqual(['review_stale'])
    expect(codes(testCase({ ...two, review: answered(true, true, true) }))).toEqual([
      'review_stale',
    ])
    expect(codes(testCase({ review: answered(true) }))).toEqual(['review_stale'])
  })

  test('allows where all agree', () => {
    const of = testCase({ ...two, review: answered(true, true) })
    expect(judge(of)).toMatchObject({ outcome: 'allow', constraints: { max_rows: 50 } })
  })

  test('lifts no refusal', () => {
    for (const code of reasonCodes) {
      const { violations = [], ...rest } = alone[code]
      if ('review' in rest) continue
      const both = [...violations, violation({ ...on.confirmed, name: 'asked' })]
      const of = testCase({ ...rest, violations: both, review: answered(true) })
      expect(codes(of), code).toEqual([code])
    }
  })
})

describe('a reason that is asked for', () => {
  const note = (text: string): ReviewCase => ({ state: 'answered', answers: [true], note: text })

  test('is not given by an approval alone, nor by a short note', () => {
    const expected = {
      outcome: 'deny',
      reasons: [{ code: 'insufficient_justification', recover: 'ask' }],
    }
    expect(judge(testCase({ ...unjustified, review: answered(true) }))).toMatchObject(expected)
    expect(judge(testCase({ ...unjustified, review: note('x'.repeat(14)) }))).toMatchObject(
      expected,
    )
  })

  test('is not given by the note of someone who declined', () => {
    const review = { state: 'answered', answers: [false], note: on.reason } as const
    expect(codes(testCase({ ...unjustified, review }))).toEqual(['declined'])
  })

  test('is given by the note of the one who agreed', () => {
    expect(judge(testCase({ ...unjustified, review: note('x'.repeat(15)) })).outcome).toBe('allow')
  })

  test('denies with recover ask where no one is there to give it', () => {
    expect(judge(testCase({ ...unjustified, review: { state: 'no_confirmer' } }))).toMatchObject({
      outcome: 'deny',
      reasons: [{ code: 'insufficient_justification', recover: 'ask' }],
    })
  })

  test('is the agent’s own to give where people must be asked other things', () => {
    expect(judge(testCase({ ...unjustified, ...asking }))).toMatchObject({
      outcome: 'deny',
      reasons: [{ code: 'insufficient_justification', recover: 'fix' }],
      questions: [],
    })
    const review = note(on.reason)
    expect(codes(testCase({ ...unjustified, ...asking, review }))).toEqual([
      'insufficient_justification',
    ])
  })
})

describe('what others wrote', () => {
  test('is repeated short, on one line, and as text that a fact can hold', () => {
    const tool = `\ud800\n\`${'x'.repeat(300_000)}`
    const [only] = judge(testCase({ capability: null, request: { tool } })).reasons
    expect(only?.params.tool?.length).toBeLessThan(300)
    expect(only?.params.tool?.isWellFormed()).toBe(true)
    expect(only?.params.tool).not.toContain('\n')
  })

  test('cannot make the chain throw', () => {
    for (const name of ['__proto__', 'constructor', 'toString', '']) {
      const hostile = JSON.parse(`{${JSON.stringify(name)}:{"max_rows":1}}`)
      const of = testCase({
        principal: { ...on.principal(name), attributes: hostile },
        capability: on.capability({ id: 'x', sensitivity: 'MEMORY' }),
        request: { tool: name, args: hostile, constraints: hostile, scope: hostile },
      })
      expect(judge(of).outcome).toBe('allow')
    }
  })
})

test.each(['malformed_message', 'sender_mismatch'] as const)('%s hides the agent', (code) => {
  expect(codes(testCase({ ...alone[code], principal: null }))).toEqual([code])
})
