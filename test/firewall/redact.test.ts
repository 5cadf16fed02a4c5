// What becomes of values: fields, depth, keys, numbers, warnings; whatever comes, an answer.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '#record/canonical'
import { framed } from '#firewall/framed'
import { depthMark, redact, redactedMark } from '#firewall/redact'
import { streamRedactor } from '#firewall/stream'
import { foundCases } from './cases/found.ts'

describe('fields', () => {
  test('that are sensitive by name are replaced, whatever they hold', () => {
    const value = { Email: null, password: { a: 1 }, SSN: 5, api_key: 'x', clientSecret: [1], n: 1 }
    expect(redact(value)).toEqual({
      value: {
        Email: redactedMark,
        password: redactedMark,
        SSN: redactedMark,
        api_key: redactedMark,
        clientSecret: redactedMark,
        n: 1,
      },
      warnings: ['/Email', '/SSN', '/api_key', '/clientSecret', '/password'].map((path) => {
        return { code: 'field_redacted', path }
      }),
    })
  })

  test('that only contain such a name stay', () => {
    const value = { emails_sent: 3, tokens: 512, phone_model: 'x1', secretary: 'Ann' }
    expect(redact(value)).toEqual({ value, warnings: [] })
  })

  test('that are not allowed go at the top and in items, and not inside those that are', () => {
    const value = [[{ id: 1, b: 2, c: { d: 3 } }], { id: 2, c: null }]
    expect(redact(value, { allowedFields: ['id', 'c'] })).toEqual({
      value: [[{ id: 1, c: { d: 3 } }], { id: 2, c: null }].map((one, index) =>
        index === 0 ? [{ id: 1, c: depthMark }] : one,
      ),
      warnings: [
        { code: 'field_dropped', path: '/0/0/b' },
        { code: 'depth', path: '/0/0/c' },
      ],
    })
    expect(redact({ c: { d: 3 }, e: 1 }, { allowedFields: ['c'] }).value).toEqual({ c: { d: 3 } })
  })

  test('all go where a list allows none', () => {
    expect(redact({ a: 1 }, { allowedFields: [] }).value).toEqual({})
  })
})

