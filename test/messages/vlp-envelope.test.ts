import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isVlpMessage } from '#messages/envelope'
import { issuesMax, noIssues } from '#messages/issue'
import { VlpMessage, VlpType } from '#schemas/vlp'
import { count } from '../support/vitest/counts.ts'
import { check, codes, places, sample, session, without } from '../support/samples/vlp-sample.ts'
import { checkMessage } from '#messages/check'

const map = { a: 1 }
const list = ['a']

/** For each field what the schema refuses and, next to it, what it takes. */
const fields: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
  ['id', ['', 'ab', '😀😀', null, 123, list, map], ['abc', '   ', '😀😀😀', '😀ab']],
  ['protocol', ['VLP/1.0', 'VLP/1.2', 'vlp/1.1', ' VLP/1.1', null, 1.1], ['VLP/1.1']],
  ['type', ['Claim', ' claim', 'claims', '', null, 1, list], VlpType.options.filter(isFree)],
  [
    'timestamp',
    ['', '123456789', '😀😀😀😀😀', null, 1_700_000_000],
    ['0123456789', '😀'.repeat(10)],
  ],
  ['sender', ['', null, 7, map], [' ', 'a', '😀']],
  ['content', [null, 1, true, list, []], ['', 'said', {}, map, { deep: [{ a: null }] }]],
  ['confidence', [-0.01, 1.01, '0.5', true, null, list, -Number.MIN_VALUE], [0, -0, 0.5, 1]],
  ['session_id', [1, true, list, map], [null, '', session]],
  ['seq', [-1, 0.5, '1', true, list, map], [null, 0, 1, 1.0, 2 ** 53, 1e300]],
  ['receiver', [1, false, list, map], [null, '', 'desk']],
  ['topic', [1, false, list, map], [null, '', 'refund']],
  ['provenance', [null, 'a', map, [null], [1], [list], [{}]], [[], ['a'], [''], [{ ref: '' }]]],
  ['constraints', [null, 'a', map, [null], [1], [list]], [[], ['a'], ['']]],
  ['safety', [null, 'block', true, list, {}, { level: 'safe' }], [{ level: 'safe', issues: [] }]],
  ['refers_to', [1, true, map, [1], [null], [list]], [null, '', 'a', [], [''], ['a', 'b']]],
  ['keywords', [null, 'a', map, [null], [1], [list]], [[], ['A', 'a', ' '], Array(50).fill('a')]],
  ['payload', ['a', 1, true, list, []], [null, {}, map]],
  ['_extras', [null, 'a', 1, list, []], [{}, map]],
]

// Evidence, responses and corrections need more than their type to be sound.
function isFree(type: string): boolean {
  return !['evidence', 'response', 'correction'].includes(type)
}

describe.each(fields)('the field %s', (field, refused, taken) => {
  test.each(refused.map((value) => [value]))('is refused as %j, at its pointer', (value) => {
    const found = check({ [field]: value })
    expect(found.message).toBeNull()
    expect(found.outcome).toBe('fail')
    expect(new Set(codes(found))).toEqual(new Set(['schema_invalid']))
    expect(found.issues[0]?.path.startsWith(`/${field}`)).toBe(true)
  })

  test.each(taken.map((value) => [value]))('is taken as %j', (value) => {
    const found = check({ [field]: value })
    expect(codes(found)).not.toContain('schema_invalid')
    expect(found.message).toEqual(sample({ [field]: value }))
  })
})

const required = ['id', 'protocol', 'type', 'timestamp', 'sender', 'content', 'confidence']

test.each(required)('a message without %s is no message', (field) => {
  const found = checkMessage(without(field), { knownConstraints: [] })
  expect(places(found)).toEqual([`schema_invalid /${field}`])
  expect(found.issues[0]?.params).toEqual({ keyword: 'required' })
})

test('every field that is not required may be left out', () => {
  expect(check().outcome).toBe('pass')
  expect(fields.map(([field]) => field).filter((field) => Object.hasOwn(sample(), field))).toEqual(
    required,
  )
})

