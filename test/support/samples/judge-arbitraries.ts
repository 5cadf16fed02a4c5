// Parts of any case: values that must be known, and budgets.
import fc from 'fast-check'
import type { BudgetCase, Case } from '#rules/chain/rule-input'

export const anyValue = fc.record({
  unknown: fc.constantFrom('ask' as const, 'deny' as const),
  found: fc.record({
    arg: fc.constant('/to'),
    kind: fc.constant('email' as const),
    value: fc.string({ unit: 'grapheme' }),
    found: fc.constantFrom('message' as const, 'attribute' as const, 'nowhere' as const),
  }),
})

export const anyBudget: fc.Arbitrary<BudgetCase> = fc.oneof(
  fc.record({
    name: fc.string({ unit: 'grapheme' }),
    fault: fc.constantFrom('amount_negative' as const, 'tenant_missing' as const),
    message: fc.constantFrom(undefined, 'no more of it'),
  }),
  fc.record({
    name: fc.string({ unit: 'grapheme' }),
    key: fc.option(fc.string({ unit: 'grapheme' })),
    limit: fc.constantFrom('10', '0.5'),
    used: fc.constantFrom('0', '9.75'),
    asked: fc.constantFrom('1', '0.000000000000000001'),
    windowMs: fc.integer({ min: 1, max: 2_592_000_000 }),
    counts: fc.boolean(),
    waitMs: fc.constantFrom(0, 0, 0, 1, 59_999.5, null, undefined),
  }),
)

const standings: readonly NonNullable<Case['standing']>[] = [
  { value: 0.3, level: 'strict', refuses: true, asks: null },
  { value: 0.5, level: 'supervised', refuses: false, asks: { quorum: 2 } },
  { value: -0.2, level: 'suspended', refuses: false, asks: null },
]

export const anyStanding = fc.option(fc.constantFrom(...standings), { freq: 4, nil: undefined })
