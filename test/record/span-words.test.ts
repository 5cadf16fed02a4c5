// Wherever a catalog takes milliseconds, a text is refused with the number to write, whether or not
// it says a span of time.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstProblem } from '#record/problem'
import { Execution } from '#schemas/action/driver'
import { Budget } from '#schemas/budgets/budget'
import { CatalogFile } from '#schemas/catalog'
import { DurationMs } from '#schemas/rules/terms'

function refusal(
  schema: typeof DurationMs | typeof Budget | typeof CatalogFile | typeof Execution,
  value: unknown,
): string {
  const parsed = schema.safeParse(value)
  if (parsed.success) return 'taken'
  const { message, at } = firstProblem(parsed.error.issues)
  return at === '' ? message : `${at}: ${message}`
}

const write = (number: string | number) =>
  `expected a number of milliseconds: write ${number}, without quotes`

test.each([
  ['24h', 86_400_000],
  ['1h 30min', 5_400_000],
  ['1.5 hours', 5_400_000],
  ['7 days', 604_800_000],
  ['90s', 90_000],
  ['500ms', 500],
  ['PT24H', 86_400_000],
  ['86400000', 86_400_000],
  ['soon', '86400000 for a day'],
  ['', '86400000 for a day'],
  ['2026-01-01', '86400000 for a day'],
  ['1 2', '86400000 for a day'],
])('%j', (text, number) => {
  expect(refusal(DurationMs, text)).toBe(write(number))
})

test('each member of a catalog that takes milliseconds does so', () => {
  const budget = { name: 'b', max: 5, windowMs: '24h' }
  expect(refusal(Budget, budget)).toBe(`windowMs: ${write(86_400_000)}`)
  expect(refusal(Execution, { timeoutMs: '30s' })).toBe(`timeoutMs: ${write(30_000)}`)
  const asking = { id: 'two', tier: 'four_eyes', group: 'g', decideWithinMs: '1d' }
  const at = 'confirmations/0/decideWithinMs'
  expect(refusal(CatalogFile, { confirmations: [asking] })).toBe(`${at}: ${write(86_400_000)}`)
  const limit = { capability: 'look', uses: 3, windowMs: '1 minute' }
  expect(refusal(CatalogFile, { limits: [limit] })).toBe(`limits/0/windowMs: ${write(60_000)}`)
  expect(refusal(CatalogFile, { limits: [{ ...limit, windowMs: 1.5 }] })).not.toContain('quotes')
})

test('whole numbers of a unit come to what they are, in any case and with any space', () => {
  const unit = fc.constantFrom(
    ['s', 1_000],
    ['min', 60_000],
    ['H', 3_600_000],
    ['Days', 86_400_000],
  )
  fc.assert(
    fc.property(fc.nat(999), unit, fc.constantFrom('', ' '), (count, [name, ms], space) => {
      expect(refusal(DurationMs, `${count}${space}${name}`)).toBe(write(count * ms))
    }),
  )
})