describe('inside of provenance and safety', () => {
  const safe = { level: 'safe', issues: [] }

  test.each([
    [{ provenance: ['a', { ref: 1 }] }, '/provenance/1/ref'],
    [{ provenance: [{ kind: 'url' }] }, '/provenance/0/ref'],
    [{ provenance: [{ ref: 'a', kind: 'book' }] }, '/provenance/0/kind'],
    [{ provenance: [{ ref: 'a', kind: null }] }, '/provenance/0/kind'],
    [{ provenance: [{ ref: 'a', hash: 1 }] }, '/provenance/0/hash'],
    [{ provenance: [{ ref: 'a', excerpt: null }] }, '/provenance/0/excerpt'],
    [{ provenance: [{ ref: 'a', fetched_at: 1 }] }, '/provenance/0/fetched_at'],
    [{ safety: { issues: [] } }, '/safety/level'],
    [{ safety: { ...safe, level: 'SAFE' } }, '/safety/level'],
    [{ safety: { level: 'safe' } }, '/safety/issues'],
    [{ safety: { level: 'safe', issues: {} } }, '/safety/issues'],
    [{ safety: { level: 'safe', issues: ['a'] } }, '/safety/issues/0'],
    [{ safety: { level: 'safe', issues: [{}, { code: 1 }] } }, '/safety/issues/1/code'],
    [{ safety: { level: 'safe', issues: [{ detail: null }] } }, '/safety/issues/0/detail'],
    [{ safety: { ...safe, requires_human: 'no' } }, '/safety/requires_human'],
    [{ safety: { ...safe, requires_human: null } }, '/safety/requires_human'],
  ])('%j is refused at %s', (changes, path) => {
    expect(places(check(changes))).toEqual([`schema_invalid ${path}`])
  })

  test('unknown properties are kept wherever they stand', () => {
    const changes = {
      extra: { deep: [1, null] },
      safety: { ...safe, note: 'n', issues: [{ weight: 3 }], requires_human: false },
      provenance: [{ ref: 'a', kind: 'other', page: 4 }],
    }
    expect(check(changes).message).toEqual(sample(changes))
    expect(check(changes).outcome).toBe('pass')
  })

  test.each(['url', 'hash', 'document', 'api', 'snapshot', 'log', 'excerpt', 'other'])(
    'provenance may be of the kind %s',
    (kind) => {
      expect(check({ provenance: [{ ref: 'a', kind }] }).outcome).toBe('pass')
    },
  )
})

test.each([[null], ['text'], [1], [true], [[]], [[sample()]]])('%j is no message', (value) => {
  expect(places(checkMessage(value, { knownConstraints: [] }))).toEqual(['schema_invalid '])
})

test('every violation is reported at once, and semantic rules wait for a sound schema', () => {
  const found = check({ id: 1, confidence: 2, type: 'evidence', keywords: ['a', 1, null] })
  const paths = ['/id', '/confidence', '/keywords/1', '/keywords/2']
  expect(places(found)).toEqual(paths.map((path) => `schema_invalid ${path}`))
})

test('a message of nothing but mistakes gives a bounded list and the number of the rest', () => {
  const found = check({ keywords: Array.from({ length: issuesMax + 1000 }, () => 1) })
  expect(found.issues).toHaveLength(issuesMax)
  expect(found.issuesOmitted).toBe(1000)
  const all = check({ keywords: Array.from({ length: issuesMax }, () => 1) })
  expect(all.issuesOmitted).toBe(0)
})

test('an issue repeats no text of the message', () => {
  const secret = 'hunter2'
  const found = check({
    type: secret,
    protocol: secret,
    safety: secret,
    provenance: [{ [secret]: 1 }],
  })
  expect(found.issues).toHaveLength(4)
  expect(JSON.stringify(found.issues)).not.toContain(secret)
})

const taken = fields.flatMap(([field, refused, sound]) =>
  [...refused, ...sound].map((value) => ({ [field]: value })),
)
const part = fc.oneof(
  fc.constantFrom(...taken),
  fc.constantFrom(...required).map((field) => ({ [field]: undefined })),
  fc.record({ keywords: fc.jsonValue() }),
  fc.record({ provenance: fc.array(fc.oneof(fc.string(), provenanceLike(), fc.jsonValue())) }),
  fc.record({ safety: safetyLike() }),
  fc.dictionary(fc.string(), fc.jsonValue()),
)

function provenanceLike(): fc.Arbitrary<unknown> {
  const kind = fc.constantFrom('url', 'book', null, 1)
  const value = fc.constantFrom('', 'a', null, 1)
  const texts = { hash: value, excerpt: value, fetched_at: value }
  return fc.record({ ref: value, kind, ...texts }, { requiredKeys: [] })
}

function safetyLike(): fc.Arbitrary<unknown> {
  const issue = fc.oneof(fc.jsonValue(), fc.record({ code: fc.jsonValue(), detail: fc.string() }))
  const level = fc.constantFrom('safe', 'review', 'block', 'none', null)
  const issues = fc.oneof(fc.array(issue), fc.jsonValue())
  const requires_human = fc.constantFrom(true, false, null, 'yes')
  return fc.record({ level, issues, requires_human }, { requiredKeys: [] })
}

test('the check and the published schema agree on every JSON value', () => {
  const near = fc.array(part, { maxLength: 4 }).map((parts) => Object.assign(sample(), ...parts))
  const sound = { yes: 0, no: 0 }
  const numRuns = count(5_000, 1_000)
  fc.assert(
    fc.property(fc.oneof({ arbitrary: near, weight: 9 }, fc.jsonValue()), (given) => {
      const value: unknown = JSON.parse(JSON.stringify(given))
      const taken = isVlpMessage(value, noIssues())
      sound[taken ? 'yes' : 'no'] += 1
      expect(taken).toBe(VlpMessage.safeParse(value).success)
    }),
    { numRuns },
  )
  // Neither answer may be so rare that the agreement means nothing.
  expect(Math.min(sound.yes, sound.no)).toBeGreaterThan(numRuns / 20)
})

test('the schema can be published as JSON Schema, with lengths in characters', () => {
  const schema = z.toJSONSchema(VlpMessage)
  expect(schema.required).toEqual(required)
  expect(schema.additionalProperties).toEqual({})
  expect(schema.properties?.['id']).toEqual({ type: 'string', minLength: 3 })
  expect(schema.properties?.['seq']).toEqual({
    anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }],
  })
})
