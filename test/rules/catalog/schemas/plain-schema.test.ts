// What passes as plain is a JSON Schema by the schema of schemas as well; what is not one, or not
// plain, does not pass.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPlainSchema } from '#rules/catalog/schemas/plain-schema'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { count } from '../../../support/vitest/counts.ts'

const reader = new Ajv2020({ strict: false, logger: false })
const isSchema = (schema: JsonObject) => reader.validateSchema(schema) === true

test('schemas of plain keywords pass', () => {
  const path = { type: 'array', items: { type: 'string' }, minItems: 1 }
  for (const schema of [
    {},
    { type: 'object', properties: { path }, required: ['path'], additionalProperties: false },
    { type: 'object', properties: { a: true }, additionalProperties: { type: 'integer' } },
    { enum: ['a', 1, null], description: 'one of them', title: 'A', maxLength: 3 },
  ]) {
    expect(isPlainSchema(schema)).toBe(true)
    expect(isSchema(schema)).toBe(true)
  }
})

test('all others do not', () => {
  const hidden: JsonValue = JSON.parse('{"properties":{"__proto__":{"type":"none"}}}')
  for (const schema of [
    { type: 'text' },
    { type: ['string'] },
    { $ref: '#' },
    { properties: { a: { type: 'text' } } },
    { properties: [] },
    { required: ['a', 'a'] },
    { required: 'a' },
    { items: [{}] },
    { minItems: -1 },
    { maxLength: 1.5 },
    { enum: [] },
    { additionalProperties: null },
    { constructor: {} },
    JSON.parse('{"__proto__":{}}'),
    hidden,
  ]) {
    expect(isPlainSchema(schema)).toBe(false)
  }
})

test('whatever passes is a schema', () => {
  const values = fc.oneof(
    fc.constantFrom('string', 'object', 'text', -1, 0, 2, 1.5, true, null, [], ['a'], ['a', 'a']),
    fc.constantFrom({}, { type: 'string' }, { type: 'text' }, { a: { minItems: -1 } }),
  )
  const names = fc.constantFrom('type', 'title', 'enum', 'properties', 'required', 'items', 'if')
  const more = fc.constantFrom('additionalProperties', 'minItems', 'maxLength', 'description')
  const schemas = fc.dictionary(fc.oneof(names, more), values, { maxKeys: 3 })
  fc.assert(
    fc.property(schemas, (schema) => !isPlainSchema(schema) || isSchema(schema)),
    { numRuns: count(20_000, 2_000) },
  )
})
