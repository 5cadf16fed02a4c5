// Where this runtime deliberately differs from the reference implementations of VLP/1.1.
import { describe, expect, test } from 'vitest'
import { buildMessage, messageId, sessionId } from '#messages/build'
import { checkBytes, checkMessage } from '#messages/check'
import { integrityOf } from '#messages/check'
import { readLines } from '#record/ndjson'
import { schemaFault } from '#record/schema-fault'
import { Intent } from '#schemas/intent'
import { check, codes, places, sample } from '../support/samples/vlp-sample.ts'

const block = { safety: { level: 'block', issues: [] } }
const known = { knownConstraints: [] }
const mark = { now: 0, id: 'MSG-1' }
const said = { sender: 'a', content: 'b', confidence: 0.5 }

describe('differs from the reference:', () => {
  test('unearned confidence asks for review of any type, where the reference rejects', () => {
    expect(check({ type: 'query', confidence: 1 }).outcome).toBe('review')
  })

  test('block satisfies the rule of earned confidence, where the reference rejects for it', () => {
    const found = check({ confidence: 1, ...block })
    expect(codes(found)).toEqual(['safety_block'])
  })

  test('block fails the message, where the reference accepts it', () => {
    expect(check(block).outcome).toBe('fail')
  })

  test('building never lowers block to review, which the reference does', () => {
    const built = buildMessage(
      { ...said, type: 'claim', confidence: 1, safety: { level: 'block' } },
      mark,
    )
    expect(built.safety?.level).toBe('block')
  })

  test('confidence is demanded of every type but query, where the reference fills in 1', () => {
    expect(() => buildMessage({ type: 'claim', sender: 'a', content: 'b' }, mark)).toThrow()
    expect(buildMessage({ type: 'query', sender: 'a', content: 'b' }, mark).confidence).toBe(0.8)
  })

  test('refers_to of blanks names nothing, where a reference accepts it', () => {
    for (const refs of [[], [''], ' ', ['\u200b']]) {
      const found = check({ type: 'response', refers_to: refs })
      expect(codes(found)).toEqual(['response_missing_refers_to'])
    }
  })

  test('blank provenance proves nothing, where the reference takes it for proof', () => {
    for (const blank of ['', { ref: '' }, ' \t']) {
      const evidence = check({ type: 'evidence', refers_to: 'MSG-1', provenance: [blank] })
      expect(codes(evidence)).toEqual(['evidence_missing_provenance', 'provenance_empty_ref'])
      const claim = check({ confidence: 0.9, provenance: [blank] })
      expect(codes(claim)).toEqual(['missing_provenance_high_confidence', 'provenance_empty_ref'])
    }
  })

  test('a timestamp that is no UTC time is noted, where the reference counts characters', () => {
    for (const timestamp of ['not-a-date!', '2025-03-01T09:30:00+02:00']) {
      expect(codes(check({ timestamp }))).toEqual(['timestamp_invalid'])
    }
  })

  test('an odd session id is noted, and one of six parts is sound', () => {
    expect(codes(check({ session_id: 'S-1-2-3' }))).toEqual(['session_id_invalid'])
    expect(codes(check({ session_id: 'S-2025-03-01-observer-a1b2c3' }))).toEqual([])
  })

  test('figures that the sender computed are noted and not believed', () => {
    const found = check({ gate: 'pass', context_integrity: 1, constraints: [] })
    expect(codes(found)).toEqual(['computed_field_spoofed', 'computed_field_spoofed'])
    expect(found).toMatchObject({ integrity: 50, gate: 'review' })
  })

  test('every issue of a message is reported, where a reference stops at the first', () => {
    expect(check({ type: 'evidence', ...block }).issues).toHaveLength(3)
  })

  test('null is refused for lists and extras, where the types of a reference allow it', () => {
    for (const key of ['provenance', 'constraints', 'keywords', '_extras']) {
      expect(places(check({ [key]: null }))).toEqual([`schema_invalid /${key}`])
    }
  })

  test('items of provenance and safety issues are always checked', () => {
    expect(check({ provenance: [{}] }).outcome).toBe('fail')
    expect(check({ safety: { level: 'safe', issues: [1] } }).outcome).toBe('fail')
  })

  test('VLP/1.0 is refused with a hint, where its changelog claims that it is read', () => {
    const found = check({ protocol: 'VLP/1.0' })
    expect(places(found)).toEqual(['schema_invalid /protocol'])
    expect(found.issues[0]?.params).toEqual({
      keyword: 'const',
      expected: { allowedValue: 'VLP/1.1' },
      cause: 'old_protocol',
    })
  })

  test('type is trimmed and lowered when built and taken strictly when read', () => {
    expect(buildMessage({ ...said, type: ' CLAIM ' }, mark).type).toBe('claim')
    expect(check({ type: 'CLAIM' }).outcome).toBe('fail')
    expect(check({ type: ' claim' }).outcome).toBe('fail')
  })

  test('a safety that is no object is refused, where a reference takes it for safe', () => {
    const given: object = { ...said, type: 'claim', safety: 'block' }
    expect(() => buildMessage({ ...said, type: 'claim', ...given }, mark)).toThrow('/safety')
  })

  test('extras are kept and unknown options refused, where a reference drops both', () => {
    expect(buildMessage({ ...said, type: 'claim', _extras: { a: 1 } }, mark)._extras).toEqual({
      a: 1,
    })
    const given: object = { option: 1 }
    expect(() => buildMessage({ ...said, type: 'claim', ...given }, mark)).toThrow('/option')
  })

  test('integrity counts known constraints alone, in hundredths', () => {
    expect(integrityOf({ provenance: 2, known: 1, unknown: 0 })).toBe(83)
    expect(integrityOf({ provenance: 0, known: 0, unknown: 1 })).toBe(40)
  })

  test('the gate is review up to 74 hundredths and passes from 75', () => {
    expect(check({ provenance: ['a', 'b'] })).toMatchObject({ integrity: 74, gate: 'review' })
    const constrained = { provenance: ['a', 'b'], constraints: ['c'] }
    expect(check(constrained)).toMatchObject({ integrity: 83, debt: 17, gate: 'pass' })
  })

  test('a slug loses one leading "the " and keeps no other character than a-z, 0-9 and -', () => {
    expect(sessionId({ date: '2025-03-01', agent: 'The the/x', suffix: 'a1b2c3' })).toContain(
      '-thex-',
    )
  })

  test('ids with and without hyphens are sound', () => {
    expect(check({ id: messageId('MSG', 'S-2025-03-01-a-a1b2c3', 1) }).outcome).toBe('pass')
    expect(check({ id: 'MSG1a2b3c4d' }).outcome).toBe('pass')
  })

  test('NaN is no JSON, where a reference reads it and finds it valid', async () => {
    const text = JSON.stringify(sample()).replace('0.8', 'NaN')
    expect(checkBytes(new TextEncoder().encode(text), known).outcome).toBe('fail')
    for await (const line of readLines([new TextEncoder().encode(text)], { lineBytesMax: 1000 })) {
      expect(line.error?.code).toBe('not_json')
    }
    expect(checkMessage(sample({ confidence: Number.NaN }), known).outcome).toBe('fail')
  })

  test('a text with two values, by a key that comes twice, has none', () => {
    const text = JSON.stringify(sample()).replace('{', '{"confidence":1,')
    expect(checkBytes(new TextEncoder().encode(text), known).outcome).toBe('fail')
  })
})

