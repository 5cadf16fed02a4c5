// What is taken out of texts, and what stays: the cases one by one, and that it is taken out again
// where the texts stand in others.
import { describe, expect, test } from 'vitest'
import { redactText } from '#firewall/redact'
import { foundCases } from './cases/found.ts'
import { keptCases } from './cases/kept.ts'

describe('what is sensitive', () => {
  test.each(foundCases)('$name: $text', ({ text, shown }) => {
    expect(redactText(text)).toBe(shown)
  })
})

describe('what is not', () => {
  test.each(keptCases)('%s', (text) => {
    expect(redactText(text)).toBe(text)
  })
})

test('what was taken out once stays as it is', () => {
  for (const { shown } of foundCases) expect(redactText(shown)).toBe(shown)
})
