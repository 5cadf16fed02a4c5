// The page of the built-in rules has every rule, says what is so, and gives examples that set it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtInRules, Defaults } from '#schemas/rules/built-in'
import { reasonCodes } from '#schemas/reasons'
import { ruleRows, rulesPage } from '../../docs/generate/rules-page.ts'
import { rulesBuiltIn } from '#rules/catalog/catalog'

const root = join(import.meta.dirname, '..', '..')

describe('the built-in rules', () => {
  test('are what `docs/reference/built-in-rules.md` has: `npm run schemas` writes it', () => {
    expect(readFileSync(join(root, 'docs', 'reference/built-in-rules.md'), 'utf8')).toBe(
      rulesPage(),
    )
  })

  test('have one row each', () => {
    const { rolesFor, limits, ...rest } = builtInRules
    const keys = [
      ...Object.keys(rolesFor).map((key) => `rolesFor.${key}`),
      ...Object.keys(rest),
      ...Object.keys(limits).map((key) => `limits.${key}`),
    ]
    expect(ruleRows.map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
  })

  test.each(ruleRows.map((row) => [row.key, row] as const))(
    '%s is set by its example',
    (key, row) => {
      const { example, reason } = row
      const set = rulesBuiltIn({ defaults: Defaults.parse(example) })
      const [first = '', second] = key.split('.')
      const at = (rules: object): unknown => {
        const value = Object.getOwnPropertyDescriptor(rules, first)?.value
        return second === undefined ? value : Object.getOwnPropertyDescriptor(value, second)?.value
      }
      expect(at(set)).not.toEqual(at(builtInRules))
      if (reason !== null) expect(reasonCodes).toContain(reason)
    },
  )
})