describe('is as the reference:', () => {
  test('what looks odd and breaks no rule of the schema is taken', () => {
    for (const changes of [{ id: '   ' }, { sender: ' ' }, { content: '' }, { content: {} }]) {
      expect(check(changes).outcome).toBe('pass')
    }
    expect(check({ seq: 1e300 }).outcome).toBe('pass')
  })
})

describe('an intent', () => {
  test.each([
    {},
    { tool: '' },
    { tool: 'a', args: [] },
    { tool: 'a', concepts: [''] },
    { tool: 'a', concepts: Array(65).fill('c') },
    { tool: 'a', cardinality: 'many' },
    { tool: 'a', minDepth: 5 },
    { tool: 'a', freshAt: 0 },
    { tool: 'a', onGap: 'allow' },
    { tool: 'a', replyBy: 'tomorrow' },
    { tool: 'a', observe: 'yes' },
    { tool: 'a', goal: null },
    { tool: 'a', approved: true },
  ])('%j is refused', (intent) => {
    expect(Intent.safeParse(intent).success).toBe(false)
  })

  test('needs only its tool', () => {
    expect(Intent.parse({ tool: 'a' })).toEqual({ tool: 'a', args: {} })
  })

  test('may say all of it', () => {
    const intent = {
      tool: 'a',
      args: { a: [null, { b: 1 }] },
      goal: 'g',
      justification: 'j',
      concepts: Array(64).fill('c'),
      cardinality: 'multiple',
      minDepth: 4,
      scope: { max_rows: 1 },
      constraints: {},
      freshAt: '1',
      onGap: 'learn',
      replyBy: '2025-03-01T09:30:00+01:00',
      observe: true,
    }
    expect(Intent.parse(intent)).toEqual(intent)
  })

  test('with a stranger among its properties learns which, and never more than a little', () => {
    const fault = (key: string) => {
      const value = { tool: 'a', [key]: 1 }
      return schemaFault(Intent.safeParse(value).error?.issues ?? [], value)
    }
    const named = (key: string) => JSON.stringify(fault(key).expected['additionalProperty'])
    expect(fault('approved')).toEqual({
      path: '',
      keyword: 'additionalProperties',
      expected: { additionalProperty: 'approved' },
    })
    expect(named(`${'a'.repeat(63)}😀${'b'.repeat(1000)}`).isWellFormed()).toBe(true)
    expect(named('a'.repeat(100_000)).length).toBe(66)
  })
})