describe('depth', () => {
  test('ends objects and lists, and texts there are still looked at', () => {
    const value = { a: { b: { c: { d: 1 }, e: 'ann@example.com', f: [1] } } }
    expect(redact(value)).toEqual({
      value: { a: { b: { c: depthMark, e: redactedMark, f: depthMark } } },
      warnings: [
        { code: 'depth', path: '/a/b/c' },
        { code: 'field_redacted', path: '/a/b/e' },
        { code: 'depth', path: '/a/b/f' },
      ],
    })
  })

  test('of none leaves no object', () => {
    expect(redact({ a: 1 }, { maxDepth: 0 }).value).toBe(depthMark)
    expect(redact('a', { maxDepth: 0 }).value).toBe('a')
  })

  test('without end breaks no stack', () => {
    let deep: Json = 'ann@example.com'
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    const { value } = redact(deep, { maxDepth: Number.POSITIVE_INFINITY })
    expect(JSON.stringify(value)).toContain(depthMark)
    const text = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`
    expect(redact(text).value).toContain(depthMark)
  })
})

describe('keys', () => {
  test('that are sensitive are replaced, each by a name of its own', () => {
    const value = {
      'ann@example.com': 1,
      '4111 1111 1111 1111': 'bob@example.com',
      'n/a~': 'x@example.com',
      'c@example.com': 2,
    }
    expect(redact(value)).toEqual({
      value: {
        '[REDACTED]': 1,
        '[REDACTED]#2': '[REDACTED]',
        'n/a~': '[REDACTED]',
        '[REDACTED]#3': 2,
      },
      warnings: ['/[REDACTED]', '/[REDACTED]#2', '/[REDACTED]#3', '/n~1a~0'].map((path) => {
        return { code: 'field_redacted', path }
      }),
    })
  })

  test('never take the place of others', () => {
    const value = { '[REDACTED]': 1, 'ann@example.com': 2, '[REDACTED]#2': 3 }
    expect(redact(value).value).toEqual({
      '[REDACTED]': 1,
      '[REDACTED]#3': 2,
      '[REDACTED]#2': 3,
    })
  })

  test('that were dropped are not named where they are sensitive', () => {
    expect(redact({ 'ann@example.com': 1 }, { allowedFields: ['id'] }).warnings).toEqual([
      { code: 'field_dropped', path: '/[REDACTED]' },
    ])
  })

  test('may be called as members of every object are', () => {
    const value: Json = JSON.parse('{"__proto__":{"password":"x"},"constructor":"ann@x.com"}')
    expect(JSON.stringify(redact(value).value)).toBe(
      '{"__proto__":{"password":"[REDACTED]"},"constructor":"[REDACTED]"}',
    )
  })
})

describe('numbers', () => {
  test('that are cards become the mark', () => {
    expect(redact([4_111_111_111_111_111, 378_282_246_310_005]).value).toEqual([
      redactedMark,
      redactedMark,
    ])
  })

  test('that are none stay', () => {
    const value = [1_772_619_330_123, 4_111_111_111_111_112, 0.333333333333333, 1e21, -1, 0]
    expect(redact(value)).toEqual({ value, warnings: [] })
  })
})

describe('every sensitive text', () => {
  test.each(foundCases)('goes wherever it stands: $text', ({ text, shown }) => {
    expect(redact({ a: [{ b: text }] }).value).toEqual({ a: [{ b: shown }] })
    expect(JSON.stringify(redact({ [text]: 1 }).value)).toBe('{"[REDACTED]":1}')
  })

  test('goes out of JSON in a text', () => {
    const inner = JSON.stringify({ note: 'ann@example.com', deep: { password: 'x' } })
    expect(redact({ inner }).value).toEqual({
      inner: '{"note":"[REDACTED]","deep":{"password":"[REDACTED]"}}',
    })
  })
})

describe('kinds that are revealed', () => {
  test('stay, and nothing else does', () => {
    const value = { email: 'ann@example.com', text: 'ann@example.com 4111111111111111', ssn: 1 }
    expect(redact(value, { reveal: ['email'] }).value).toEqual({
      email: 'ann@example.com',
      text: 'ann@example.com [REDACTED]',
      ssn: redactedMark,
    })
    const account = 'GB82 WEST 1234 5698 7654 32, 4111111111111111'
    expect(redact(account, { reveal: ['account'] }).value).toBe(
      'GB82 WEST 1234 5698 7654 32, [REDACTED]',
    )
  })
})

test('every JSON value has an answer, and what was redacted stays so', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (given) => {
      const value: Json = JSON.parse(JSON.stringify(given))
      const once = redact(value)
      expect(redact(once.value).value).toEqual(once.value)
    }),
  )
})

test('any characters at all have an answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(typeof redact(text).value).toBe('string')
    }),
  )
})

describe('what is too short to be looked at', () => {
  test('is one shorter than the shortest that is found', () => {
    expect(redact(4_222_222_222_222).value).toBe(redactedMark)
    expect(redact(422_222_222_222).value).toBe(422_222_222_222)
    expect(redact('pinis123').value).toBe('pinis[REDACTED]')
    expect(redact('pinis12').value).toBe('pinis12')
  })

  test('is the same the second time, also inside of a text', () => {
    const text = '{"note":"\\"pin\\": 1234"}'
    const once = redact(text).value
    expect(once).not.toBe(text)
    expect(redact([text, text, 'pinis123', 'pinis123'])).toEqual({
      value: [once, once, 'pinis[REDACTED]', 'pinis[REDACTED]'],
      warnings: ['/0', '/1', '/2', '/3'].map((path) => ({ code: 'field_redacted', path })),
    })
  })
})

describe('what a capability has taken out', () => {
  const value = {
    email: 'ann@example.com',
    text: 'call +49 30 901820, password=hunter2',
    pairs: [{ name: 'token', value: 'abc123' }],
    list: ['--password', 'hunter2'],
    n: 4_111_111_111_111_111,
  }

  test('is secrets alone where that is set', () => {
    expect(redact(value, { redaction: 'secrets' }).value).toEqual({
      ...value,
      text: `call +49 30 901820, password=${redactedMark}`,
      pairs: [{ name: 'token', value: redactedMark }],
      list: ['--password', redactedMark],
    })
  })

  test('is nothing where that is set, but fields and depth hold', () => {
    expect(redact(value, { redaction: 'none' })).toEqual({ value, warnings: [] })
    expect(redact(value, { redaction: 'none', allowedFields: ['email'] }).value).toEqual({
      email: 'ann@example.com',
    })
    expect(redact(value, { redaction: 'none', maxDepth: 1 }).value).toMatchObject({
      pairs: depthMark,
    })
  })

  test('is all in what is published, whatever the agent gets', () => {
    const result = [{ note: 'ann@example.com' }]
    const evidence = {
      tool: 'read',
      args: {},
      kinds: [],
      distrust: { parts: [], also: [], own: [] },
      salt: 'a'.repeat(22),
    }
    const options = { mode: 'table', redaction: 'none' } as const
    const made = framed({ value: result, options, evidence })
    expect(made.frame.table).toEqual(result)
    expect(JSON.stringify(made.evidence)).not.toContain('ann@example.com')
  })

  test('is what streams show, too', () => {
    const redactor = streamRedactor({ redaction: 'none' })
    expect(redactor.push('ann@example.com').value).toBe('ann@example.com')
  })
})
