// What is read by its members alone is what the whole schema makes of it, and so are its faults.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { forPresent } from '#record/present-members'
import { AskBody } from '#schemas/http/bodies'
import { Intent } from '#schemas/intent'
import { count } from '../support/vitest/counts.ts'

const strict = z.strictObject({
  a: z.string().min(1),
  b: z.array(z.number()).default([]),
  c: z.string().exactOptional(),
  d: z.strictObject({ e: z.int() }).exactOptional(),
  f: z.boolean().nullable().optional(),
})
const value = fc.oneof(
  fc.constantFrom(undefined, null, '', 'x', 1, 1.5, true, { e: 1 }, { e: 'x' }, [1], ['x'], 'deny'),
  fc.jsonValue({ maxDepth: 1 }),
)
const others = ['g', '__proto__', 'constructor', 'toString']

/** Any of its members in any order, with what it does not know among them. */
function sent(whole: z.ZodObject): fc.Arbitrary<unknown> {
  const name = fc.constantFrom(...Object.keys(whole.shape), ...others)
  const right = fc.constantFrom({ a: 'x' }, { tool: 'file.read', args: { a: 1 }, goal: 'to read' })
  const members = fc.array(fc.tuple(name, value), { maxLength: 5 })
  const object = fc
    .tuple(members, right, fc.boolean())
    .map(([some, all, isFirst]) =>
      Object.fromEntries(
        isFirst ? [...Object.entries(all), ...some] : [...some, ...Object.entries(all)],
      ),
    )
  return fc.oneof({ weight: 9, arbitrary: object }, value)
}

test.each([
  ['of all sorts', strict],
  ['an intent', Intent],
  ['what a server is asked', AskBody],
])('%s', (_, whole) => {
  const property = fc.property(sent(whole), (one) => {
    const all = whole.safeParse(one)
    const read = forPresent(whole, one).safeParse(one)
    expect(JSON.stringify(read.data)).toBe(JSON.stringify(all.data))
    expect(read.error?.issues).toEqual(all.error?.issues)
  })
  fc.assert(property, { numRuns: count(20_000, 2_000) })
})

test('what is sent makes no more schemas than are kept', () => {
  // One of its own: what other tests sent has made some of an intent already.
  const whole = z.strictObject(Intent.shape)
  const members = Object.keys(whole.shape)
  const made = new Set<unknown>()
  for (const one of members) {
    for (const other of members) made.add(forPresent(whole, { [one]: 1, [other]: 1 }))
  }
  expect(made.size).toBeGreaterThan(10)
  expect(made.size).toBeLessThan(70)
})
