import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { buildMessage, normalKeywords, queryConfidence, type MessageFields } from '#messages/build'
import { checkMessage } from '#messages/check'
import { VlpIssue, type VlpMessage } from '#schemas/vlp'
import { codes, places } from '../support/samples/vlp-sample.ts'

const now = Date.UTC(2025, 2, 1, 9, 30, 0, 999)
const mark = { now, id: 'MSG1a2b3c4d' }
const fields: MessageFields = {
  type: 'claim',
  sender: 'agent-7',
  content: 'found',
  confidence: 0.8,
}

const build = (changes: Partial<MessageFields>): VlpMessage =>
  buildMessage({ ...fields, ...changes }, mark)

/** What callers without types may pass. */
function refusal(changes: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    buildMessage({ ...fields, ...changes }, mark)
  } catch (error) {
    expect(error).toBeInstanceOf(Fault)
    if (!(error instanceof Fault)) return []
    expect(error).toMatchObject({ code: 'message_invalid', retry: 'never' })
    return places({ issues: VlpIssue.array().parse(error.cause) })
  }
  return []
}

describe('what is refused', () => {
  test.each([
    [{ note: 1 }, ['schema_invalid /note']],
    [{ 'a/b~c': 1 }, ['schema_invalid /a~1b~0c']],
    [{ gate: 'pass' }, ['schema_invalid /gate']],
    [{ timestamp: '2025-03-01T09:30:00Z' }, ['schema_invalid /timestamp']],
    [{ type: 'boast' }, ['schema_invalid /type']],
    [{ type: 7 }, ['schema_invalid /type']],
    [{ confidence: '0.5' }, ['schema_invalid /confidence']],
    [{ confidence: null }, ['schema_invalid /confidence']],
    [{ type: 'query', confidence: null }, ['schema_invalid /confidence']],
    [{ safety: 'block' }, ['schema_invalid /safety']],
    [{ safety: null }, ['schema_invalid /safety']],
    [{ safety: {} }, ['schema_invalid /safety/level']],
    [{ safety: { level: 'safe', issues: 'x' } }, ['schema_invalid /safety/issues']],
    [{ _extras: null }, ['schema_invalid /_extras']],
    [{ provenance: [1] }, ['schema_invalid /provenance/0']],
    [{ content: () => 1 }, ['schema_invalid ']],
    [{ type: 'response' }, ['response_missing_refers_to /refers_to']],
    [
      { type: 'evidence', provenance: [' '], refers_to: [] },
      ['evidence_missing_refers_to /refers_to', 'evidence_missing_provenance /provenance'],
    ],
    [{ note: 1, confidence: 2 }, ['schema_invalid /note', 'schema_invalid /confidence']],
  ])('%j', (changes, expected) => {
    expect(refusal(changes)).toEqual(expected)
  })

  test.each(['claim', 'evidence', 'response', 'correction', 'notice', 'session_context'])(
    '%s without its confidence',
    (type) => {
      const bare: MessageFields = {
        type,
        sender: 'a',
        content: 'b',
        refers_to: 'c',
        provenance: 'd',
      }
      expect(() => buildMessage(bare, mark)).toThrow('`/confidence` schema_invalid')
    },
  )

  test.each([Number.NaN, -1, 253_402_300_800_000])('the time %d', (moment) => {
    expect(() => buildMessage(fields, { now: moment, id: 'MSG-1' })).toThrow('`now`')
  })

  test('an id too short', () => {
    expect(() => buildMessage(fields, { now, id: 'M1' })).toThrow('`/id` schema_invalid')
  })
})

test('a message has all of its properties, and its time in seconds', () => {
  expect(build({})).toEqual({
    id: 'MSG1a2b3c4d',
    protocol: 'VLP/1.1',
    type: 'claim',
    timestamp: '2025-03-01T09:30:00Z',
    sender: 'agent-7',
    content: 'found',
    confidence: 0.8,
    session_id: null,
    seq: null,
    receiver: null,
    topic: null,
    provenance: [],
    constraints: [],
    safety: { level: 'safe', issues: [] },
    refers_to: null,
    keywords: [],
    payload: null,
    _extras: {},
  })
})

