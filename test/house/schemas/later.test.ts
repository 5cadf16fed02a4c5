// A schema that is made later is the one that would have been made at once.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { later } from '#schemas/later'

const Name = z.string().min(1)

/** One of each kind that is used, with values that it takes and some that it does not. */
const made: Readonly<Record<string, () => z.ZodType>> = {
  text: () => z.string().regex(/^a+$/),
  refined: () => z.string().refine((text) => text !== 'a', 'not this one'),
  described: () => z.int().min(1).describe('How many'),
  object: () => z.strictObject({ name: Name, at: z.int().optional() }),
  extended: () => z.object({ name: Name }).extend({ list: z.array(z.string()).default([]) }),
  choice: () => z.enum(['a', 'b']),
  union: () => z.union([z.literal('a'), z.int(), z.strictObject({ name: Name })]),
  tagged: () =>
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), name: Name }),
      z.object({ kind: z.literal('b'), list: z.array(Name) }),
    ]),
  table: () => z.record(Name, z.int().nullable()),
  changed: () => z.string().transform((text) => text.length),
}

const values: readonly unknown[] = [
  'a',
  'aaa',
  'c',
  1,
  0,
  null,
  undefined,
  [],
  { name: 'a' },
  { name: 'a', at: 1 },
  { name: '', at: 'never', more: 1 },
  { name: 'a', list: ['a'] },
  { kind: 'a', name: 'a' },
  { kind: 'b', list: ['', 'a'] },
  { kind: 'c' },
  { a: 1, b: null },
]

const jsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' })

describe.each(Object.entries(made))('%s', (_name, make) => {
  // Alone, as part of another, and as what another is made of.
  test.each([
    ['alone', (one: z.ZodType) => one],
    ['in an object', (one: z.ZodType) => z.object({ one })],
    ['in a list', (one: z.ZodType) => z.array(one)],
    ['in a union', (one: z.ZodType) => z.union([one, z.literal('other')])],
    ['left out', (one: z.ZodType) => z.strictObject({ one: one.optional() })],
    ['within another', (one: z.ZodType) => later(() => z.object({ one, again: one.nullable() }))],
  ])('%s takes and refuses the same', (_where, put) => {
    const at = put(make())
    const after = put(later(make))
    for (const value of values) {
      for (const given of [value, { one: value }, { one: value, again: value }, [value, value]]) {
        const [expected, found] = [at.safeParse(given), after.safeParse(given)]
        expect(found.data).toEqual(expected.data)
        expect(found.error?.issues).toEqual(expected.error?.issues)
      }
    }
    expect(jsonSchema(after)).toEqual(jsonSchema(at))
  })

  test('is of the same class, and says the same of itself', () => {
    const [at, after] = [make(), later(make)]
    expect(Object.getPrototypeOf(after.optional())).toBe(Object.getPrototypeOf(at.optional()))
    expect(after).toBeInstanceOf(at.constructor)
    expect(later(make).description).toBe(at.description)
    expect('~standard' in later(make)).toBe(true)
    expect(after.type).toBe(at.type)
  })
})

test('it is made once, when something is first asked of it', () => {
  let times = 0
  const schema = later(() => {
    times += 1
    return z.strictObject({ name: Name })
  })
  const around = z.object({ schema, list: z.array(schema) })
  expect(times).toBe(0)
  expect(around.parse({ schema: { name: 'a' }, list: [{ name: 'b' }] }).list).toHaveLength(1)
  expect(Object.keys(schema.shape)).toEqual(['name'])
  expect(times).toBe(1)
})

test('it may have itself as a part', () => {
  interface Tree {
    readonly trees: readonly Tree[]
  }
  const Tree: z.ZodType<Tree> = later(() =>
    z.strictObject({
      get trees() {
        return z.array(Tree)
      },
    }),
  )
  const tree = { trees: [{ trees: [] }, { trees: [{ trees: [] }] }] }
  expect(Tree.parse(tree)).toEqual(tree)
  expect(Tree.safeParse({ trees: [{}] }).error?.issues[0]?.path).toEqual(['trees', 0, 'trees'])
  expect(jsonSchema(Tree)).toMatchObject({ properties: { trees: { items: { $ref: '#' } } } })
})

test('one that asks itself what it is cannot be made', () => {
  const schema: z.ZodType = later(() => z.object({ one: schema.optional() }))
  expect(() => schema.safeParse({})).toThrow('a schema is asked while it is made')
})
