import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkMessage, gateOf, integrityOf } from '#messages/check'
import { severities } from '#messages/issue'
import { vlpCheckLine } from '#cli/offline/run'
import { VlpIssue } from '#schemas/vlp'
import { check, codes, places, sample, session } from '../support/samples/vlp-sample.ts'

const proof = { provenance: ['https://example.org/rules'] }
const level = (name: string): Readonly<Record<string, unknown>> => ({
  safety: { level: name, issues: [] },
})

describe('what a type needs', () => {
  test.each(['evidence', 'response', 'correction'])('%s without refers_to fails', (type) => {
    const found = check({ type, ...proof })
    expect(places(found)).toEqual([`${type}_missing_refers_to /refers_to`])
    expect(found.outcome).toBe('fail')
  })

  test.each([[null], [''], [[]], [['']], [' '], [['\t', '\u200b', '\ufeff']]])(
    'refers_to %j names nothing',
    (refersTo) => {
      const found = check({ type: 'response', refers_to: refersTo })
      expect(codes(found)).toEqual(['response_missing_refers_to'])
    },
  )

  test.each([['MSG-1'], [['MSG-1']], [['', 'MSG-1']]])('refers_to %j is enough', (refersTo) => {
    expect(check({ type: 'correction', refers_to: refersTo }).outcome).toBe('pass')
  })

  test.each([[undefined], [[]]])('evidence with provenance %j fails', (provenance) => {
    const given = provenance === undefined ? {} : { provenance }
    const found = check({ type: 'evidence', refers_to: 'MSG-1', ...given })
    expect(places(found)).toEqual(['evidence_missing_provenance /provenance'])
    expect(found.outcome).toBe('fail')
  })

  test('evidence lacking both reports both', () => {
    const both = ['evidence_missing_refers_to', 'evidence_missing_provenance']
    expect(codes(check({ type: 'evidence' }))).toEqual(both)
  })

  test('evidence with both passes', () => {
    expect(check({ type: 'evidence', refers_to: 'MSG-1', ...proof }).outcome).toBe('pass')
  })

  test.each(['claim', 'query', 'notice', 'session_context'])('%s needs neither', (type) => {
    expect(check({ type }).outcome).toBe('pass')
  })
})

describe('confidence that must be earned', () => {
  const types = ['claim', 'query', 'notice', 'session_context']

  test.each(types)('%s at 0.9 without provenance asks for review', (type) => {
    const found = check({ type, confidence: 0.9 })
    expect(places(found)).toEqual(['missing_provenance_high_confidence /provenance'])
    expect(found).toMatchObject({ outcome: 'review', unearnedConfidence: true })
  })

  test.each(['response', 'correction'])('%s at 0.9 without provenance asks for it too', (type) => {
    const found = check({ type, confidence: 0.9, refers_to: 'MSG-1' })
    expect(codes(found)).toEqual(['missing_provenance_high_confidence'])
  })

  test('the last confidence below 0.9 needs nothing', () => {
    const found = check({ confidence: 0.8999999999999999 })
    expect(found).toMatchObject({ outcome: 'pass', unearnedConfidence: false })
  })

  test('one provenance item earns it', () => {
    expect(check({ confidence: 1, ...proof })).toMatchObject({
      outcome: 'pass',
      unearnedConfidence: false,
    })
  })

  test('level review answers it, and it stays unearned', () => {
    const found = check({ confidence: 1, ...level('review') })
    expect(codes(found)).toEqual(['safety_review'])
    expect(found.unearnedConfidence).toBe(true)
  })
})

describe('safety', () => {
  test('block fails and is the level that counts', () => {
    const found = check(level('block'))
    expect(places(found)).toEqual(['safety_block /safety/level'])
    expect(found).toMatchObject({ outcome: 'fail', safetyLevel: 'block' })
  })

  test('review asks for review', () => {
    const found = check(level('review'))
    expect(places(found)).toEqual(['safety_review /safety/level'])
    expect(found).toMatchObject({ outcome: 'review', safetyLevel: 'review' })
  })

  test('requires_human asks for review, whatever the level', () => {
    const found = check({ safety: { level: 'safe', issues: [], requires_human: true } })
    expect(places(found)).toEqual(['requires_human /safety/requires_human'])
    expect(found).toMatchObject({ outcome: 'review', requiresHuman: true, safetyLevel: 'safe' })
  })

  test.each([{}, level('safe'), { safety: { level: 'safe', issues: [], requires_human: false } }])(
    '%j is safe',
    (changes) => {
      expect(check(changes)).toMatchObject({ outcome: 'pass', safetyLevel: 'safe' })
      expect(check(changes).requiresHuman).toBe(false)
    },
  )
})

