// Codes and params in English: every code has its sentence, and says what its params say.
import { describe, expect, test } from 'vitest'
import { checkMessage } from '#core/vlp/check'
import { schemaFault } from '#core/schema-fault'
import { expectedText, requestText } from '#present/schema-text'
import { issueText } from '#present/vlp-text'
import { Intent } from '#schemas/intent'
import { JsonFaultCode, VlpIssueCode } from '#schemas/vlp'
import { sample } from './vlp-sample.ts'

describe('an issue of a message', () => {
  const detail = (fields: Readonly<Record<string, unknown>>) => {
    const [issue] = checkMessage(sample(fields), { knownConstraints: [] }).issues
    return issue === undefined ? null : issueText(issue)
  }

  test.each([
    [{ id: 5 }, 'type: it must be a string'],
    [{ id: 'a' }, 'minLength: it must have at least 3 characters'],
    [{ protocol: 'VLP/2' }, 'const: it must be VLP/1.1'],
    [
      { protocol: 'VLP/1.0' },
      'const: it must be VLP/1.1; VLP/1.0 is not read, its sender must upgrade it',
    ],
    [{ confidence: 2 }, 'maximum: it must not be above 1'],
    [{ confidence: -1 }, 'minimum: it must not be below 0'],
    [{ content: 5 }, 'type: it must be a string or an object'],
    [{ seq: 1.5 }, 'type: it must be an integer or null'],
    [{ safety: { level: 'x', issues: [] } }, 'enum: it must be one of safe, review, block'],
    [{ safety: { level: 'safe' } }, 'required: it is missing'],
    [{ payload: JSON.parse('{"__proto__":1}') }, /the key `__proto__`/],
    [{ timestamp: 'not-a-date!' }, 'it is not a time of RFC 3339 in UTC that ends in Z'],
  ])('of %j', (fields, text) => {
    if (typeof text === 'string') expect(detail(fields)).toBe(text)
    else expect(detail(fields)).toMatch(text)
  })

  test('has a sentence of its own for each code and each fault', () => {
    const texts = VlpIssueCode.options.map((code) => issueText({ code, params: {} }))
    // Three types of message lack the same thing.
    expect(new Set(texts).size).toBe(texts.length - 2)
    const faults = JsonFaultCode.options.map((fault) => {
      return issueText({ code: 'schema_invalid', params: { fault } })
    })
    expect(new Set(faults).size).toBe(faults.length)
  })
})

test.each([
  [{ tool: 'a', approved: true }, 'unknown field `approved` in the request'],
  [{}, '`/tool` of the request is missing'],
  [{ tool: 5 }, '`/tool` of the request must be a string'],
  [{ tool: '' }, '`/tool` of the request must have at least 1 characters'],
  [
    { tool: 'a', concepts: Array(65).fill('c') },
    '`/concepts` of the request must have at most 64 items',
  ],
  [{ tool: 'a', concepts: ['a\nb'] }, '`/concepts/0` of the request must match `^\\P{Cc}*$`'],
  [{ tool: 'a', onGap: 'never' }, '`/onGap` of the request must be one of deny, learn'],
  [{ tool: 'a', replyBy: 'soon' }, '`/replyBy` of the request must be in the format datetime'],
  [
    { tool: 'a', constraints: { text: 'x'.repeat(32_000) } },
    '`/constraints` of the request must have at most 32000 characters',
  ],
  [5, 'the request must be an object'],
])('what is wrong with the request %j is said from data', (value, text) => {
  const issues = Intent.safeParse(value).error?.issues ?? []
  expect(requestText(schemaFault(issues, value))).toBe(text)
})

test('a keyword that no sentence is written for is named', () => {
  expect(expectedText('dependentRequired')).toBe('does not meet `dependentRequired`')
})
