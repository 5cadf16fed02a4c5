// Where redaction shows something else than agent-kernel 0.12.0 does, on purpose: each with what
// that one shows, as it was run. On all else that its own tests assert the two agree.
import { describe, expect, test } from 'vitest'
import { frame } from '#firewall/frame'
import { redactText } from '#firewall/redact'

interface Deviation {
  readonly text: string
  readonly reference: string
  readonly here: string
}

const leaks: readonly Deviation[] = [
  leak('4111 1111 1111 1111', '[REDACTED] 1111'),
  leak('4111-1111-1111-1111', '[REDACTED]-1111'),
  leak('3782 822463 10005', '[REDACTED] 10005'),
  leak('GB82 WEST 1234 5698 7654 32', 'GB82 WEST [REDACTED] 32'),
  leak('+15551234567'),
  leak('Basic dXNlcjpwYXNz'),
  leak('jörg@exämple.de'),
  leak('Call 555-123-4567.', 'Call 555-123-4567.', 'Call [REDACTED].'),
  leak('{"api_key": "abcdefgh12"}', undefined, '{"api_key": "[REDACTED]"}'),
  leak('token=abcdefgh1234', undefined, 'token=[REDACTED]'),
  leak('DB_PASSWORD=hunter2', undefined, 'DB_PASSWORD=[REDACTED]'),
  leak('mysql://u:p@ss@host/s', 'mysql://[REDACTED]@ss@host/s', 'mysql://[REDACTED]@host/s'),
  leak('redis://:hunter2@cache', undefined, 'redis://[REDACTED]@cache'),
  leak('ann%40example.com'),
  leak('YW5uQGV4YW1wbGUuY29t'),
  leak('AKIAIOSFODNN7EXAMPLE'),
  leak('zaCELgL0imfnc8mVLWwsAawjYr4Rx'),
]

const excesses: readonly Deviation[] = [
  excess('1772619330123', '[REDACTED]'),
  excess('123 456 7890', '[REDACTED]'),
  excess('12-345-6789', '[REDACTED]'),
  excess('1234567890123456', '[REDACTED]'),
  excess('4111 1111 1111 1112', '[REDACTED] 1112'),
  excess('0000000000000000', '[REDACTED]'),
  excess('20260304101530', '[REDACTED]'),
  excess('3.141592653589793', '3.[REDACTED]'),
  excess('2026-03-04T10:15:30.123-0500', '2026-03-04T10:15:[REDACTED]'),
  excess('3f2504e0-4f89-4123-9456-1234abcd5678', '3f2504e0-4f[REDACTED]-1234abcd5678'),
  {
    text: 'postgresql://admin:s3cret@db.example.com/mydb',
    reference: 'postgresql://admin:[REDACTED]/mydb',
    here: 'postgresql://[REDACTED]@db.example.com/mydb',
  },
]

function leak(text: string, reference = text, here = '[REDACTED]'): Deviation {
  return { text, reference, here }
}

function excess(text: string, reference: string): Deviation {
  return { text, reference, here: text }
}

describe('what the reference leaks (H9)', () => {
  test.each(leaks)('$text', ({ text, reference, here }) => {
    expect(redactText(text)).toBe(here)
    expect(here).not.toBe(reference)
  })
})

describe('what the reference takes out though it is not sensitive (H9)', () => {
  test.each(excesses)('$text', ({ text, reference, here }) => {
    expect(redactText(text)).toBe(here)
    expect(here).not.toBe(reference)
  })
})

describe('what stalls or breaks the reference', () => {
  // 16 000 unbroken characters take it 0.3 s, and 100 000 stall it (H10).
  test.each(['a', 'eyJ', '1', 'a:', '%40'])('has an answer for a megabyte of %s', (piece) => {
    const text = piece.repeat(1_000_000 / piece.length)
    expect(redactText(text)).not.toBe('')
  })

  test('has a summary for rows of different shapes (H12)', () => {
    expect(frame([{ a: 1 }, 5], { mode: 'summary' }).facts?.[0]).toBe('Total rows: 2')
  })

  test('has a summary for numbers whose sum is not a number (H12)', () => {
    const facts = frame([{ a: 1e308 }, { a: 1e308 }], { mode: 'summary' }).facts ?? []
    expect(facts.at(-1)).toContain('avg=inf')
  })
})
