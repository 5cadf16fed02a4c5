// The page of detectors, each line proved by its own examples: what it finds goes, what it leaves
// stays. And the forms of tokens on that page are those that are looked for.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { issuedTokens, vendorTokens } from '#firewall/detect/vendors'
import { redact, redactText } from '#firewall/redact'
import { jsonOf } from '#record/canonical'
import { surroundings } from './cases/surroundings.ts'

const page = readFileSync(new URL('../../docs/rules/detectors.md', import.meta.url), 'utf8')

function sectionOf(title: string): string {
  const [, section = ''] = page.split(`\n## ${title}\n`)
  return section.split('\n## ')[0] ?? ''
}

/** What stands in backticks in an item of a list; what goes on in the next line has no gap. */
function spansOf(item = ''): readonly string[] {
  return [...item.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replaceAll(/\n\s*/g, ''))
}

/** A text, data, or by chance a text of an expression. */
function exampleOf(span: string): fc.Arbitrary<unknown> {
  if (/^\/.*\/$/s.test(span)) return fc.stringMatching(new RegExp(`^${span.slice(1, -1)}$`))
  if (/^[{[]"/.test(span)) return fc.constant(JSON.parse(span))
  return fc.constant(span.replaceAll('\\n', '\n'))
}

function shown(value: unknown): unknown {
  return redact(jsonOf(value), { maxDepth: 64 }).value
}

const detectors = sectionOf('Detectors')
  .split('\n### ')
  .slice(1)
  .map((part) => {
    const [name = '', ...items] = part.split(/\n\n|\n- |^- /)
    const of = (label: string) => spansOf(items.find((item) => item.includes(`${label}: `)))
    return { name, found: of('Found'), left: of('Left') }
  })

test('there is a page of them', () => {
  expect(detectors.length).toBeGreaterThan(20)
})

describe.each(detectors)('$name', ({ found, left }) => {
  test.each(found)('finds %s', (span) => {
    fc.assert(
      fc.property(exampleOf(span), (value) => {
        expect(shown(value)).not.toEqual(value)
        expect(shown({ note: [value] })).not.toEqual({ note: [value] })
      }),
      { numRuns: 9 },
    )
  })

  test.each(left)('leaves %s', (span) => {
    fc.assert(
      fc.property(exampleOf(span), (value) => {
        expect(shown(value)).toEqual(value)
        if (typeof value !== 'string' || value.includes('\n')) return
        for (const [, around] of surroundings) {
          expect(redactText(around(value))).toBe(around(value))
        }
      }),
      { numRuns: 9 },
    )
  })
})

describe('tokens by their issuer', () => {
  const forms = issuedTokens.map(({ prefix, of, from, exact }) => {
    return of === '' ? prefix : `${prefix}${of}{${from}${exact ? '' : ','}}`
  })

  test('are on the page as they are looked for', () => {
    const items = sectionOf('Tokens by their issuer').split(/\n- /).slice(1)
    const rows = items.map((item) => spansOf(item.slice(item.indexOf(':')))[0])
    expect(rows).toEqual(forms)
  })

  /** What makes texts looks at nothing beside them. */
  const made = (form: string) =>
    fc.stringMatching(new RegExp(`^${form.replaceAll(/\(\?=[^)]*\)/g, '[0-9]')}$`))

  test.each(issuedTokens)('$prefix is found with as many signs as it has', (token) => {
    const { prefix, of, from, exact } = token
    fc.assert(
      fc.property(made(of === '' ? prefix : `${prefix}${of}{${from}}`), (secret) => {
        expect(`a ${secret} b`.replaceAll(vendorTokens, '')).not.toContain(secret)
      }),
    )
    if (of === '' || of.includes('-]')) return
    // Fewer signs are none of it.
    const alone = new RegExp(`^(?:${prefix}${of}{${from}${exact ? '' : ','}})$`)
    fc.assert(
      fc.property(made(`${prefix}${of}{${from - 1}}`), (secret) => {
        fc.pre(!new RegExp(`${prefix}.*${prefix}`).test(secret))
        expect(alone.test(secret)).toBe(false)
      }),
    )
  })

  test('are left where all but the beginning is put out', () => {
    const beginning = fc.constantFrom('ghp_', 'glpat-', 'hf_', 'npm_', 'AKIA', 'sk-ant-')
    const sign = fc.constantFrom('x', 'X')
    fc.assert(
      fc.property(beginning, sign, fc.constantFrom(16, 34, 36, 40), (from, one, length) => {
        const text = `use ${from}${one.repeat(length)} here`
        expect(shown(text)).toBe(text)
      }),
    )
  })
})
