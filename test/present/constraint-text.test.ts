// What an allow is bound to is put in words, each constraint of the rules by a sentence, and what
// an agent asked for is shown as it is, never as one of ours.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { builtInRules } from '#schemas/rules/built-in'
import { boundTexts, constraintsText } from '#present/asking/constraint-text'

test.each([
  [{}, 'nothing'],
  [{ max_rows: 50 }, 'at most 50 rows of its result'],
  [{ max_rows: 1 }, 'at most 1 row of its result'],
  [{ allowed_fields: ['id', 'total'] }, 'only the fields `id` and `total`'],
  [{ allowed_fields: [] }, 'no field of its result'],
  [{ max_rows: 'all' }, '`max_rows`: "all"'],
  [{ allowed_fields: ['id', 2] }, '`allowed_fields`: ["id",2]'],
  [{ region: 'EU', max_rows: 3 }, 'at most 3 rows of its result; `region`: "EU"'],
  [{ toString: 1 }, '`toString`: 1'],
])('%j', (constraints, text) => {
  expect(constraintsText(constraints)).toBe(text)
})

test('each constraint has its part of the line, whatever it is', () => {
  const key = fc.oneof(fc.constantFrom('max_rows', 'allowed_fields'), fc.stringMatching(/^[a-z]+$/))
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(fc.nat(), fc.boolean())), (constraints) => {
      const [line] = boundTexts(constraints, 'READ')
      const count = Object.keys(constraints).length
      expect(line?.split('; ').length ?? 0).toBe(count)
    }),
  )
})

test('the usual number of rows is shown of what reads, and of others what was written', () => {
  const { maxRows, serviceMaxRows } = builtInRules
  const usual = [maxRows, serviceMaxRows].filter((rows) => typeof rows === 'number')
  expect(usual).toHaveLength(2)
  for (const max_rows of usual) {
    expect(boundTexts({ max_rows }, 'READ')).toEqual([expect.stringContaining('rows')])
    for (const safetyClass of ['WRITE', 'DESTRUCTIVE', null]) {
      expect(boundTexts({ max_rows }, safetyClass)).toEqual([])
      expect(boundTexts({ max_rows, region: 'EU' }, safetyClass)).toEqual([
        'bound to: `region`: "EU"',
      ])
      expect(boundTexts({ max_rows: max_rows - 1 }, safetyClass)).toEqual([
        `bound to: at most ${max_rows - 1} rows of its result`,
      ])
    }
  }
})
