// Redaction of texts in chunks: wherever they end, what leaves is what the whole would show.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactText } from '#firewall/redact'
import { streamLimits, streamRedactor, TextStream } from '#firewall/stream'
import { foundCases, privateKey } from './cases/found.ts'
import { keptCases } from './cases/kept.ts'

function streamed(chunks: readonly string[]): string {
  const stream = new TextStream()
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.end()
}

function chunksOf(text: string, size: number): readonly string[] {
  const chunks: string[] = []
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size))
  return chunks
}

// A line alone: no case goes on in the next.
const noJson = foundCases.filter(({ text }) => !/^[[{]/.test(text) && !text.includes('BEGIN'))
const texts = [
  ...noJson.map(({ text }) => text),
  ...keptCases.filter((one) => !one.includes('-----')),
]

describe('a text in chunks', () => {
  test('shows what the whole shows, wherever it was cut', () => {
    const words = fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 900 }), (parts, size) => {
        const text = parts.map((part) => `It was ${part} ; then\n`).join('and so on. ')
        expect(streamed(chunksOf(text, size))).toBe(redactText(text))
      }),
      { numRuns: 60 },
    )
  })

  test('of one character each is no other', () => {
    const text = `${'words and '.repeat(400)}4111 1111 1111 1111 ${'more words '.repeat(400)}`
    expect(streamed(chunksOf(text, 1))).toBe(redactText(text))
  })

  test('leaves before its end', () => {
    const stream = new TextStream()
    const shown = stream.push('words '.repeat(2_000))
    expect(shown.length).toBeGreaterThan(9_000)
  })

  test('shows nothing of a key over many chunks, however long', () => {
    const line = 'MIIEpAIBAAKCAQEA04up8hoqzS1APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1\n'
    const [head = ''] = privateKey.split('\n')
    const text = `before ${head}\n${line.repeat(2_000)}-----END RSA PRIVATE KEY----- after`
    const shown = streamed(chunksOf(text, 700))
    expect(shown).toBe('before [REDACTED] after')
  })

  test('holds a bounded part of a run that never ends, and shows nothing of it', () => {
    const shown = streamed([...chunksOf('a1B2'.repeat(100_000), 1_000), ' after'])
    expect(shown).toBe('[REDACTED] after')
    expect(streamed(chunksOf('a1B2'.repeat(100_000), 1_000))).toBe('[REDACTED]')
  })

  test('keeps in mind the word before a secret', () => {
    for (let before = 0; before < 40; before += 1) {
      const filling = 'x '.repeat(streamLimits.held + before)
      const text = `${filling}password: hunter2 ${'y '.repeat(1_500)}`
      expect(streamed(chunksOf(text, 97))).not.toContain('hunter2')
    }
  })
})

describe('parts of a result', () => {
  test('have a stream for each member that is a text', () => {
    const stream = streamRedactor({ allowedFields: ['body', 'n', 'email'] })
    const first = stream.push({ body: 'my card is 4111 11', n: 4_111_111_111_111_111, x: 'drop' })
    expect(first).toEqual({
      value: { body: '', n: '[REDACTED]' },
      warnings: [
        { code: 'field_redacted', path: '/n' },
        { code: 'field_dropped', path: '/x' },
      ],
    })
    expect(stream.push({ body: '11 1111 1111, see', email: 'ann@exa' }).value).toEqual({
      body: '',
      email: '[REDACTED]',
    })
    expect(stream.end().value).toEqual({ body: 'my card is [REDACTED], see' })
    expect(stream.end().value).toBe(null)
  })

  test('that are texts are one text', () => {
    const stream = streamRedactor()
    expect(stream.push('ann@exam').value).toBe('')
    expect(stream.push('ple.com').value).toBe('')
    expect(stream.end().value).toBe('[REDACTED]')
  })

  test('that comes by itself and as a member keeps both to the end', () => {
    const stream = streamRedactor()
    stream.push('a text')
    stream.push({ name: 'Ann' })
    expect(stream.end().value).toEqual(['a text', { name: 'Ann' }])
  })
})
