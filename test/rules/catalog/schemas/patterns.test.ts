// Patterns of schemas: searched for in linear time under the newest rules, and refused as they are
// written where that cannot be; logs under older rules go on with what they have.
import { expect, test } from 'vitest'
import { argsSchemaFault, argumentFault, fitsForeign } from '#rules/catalog/arguments'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { catalogFromFile, newCatalog } from '#rules/catalog/catalog-file'
import type { JsonObject } from '#schemas/catalog'

const withPattern = (pattern: string): JsonObject => ({
  type: 'object',
  properties: { s: { type: 'string', pattern } },
})

test.each([
  '^(a+)+$',
  '^(a|aa)+$',
  '^([a-z0-9]+-?)+$',
  String.raw`^(\w+\s?)*$`,
  '^(([a-z])+[0-9])+$',
])('it takes no longer for a text that was made to slow it: %s', (pattern) => {
  const s = `${'a'.repeat(20_000)}\u0001`
  for (const patterns of ['linear', 'backtracking'] as const) {
    const fault = argumentFault({ argsSchema: withPattern(pattern) }, { s }, patterns)
    expect(fault).toMatchObject({ path: '/s', keyword: 'pattern' })
  }
  const named = { type: 'object', patternProperties: { [pattern]: { type: 'number' } } }
  expect(argumentFault({ argsSchema: named }, { [s]: 'x' })).toBeNull()
  expect(fitsForeign(withPattern(pattern), { s })).toBe(false)
})

test('what RE2 lacks is refused with its place, where the rules are not older', () => {
  const schema = { type: 'object', properties: { 'a/b': { items: withPattern('^(?!x)') } } }
  expect(argsSchemaFault(schema)).toContain('/properties/a~1b/items/properties/s/pattern `(?!`')
  expect(argsSchemaFault(schema, 'backtracking')).toBeNull()
  const fits = argumentFault({ argsSchema: withPattern('^(?!x)') }, { s: 'xy' }, 'backtracking')
  expect(fits).toMatchObject({ keyword: 'pattern' })
})

test('a catalog with such a schema is refused, and so is the step to newer rules', () => {
  const argsSchema = withPattern(String.raw`(a)\1`)
  const file = { capabilities: [{ id: 'x', safetyClass: 'READ', argsSchema }] }
  expect(catalogFromFile(file).refused).toMatchObject({
    code: 'args_schema_invalid',
    at: 'capabilities/x/argsSchema',
  })
  const { catalog: old = newCatalog } = catalogFromFile({ ...file, rules: 6 })
  expect(old.capabilities.has('x')).toBe(true)
  const { refused } = applyCatalogChange(old, [{ op: 'set', key: 'rules', value: 7 }])
  expect(refused).toMatchObject({ at: 'capabilities/x/argsSchema' })
})

test('a schema of others is judged as JSON Schema has it, whatever it says beside', () => {
  const output = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { id: { type: 'string', format: 'slug', 'x-order': 1 } },
  }
  expect(fitsForeign(output, { id: 'a' })).toBe(true)
  expect(fitsForeign(output, { id: 1 })).toBe(false)
  expect(fitsForeign(withPattern('(?=a)'), { s: 'a' })).toBe(false)
})
