// What is taken out of texts, and what stays: the cases one by one, and that it is taken out again
// where the texts stand in others.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { redact, redactText } from '#firewall/redact'
import { jsonOf } from '#record/canonical'
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

/** One text or value a line, as other people's calls and answers have them. */
function linesOf(name: string): readonly string[] {
  const file = new URL(`../data/redact/${name}.txt`, import.meta.url)
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}

function valueOf(line: string): unknown {
  return /^[{[]"/.test(line) ? JSON.parse(line) : line
}

describe('of each form that people write', () => {
  test.each(linesOf('sensitive'))('what is marked goes: %s', (line) => {
    const marked = [...line.matchAll(/«(.*?)»/g)].map(([, secret = '']) => secret)
    const shown = JSON.stringify(redact(jsonOf(valueOf(line.replaceAll(/[«»]/g, '')))).value)
    for (const secret of marked) expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1))
    expect(marked).not.toEqual([])
  })

  test.each(linesOf('harmless'))('it stays: %s', (line) => {
    expect(redact(jsonOf(valueOf(line)), { maxDepth: 64 }).value).toEqual(valueOf(line))
  })
})
