// A denial for arguments names each that its schema does not know, wherever the object stands, and
// puts first what a mistyped one was meant as.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { argumentFault } from '#rules/catalog/arguments'
import type { JsonObject } from '#schemas/catalog'

const names = ['amount', 'recipient', 'subject/line', 'delivery~date', 'über', 'reason']
const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))

/** One mistake of the keyboard. */
const mistyped = fc
  .tuple(fc.constantFrom(...names), fc.nat(2), fc.nat(20))
  .map(([name, kind, place]) => {
    const at = place % name.length
    const letters = Array.from(name)
    if (kind === 0) letters.splice(at, 1)
    else if (kind === 1) letters.splice(at, 0, 'q')
    else letters.splice(at, 1, 'q')
    return { name, wrong: letters.join('') }
  })

const wrapped: readonly ((of: JsonObject, value: JsonObject) => readonly [JsonObject, unknown])[] =
  [
    (of, value) => [of, value],
    (of, value) => [{ type: 'object', properties: { 'a/b': of } }, { 'a/b': value }],
    (of, value) => [
      { type: 'object', properties: { all: { type: 'array', items: of } } },
      { all: [value] },
    ],
    (of, value) => [
      { type: 'object', properties: { x: { $ref: '#/$defs/y' } }, $defs: { y: of } },
      { x: value },
    ],
  ]

const named = (argsSchema: JsonObject, args: unknown) =>
  argumentFault({ argsSchema }, args, 'linear', { names: true })?.expected

test('a mistyped name is named, and what it was meant as comes first', () => {
  fc.assert(
    fc.property(mistyped, fc.constantFrom(...wrapped), fc.boolean(), (typed, wrap, isClosed) => {
      const { name, wrong } = typed
      const more = isClosed ? { additionalProperties: false } : { required: [name] }
      const [schema, args] = wrap({ type: 'object', properties, ...more }, { [wrong]: 'x' })
      const expected = named(schema, args)
      expect(expected).toMatchObject({ unknown: [wrong] })
      expect(expected?.['known']).toEqual(expect.arrayContaining(names))
      expect(Reflect.get(Object(expected?.['known']), 0)).toBe(name)
    }),
  )
})

test('nothing is called unknown that other parts of the schema may know', () => {
  const required = ['amount']
  for (const more of [
    { anyOf: [{ properties: { amout: {} } }] },
    { patternProperties: { '^x-': {} } },
    { $ref: '#/$defs/more', $defs: { more: { properties: { amout: {} } } } },
  ]) {
    const expected = named({ type: 'object', properties, required, ...more }, { amout: 'x' })
    expect(expected).toEqual({ missingProperty: 'amount' })
  }
  const other = { allOf: [{ type: 'object', properties, required }], properties: { amout: {} } }
  expect(named(other, { amout: 'x' })).toEqual({ missingProperty: 'amount' })
  const plain = { type: 'object', properties, required }
  expect(named(plain, {})).toEqual({ missingProperty: 'amount' })
  // As it was under older rules.
  expect(argumentFault({ argsSchema: plain }, { amout: 'x' })?.expected).toEqual({
    missingProperty: 'amount',
  })
})
