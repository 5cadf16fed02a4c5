// The conformance cases of the CEL specification, as far as they are about what JSON can say: what
// our own additions to the library change, and whether it still passes what it was chosen for.
import { getConformanceSuite } from '@bufbuild/cel-spec/testdata/tests.js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { conditionProblem, expressionValue } from '#conditions/condition'
import type { ConditionInput } from '#conditions/input'
import { openObject } from '#conditions/types'

const suites = [
  'basic',
  'comparisons',
  'conversions',
  'fp_math',
  'integer_math',
  'lists',
  'logic',
  'macros',
  'parse',
  'plumbing',
  'string',
  'string_ext',
  'timestamps',
]

const input: ConditionInput = {
  args: {},
  argsType: openObject,
  capability: { id: 'x', safetyClass: 'READ', sensitivity: 'NONE', tags: [], concepts: [] },
  principal: null,
  owner: null,
  intent: { goal: '', justification: '', session: '', scope: {}, constraints: {} },
  grounding: { grounded: true, concepts: [] },
  now: 0,
  evidence: () => [],
}

interface Suite {
  readonly name: string
  readonly suites: readonly Suite[]
  readonly tests: readonly { readonly original?: unknown }[]
}

function casesOf(suite: Suite): readonly Case[] {
  const own = suite.tests.flatMap(({ original }) => caseOf(original))
  return [...own, ...suite.suites.flatMap(casesOf)]
}

interface Case {
  readonly expr: string
  readonly value: unknown
}

const Scalar = z.object({
  expr: z.string(),
  bindings: z.strictObject({}),
  resultMatcher: z.object({
    case: z.literal('value'),
    value: z.object({
      kind: z.object({
        case: z.enum(['int64Value', 'doubleValue', 'stringValue', 'boolValue']),
        value: z.unknown(),
      }),
    }),
  }),
})

function caseOf(original: unknown): readonly Case[] {
  const read = Scalar.safeParse(original)
  if (!read.success) return []
  const { expr, resultMatcher } = read.data
  return [{ expr, value: resultMatcher.value.kind.value }]
}

test.each(suites)('of %s, all that passes our checks comes to what CEL asks', (name) => {
  const suite = getConformanceSuite().suites.find((one) => one.name === name)
  const cases = suite === undefined ? [] : casesOf(suite)
  const wanted = (['bool', 'int', 'double', 'string'] as const).map((kind) => ({ kind }))
  const checked = cases.filter(
    ({ expr }) => conditionProblem(expr, openObject, { wanted }) === null,
  )
  const wrong = checked.filter(({ expr, value }) => {
    const found = expressionValue(expr, input)
    return !('value' in found) || !Object.is(found.value, value)
  })
  expect(wrong.map(({ expr }) => expr)).toEqual([])
  // `format` and its like are left out: they would write numbers as the engine does.
  const least = name === 'string_ext' ? 0.05 : 0.4
  expect(checked.length / cases.length).toBeGreaterThan(least)
})
