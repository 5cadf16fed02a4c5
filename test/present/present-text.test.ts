// Codes and params in English: every code has its sentence, and says what its params say.
import { describe, expect, test } from 'vitest'
import { checkMessage } from '#messages/check'
import { schemaFault } from '#record/schema-fault'
import { explain } from '#present/explain'
import { reasonText } from '#present/reason-text'
import { expectedText, requestText } from '#present/schema-text'
import { issueText } from '#present/story/vlp-text'
import { Intent } from '#schemas/intent'
import { reasonCodes, type Reason } from '#schemas/reasons'
import { JsonFaultCode, VlpIssueCode } from '#schemas/vlp'
import { sample } from '../support/samples/vlp-sample.ts'

test('who may help an agent that is suspended depends on what suspended it', () => {
  const lines = (params: Reason['params']) => {
    const reasons: Reason[] = [{ code: 'agent_suspended', recover: 'never', params }]
    return explain({ outcome: 'deny', reasons, questions: [], constraints: {} }).join(' ')
  }
  expect(lines({ cause: 'standing', standing: 0.19 })).toContain('a policy admin to reinstate it.')
  expect(lines({})).toContain('Ask a policy admin to lift the suspension.')
})

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
  [{ tool: 'a', approved: true }, 'unknown field `approved` in the intent'],
  [{}, '`/tool` of the intent is missing'],
  [{ tool: 5 }, '`/tool` of the intent must be a string'],
  [{ tool: '' }, '`/tool` of the intent must have at least 1 characters'],
  [
    { tool: 'a', concepts: Array(65).fill('c') },
    '`/concepts` of the intent must have at most 64 items',
  ],
  [{ tool: 'a', concepts: ['a\nb'] }, '`/concepts/0` of the intent must match `^\\P{Cc}*$`'],
  [{ tool: 'a', onGap: 'never' }, '`/onGap` of the intent must be one of deny, learn'],
  [{ tool: 'a', replyBy: 'soon' }, '`/replyBy` of the intent must be in the format datetime'],
  [
    { tool: 'a', constraints: { text: 'x'.repeat(32_000) } },
    '`/constraints` of the intent must have at most 32000 characters',
  ],
  [5, 'the intent must be an object'],
])('what is wrong with the intent %j is worded from data', (value, text) => {
  const issues = Intent.safeParse(value).error?.issues ?? []
  expect(requestText(schemaFault(issues, value))).toBe(text)
})

test('a keyword that no sentence is written for is named', () => {
  expect(expectedText('dependentRequired')).toBe('does not meet `dependentRequired`')
})

describe('a reason', () => {
  const lines = (reason: Reason) =>
    explain({ outcome: 'deny', reasons: [reason], questions: [], constraints: {} }).slice(1)

  test('has a sentence of its own for each code', () => {
    const texts = reasonCodes.map((code) => reasonText({ code, params: {} }))
    expect(new Set(texts).size).toBe(reasonCodes.length)
    for (const text of texts) expect(text).not.toMatch(/undefined|[.!?]$/)
  })

  test.each<[Reason['code'], Reason['recover'], Reason['params'], string]>([
    [
      'rate_limited',
      'wait',
      { max: 20, windowMs: 3_600_000, waitMs: 3_539_001 },
      'the limit is reached: 20 uses in 1 h. Try again in 59 min.',
    ],
    [
      'missing_tenant_attribute',
      'never',
      { attribute: 'tenant', sensitivity: 'PII' },
      'PII tools require the attribute `tenant`, which the agent lacks. ' +
        'Ask a policy admin to set it.',
    ],
    [
      'missing_role',
      'never',
      { needs: [{ by: 'DESTRUCTIVE', roles: ['admin'] }] },
      'DESTRUCTIVE tools require the role `admin`. Ask a policy admin for the role.',
    ],
    [
      'unknown_agent',
      'never',
      { principal: 'ghost' },
      'unknown agent `ghost`. Ask a policy admin to add it to the catalog.',
    ],
    [
      'declined',
      'never',
      { principal: 'bob', note: 'no' },
      '`bob` declined it: “no”. Retrying unchanged will not help.',
    ],
    [
      'invalid_arguments',
      'fix',
      { path: '/args', keyword: 'additionalProperties', expected: { additionalProperty: 'path' } },
      'unknown argument `path`. Change the intent and ask again.',
    ],
    [
      'invalid_arguments',
      'fix',
      { path: '/args/n', keyword: 'type', expected: { type: 'integer' } },
      'the argument `/n` must be an integer. Change the intent and ask again.',
    ],
    [
      'invalid_arguments',
      'fix',
      { path: '/args', keyword: 'required', expected: { missingProperty: 'to' } },
      'missing argument `to`. Change the intent and ask again.',
    ],
    [
      'invalid_arguments',
      'fix',
      {
        path: '/args',
        keyword: 'required',
        expected: { missingProperty: 'amount', unknown: ['amout'], known: ['amount', 'text'] },
      },
      'missing argument `amount`, unknown argument `amout`; did you mean `amount`? Change the ' +
        'intent and ask again.',
    ],
    [
      'invalid_arguments',
      'fix',
      {
        path: '/args',
        keyword: 'additionalProperties',
        expected: { additionalProperty: 'whom', unknown: ['whom'], known: ['text', 'to'] },
      },
      'unknown argument `whom`; it takes `text` and `to`. Change the intent and ask again.',
    ],
    [
      'policy_faulted',
      'never',
      { policy: 'p', fault: { code: 'timed_out', params: { ms: 1000 } } },
      'the check of `p` failed to run: it did not answer within 1000 ms. ' +
        'Ask the author of the policy to fix its check.',
    ],
  ])('%s is shown with how to recover', (code, recover, params, text) => {
    expect(lines({ code, recover, params })).toEqual([`- ${code}: ${text}`])
  })
})
