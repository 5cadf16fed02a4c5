// A log that is derived in ranges is reported on as one that is derived whole, to the byte, and so
// is one that was tampered with.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fact } from '#ports/log'
import { count, isFull } from '../../support/vitest/counts.ts'
import { bothReports, factsOfGolden, goldenVersions, type Division } from './golden-ranges.ts'

const divisions: readonly Division[] = [
  { count: 2, readAhead: 4 },
  { count: 3, readAhead: 8 },
  { count: 5, readAhead: 8 },
]

test.each(goldenVersions.map((version, nth) => ({ version, nth })))(
  'the log of $version is reported on alike in 2, 3 and 5 ranges',
  async ({ version, nth }) => {
    const facts = await factsOfGolden(version)
    // Not in full, each log is divided in one way, and the logs in all of them.
    const from = isFull ? 0 : nth % divisions.length
    for (const division of divisions.slice(from, from + count(divisions.length, 1))) {
      const { whole, ranges, isProven } = await bothReports(version, facts, division)
      expect({ ...division, isProven }).toEqual({ ...division, isProven: true })
      expect(ranges).toBe(whole)
      expect(JSON.parse(whole)).toMatchObject({ differences: 0, facts: facts.length })
    }
  },
)

test('ranges that do not prove each other count for nothing: the whole is replayed', async () => {
  const version = '0.2.0'
  const facts = await factsOfGolden(version)
  const of = [version, facts, { count: 3, readAhead: 8 }] as const
  const none = `sha256:${'0'.repeat(64)}`
  for (const changed of [{ begins: none }, { begins: null }, { ends: none }, { ends: null }]) {
    const found = await bothReports(...of, (range) => ({ ...range, ...changed, derived: 1 }))
    expect({ changed, isProven: found.isProven }).toEqual({ changed, isProven: false })
    expect(found.ranges).toBe(found.whole)
  }
})

/** What someone who can write to the log does to one of its facts. */
type Tampering = (fact: Fact, by: number) => Fact

const tamperings: Readonly<Record<string, Tampering>> = {
  'another outcome': (fact) => withText(fact, (text) => text.replace('"allow"', '"deny"')),
  'another time': (fact, by) => ({ ...fact, appendedAt: fact.appendedAt + (by + 1) * 100_000 }),
  'an older basis': (fact, by) =>
    withText(fact, (text) =>
      text.replace(
        /^\{"basis":(\d+)/,
        (_, basis) => `{"basis":${Math.max(1, Number(basis) - by - 1)}`,
      ),
    ),
  'no fact at all': (fact) => withText(fact, () => '{}'),
  'a name that no kind has': (fact) => ({ ...fact, name: fact.name.replace('.verdict.', '.x.') }),
  'a word more': (fact) => withText(fact, (text) => text.replace('"data":{', '"data":{"a":1,')),
}

function withText(fact: Fact, changed: (text: string) => string): Fact {
  return { ...fact, bytes: Buffer.from(changed(Buffer.from(fact.bytes).toString('utf8'))) }
}

const tampered = fc.record({
  version: fc.constantFrom(...goldenVersions),
  division: fc.record({ count: fc.constantFrom(2, 3, 5), readAhead: fc.constantFrom(4, 8, 16) }),
  edits: fc.array(
    fc.record({
      how: fc.constantFrom(...Object.keys(tamperings)),
      /** Where, of the whole log. */
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      by: fc.nat({ max: 40 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
})

test('a log that was tampered with is reported on alike, whatever was done to it', async () => {
  let differing = 0
  let found = 0
  const property = fc.asyncProperty(tampered, async ({ version, division, edits }) => {
    const facts = await factsOfGolden(version)
    for (const { how, at, by } of edits) {
      const written = facts.flatMap(({ name }, index) => {
        return /\.(grounding|verdict|review|rate|hold)\./.test(name) ? [index] : []
      })
      const index = written[Math.floor(at * written.length)] ?? 0
      const fact = facts[index]
      if (fact !== undefined) facts[index] = tamperings[how]?.(fact, by) ?? fact
    }
    const { whole, ranges } = await bothReports(version, facts, division)
    expect(ranges).toBe(whole)
    const report = JSON.parse(whole)
    differing += report.differences > 0 ? 1 : 0
    found += report.findings.counts.late + report.findings.counts.overtaken > 0 ? 1 : 0
  })
  const numRuns = count(300, 10)
  await fc.assert(property, { numRuns })
  // Or nothing of it was a tampering.
  expect(differing).toBeGreaterThan(numRuns / 3)
  expect(found).toBeGreaterThan(0)
})