test('a query alone has a confidence by default, and one that need not be earned', () => {
  const query = buildMessage({ type: ' Query ', sender: 'a', content: 'b' }, mark)
  expect(query).toMatchObject({ type: 'query', confidence: queryConfidence })
  expect(checkMessage(query, { knownConstraints: [] }).outcome).toBe('pass')
})

test('one value stands for a list of one, and extras are kept', () => {
  const _extras = { a: { b: [1] } }
  const built = build({ provenance: { ref: 'r' }, constraints: 'c', keywords: 'K', _extras })
  const lists = { provenance: [{ ref: 'r' }], constraints: ['c'], keywords: ['k'] }
  expect(built).toMatchObject({ ...lists, _extras })
  expect(build({ provenance: null, constraints: null, keywords: null }).keywords).toEqual([])
})

describe('escalation', () => {
  const code = 'missing_provenance_high_confidence'

  test('raises safe to review at 0.9 without provenance, and keeps the issues', () => {
    const built = build({ confidence: 0.9, safety: { level: 'safe', issues: [{ code: 'own' }] } })
    expect(built.safety?.level).toBe('review')
    expect(built.safety?.issues.map((issue) => issue.code)).toEqual(['own', code])
  })

  test('does nothing below 0.9, nor with provenance', () => {
    expect(build({ confidence: 0.89 }).safety).toEqual({ level: 'safe', issues: [] })
    expect(build({ confidence: 1, provenance: 'r' }).safety).toEqual({ level: 'safe', issues: [] })
  })

  test('takes blank provenance for none', () => {
    expect(build({ confidence: 1, provenance: [' '] }).safety?.level).toBe('review')
  })

  test('adds nothing to review and never lowers block', () => {
    const review = { level: 'review', issues: [], requires_human: true } as const
    expect(build({ confidence: 1, safety: review }).safety).toEqual(review)
    const block = { level: 'block', issues: [] } as const
    expect(build({ confidence: 1, safety: block }).safety).toEqual(block)
  })
})

test('safety always has its issues, and each issue a code', () => {
  expect(build({ safety: { level: 'review' } }).safety).toEqual({ level: 'review', issues: [] })
  const issues = [{ detail: 'd', weight: 1 }, { code: 'c' }]
  expect(build({ safety: { level: 'safe', issues } }).safety?.issues).toEqual([
    { detail: 'd', weight: 1, code: 'unspecified' },
    { code: 'c' },
  ])
})

test('keywords are lower case, trimmed, and each once, the first of a kind first', () => {
  const given = [
    'Research',
    '  OKLAHOMA  ',
    'test',
    'test',
    '',
    ' ',
    7,
    null,
    'In  Side',
    'research',
  ]
  expect(normalKeywords(given)).toEqual(['research', 'oklahoma', 'test', 'in  side'])
})

test('whatever is built is valid, and only its sender holds it up', () => {
  const any = fc.string()
  const map = fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.oneof(any, fc.double(), fc.boolean()))
  const given = fc.record(
    {
      type: fc.constantFrom('claim', ' QUERY', 'Notice', 'evidence', 'response', 'correction'),
      sender: fc.string({ minLength: 1 }),
      content: fc.oneof(any, map),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      provenance: fc.oneof(any, fc.array(any)),
      constraints: fc.array(any),
      keywords: fc.array(any),
      refers_to: fc.oneof(any, fc.array(any), fc.constant(null)),
      payload: fc.oneof(map, fc.constant(null)),
      _extras: map,
      safety: fc.record({ level: fc.constantFrom('safe', 'review', 'block') }),
    },
    { requiredKeys: ['type', 'sender', 'content', 'confidence'] },
  )
  let built = 0
  fc.assert(
    fc.property(given, (chosen) => {
      let message: VlpMessage
      try {
        message = buildMessage(chosen, mark)
      } catch (error) {
        expect(error).toMatchObject({ code: 'message_invalid' })
        return
      }
      built += 1
      const found = checkMessage(message, { knownConstraints: [] })
      const own = ['safety_block', 'safety_review', 'provenance_empty_ref']
      expect(codes(found).filter((code) => !own.includes(code))).toEqual([])
      if (found.safetyLevel === 'safe') expect(found.outcome).toBe('pass')
    }),
    { numRuns: 1000 },
  )
  expect(built).toBeGreaterThan(200)
})
