// What passes as plain is a JSON Schema by the schema of schemas as well; what is not one, or not
// plain, does not pass.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitsPlain, isPlainSchema } from '#rules/catalog/schemas/plain-schema'
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
    { numRuns: count(20_000, 500) },
  )
})

const names = fc.constantFrom('a', 'b', '__proto__', 'constructor', '')

/** As JSON has it: a member named `__proto__` is its own. */
function ofJson(members: readonly (readonly [string, unknown])[]): JsonObject {
  const inner = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return JSON.parse(`{${inner.join(',')}}`)
}

const simple = fc.constantFrom(null, true, 0, -0, 1, 2.5, 1e300, '', 'a', 'é😀', '\ud800', 'abc')

function inLists(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  const lists = fc.array(values, { maxLength: 3 })
  const objects = fc.array(fc.tuple(names, values), { maxLength: 3 }).map(ofJson)
  return fc.oneof(values, lists, objects)
}

const values = inLists(inLists(simple))

function plainOf(parts: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  const keywords = {
    type: fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string'),
    title: fc.constant('A'),
    enum: fc.array(values, { minLength: 1, maxLength: 3 }),
    properties: fc.array(fc.tuple(names, parts), { maxLength: 3 }).map(ofJson),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    additionalProperties: parts,
    items: parts,
    minItems: fc.nat(2),
    maxItems: fc.nat(2),
    minLength: fc.nat(3),
    maxLength: fc.nat(3),
  }
  const few = fc.subarray(Object.entries(keywords), { maxLength: 4 })
  return few.chain((some) => fc.record(Object.fromEntries(some)))
}

const plainSchemas = plainOf(fc.oneof(fc.boolean(), plainOf(fc.boolean())))

test('every plain schema can be used, and what fits it fits by all of JSON Schema', () => {
  const seen = { fit: 0, unfit: 0 }
  fc.assert(
    fc.property(plainSchemas, fc.array(values, { minLength: 8 }), (schema, all) => {
      expect(isPlainSchema(schema)).toBe(true)
      const options = { strictTypes: false, strictTuples: false, ownProperties: true } as const
      const whole = new Ajv2020({ ...options, meta: false, validateSchema: false, logger: false })
      const check = whole.compile(schema)
      for (const value of all) {
        const [does, doesFit] = [fitsPlain(schema, value), check(value)]
        seen[does ? 'fit' : 'unfit'] += 1
        expect(does && !doesFit).toBe(false)
        // It is of use: little is left to the other, which lets the name `""` be missing, and
        // looks at no `__proto__`.
        if (doesFit && !/"enum"|""|__proto__/.test(JSON.stringify(schema))) expect(does).toBe(true)
      }
    }),
    { numRuns: count(4_000, 100) },
  )
  expect(seen.fit).toBeGreaterThan(50)
  expect(seen.unfit).toBeGreaterThan(50)
})