describe('what is only noted', () => {
  const odd = [
    [{ timestamp: 'not-a-date!' }, 'timestamp_invalid /timestamp'],
    [{ timestamp: '2025-02-29T00:00:00Z' }, 'timestamp_invalid /timestamp'],
    [{ timestamp: '1900-02-29T00:00:00Z' }, 'timestamp_invalid /timestamp'],
    [{ timestamp: '2025-03-01T24:00:00Z' }, 'timestamp_invalid /timestamp'],
    [{ timestamp: '2025-03-01 09:30:00Z' }, 'timestamp_invalid /timestamp'],
    [{ timestamp: '2025-03-01T09:30:00' }, 'timestamp_invalid /timestamp'],
    [{ timestamp: '2025-03-01T09:30:60Z' }, 'timestamp_invalid /timestamp'],
    [{ session_id: 'session-1' }, 'session_id_invalid /session_id'],
    [{ session_id: '' }, 'session_id_invalid /session_id'],
    [{ session_id: 'S-2025-02-30-agent-a1b2c3' }, 'session_id_invalid /session_id'],
    [{ session_id: 'S-2025-03-01-a1b2c3' }, 'session_id_invalid /session_id'],
    [{ provenance: [''] }, 'provenance_empty_ref /provenance/0'],
    [{ provenance: ['a', { ref: ' ' }] }, 'provenance_empty_ref /provenance/1/ref'],
    [{ gate: 'banana' }, 'computed_field_spoofed /gate'],
    [{ context_depth: null }, 'computed_field_spoofed /context_depth'],
    [{ context_integrity: 1 }, 'computed_field_spoofed /context_integrity'],
    [{ context_debt: 0 }, 'computed_field_spoofed /context_debt'],
  ] as const

  test.each(odd)('%j is noted, and the outcome stays pass', (changes, place) => {
    const found = check({ ...changes })
    expect(places(found)).toEqual([place])
    expect(found.outcome).toBe('pass')
  })

  test.each([
    '2025-03-01T09:30:00Z',
    '2000-02-29T00:00:00Z',
    '2024-02-29T23:59:59.123456Z',
    '2016-12-31T23:59:60Z',
  ])('the timestamp %s is sound', (timestamp) => {
    expect(codes(check({ timestamp }))).toEqual([])
  })

  test.each([session, 'S-2025-12-14-the-keeper-0f9c21', 'S-2025-12-14-x-ab12'])(
    'the session id %s is sound',
    (sessionId) => {
      expect(codes(check({ session_id: sessionId }))).toEqual([])
    },
  )
})

test('a message shows as many layers as it has, and no context of others is needed', () => {
  expect(check({ content: '' }).depth).toBe(0)
  expect(check().depth).toBe(1)
  const state = { session_id: session, seq: 1, refers_to: 'MSG-1' }
  expect(check({ constraints: ['any'], ...proof, ...state }).depth).toBe(5)
  const payload = { intent: { tool: 'refund' } }
  expect(check({ constraints: ['any'], ...proof, ...state, payload }).depth).toBe(6)
  const mixed = sample({ constraints: ['any', 'other'] })
  expect(checkMessage(mixed, { knownConstraints: ['any'] }).depth).toBe(1)
  expect(check({ content: {}, payload: { intent: { tool: ' ' } }, session_id: null }).depth).toBe(0)
})

test('what fails the schema has no integrity, no depth, and is not safe', () => {
  expect(check({ id: 1, ...proof, gate: 'pass' })).toMatchObject({
    outcome: 'fail',
    integrity: 0,
    debt: 100,
    depth: 0,
    gate: 'fail',
    safetyLevel: 'review',
    message: null,
  })
})

test('graver issues come first, so a bounded list never loses one', () => {
  const provenance = Array.from({ length: 200 }, () => '')
  const found = check({ provenance, confidence: 1, type: 'evidence', ...level('block') })
  const graver = ['evidence_missing_refers_to', 'evidence_missing_provenance', 'safety_block']
  expect(codes(found).slice(0, 3)).toEqual(graver)
  expect(found.issues.length + found.issuesOmitted).toBe(203)
})

test('fields that are computed here never change what is found', () => {
  const given = fc.record({
    confidence: fc.constantFrom(0.5, 0.9),
    provenance: fc.array(fc.constantFrom('', 'a'), { maxLength: 4 }),
    constraints: fc.array(fc.constantFrom('known', 'other'), { maxLength: 4 }),
  })
  const value = fc.jsonValue().filter((json) => !JSON.stringify(json).includes('__proto__'))
  const spoofed = {
    context_depth: value,
    context_integrity: value,
    context_debt: value,
    gate: value,
  }
  const known = { knownConstraints: ['known'] }
  fc.assert(
    fc.property(given, fc.record(spoofed, { requiredKeys: [] }), (changes, claims) => {
      const honest = checkMessage(sample(changes), known)
      const claimed = checkMessage(sample({ ...changes, ...claims }), known)
      const believed = claimed.issues.filter(({ code }) => code !== 'computed_field_spoofed')
      const besides = { message: null, values: 0 }
      expect({ ...claimed, issues: believed, ...besides }).toEqual({ ...honest, ...besides })
    }),
  )
})

test('no JSON value makes the check throw, and each issue is one that a fact can hold', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (value, changes) => {
      for (const given of [value, sample(changes)]) {
        const found = checkMessage(given, { knownConstraints: [] })
        for (const issue of found.issues) expect(VlpIssue.safeParse(issue).success).toBe(true)
        expect(found.outcome === 'fail').toBe(found.issues.some((i) => i.severity === 'error'))
      }
    }),
  )
})

test('every code has the severity that decides the outcome', () => {
  const of = (severity: string) =>
    Object.entries(severities).flatMap(([code, its]) => (its === severity ? [code] : []))
  expect(of('error')).toHaveLength(6)
  expect(of('info')).toEqual([
    'provenance_empty_ref',
    'timestamp_invalid',
    'session_id_invalid',
    'computed_field_spoofed',
  ])
})

describe('a line checked offline', () => {
  test('gives the outcome, issues without prose, integrity in hundredths, and the gate', () => {
    expect(
      vlpCheckLine(sample({ confidence: 1, constraints: ['x'], timestamp: 'yesterday!' })),
    ).toEqual({
      outcome: 'review',
      issues: [
        {
          code: 'missing_provenance_high_confidence',
          severity: 'warning',
          path: '/provenance',
        },
        { code: 'timestamp_invalid', severity: 'info', path: '/timestamp' },
      ],
      integrity: 59,
      gate: 'review',
    })
  })

  test('of something else than a message fails', () => {
    const issues = [{ code: 'schema_invalid', severity: 'error', path: '' }]
    expect(vlpCheckLine('hello')).toEqual({ outcome: 'fail', issues, integrity: 0, gate: 'fail' })
  })
})

const known = { knownConstraints: ['known'] }
const integrity = (changes: object): number => checkMessage(sample({ ...changes }), known).integrity

test.each([
  [{}, 50],
  [{ provenance: ['a'] }, 62],
  [{ provenance: ['a', 'b'] }, 74],
  [{ provenance: ['a', 'b', 'c'] }, 86],
  [{ provenance: ['a', 'b'], constraints: ['known'] }, 83],
  [{ provenance: ['a', '', { ref: ' ' }] }, 62],
  [{ constraints: ['known'] }, 59],
  [{ constraints: ['other'] }, 40],
  [{ constraints: ['other', 'known'] }, 49],
  [{ constraints: ['Known'] }, 40],
  [{ constraints: [''] }, 40],
  [{ constraints: Array(6).fill('other') }, 0],
  [{ provenance: Array(9).fill('a') }, 100],
])('%j gives %i hundredths', (changes, expected) => {
  expect(integrity(changes)).toBe(expected)
  expect(checkMessage(sample({ ...changes }), known).debt).toBe(100 - expected)
})

test('an empty list makes no constraint unknown, and a blank one never known', () => {
  expect(check({ constraints: ['other', 'any'] }).integrity).toBe(68)
  expect(check({ constraints: ['', ' '] }).integrity).toBe(50)
})

test.each([
  [100, 'pass'],
  [75, 'pass'],
  [74, 'review'],
  [50, 'review'],
  [49, 'fail'],
  [0, 'fail'],
])('%i hundredths is the gate %s', (hundredths, gate) => {
  expect(gateOf(hundredths)).toBe(gate)
})

test('it is an integer from 0 to 100 for any counts', () => {
  const count = fc.nat(100_000)
  fc.assert(
    fc.property(count, count, count, (provenance, knownCount, unknown) => {
      const found = integrityOf({ provenance, known: knownCount, unknown })
      expect(Number.isInteger(found) && found >= 0 && found <= 100).toBe(true)
    }),
  )
})

test('a failed gate raises safe to review and reports it', () => {
  const found = checkMessage(sample({ constraints: ['other'] }), known)
  expect(places(found)).toEqual(['low_integrity_gate /constraints'])
  expect(found).toMatchObject({ outcome: 'review', gate: 'fail', safetyLevel: 'review' })
})

test('a failed gate never lowers a level', () => {
  const of = (name: string) => checkMessage(sample({ constraints: ['x'], ...level(name) }), known)
  expect(of('block')).toMatchObject({ gate: 'fail', safetyLevel: 'block', outcome: 'fail' })
  expect(of('review')).toMatchObject({ gate: 'fail', safetyLevel: 'review', outcome: 'review' })
  expect(codes(of('review'))).toEqual(['safety_review'])
})

test('a gate of review changes no outcome', () => {
  expect(check()).toMatchObject({ gate: 'review', outcome: 'pass' })
})
