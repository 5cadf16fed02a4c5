// One file of answers for every version of Node: what a condition comes to depends on no table of
// the engine, so an old intent previews tomorrow as it does today. `vectors.ndjson` is what rules
// before version 7 make of it; from then on only conversions differ, see `conversions.test.ts`.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expressionValue } from '#conditions/condition'
import type { ConditionInput } from '#conditions/input'
import { openObject } from '#conditions/types'
import { zoneNames } from '#conditions/zone'

const texts = [
  '',
  'plain',
  'STRASSE straße',
  'İstanbul ıI',
  'ΣΑΣ σας',
  'é e\u0301',
  '日本語のテキスト',
  '👩‍👩‍👧 👍🏽',
  'a\u00A0b\u2009c\uFEFF',
  'ſK\u212A',
  '𐐀𐐨 \u{10D50}\u{10D70}',
]
const ofText = [
  'size(args.text)',
  'args.text.lowerAscii()',
  'args.text.upperAscii()',
  'args.text.trim()',
  "args.text.split(' ')[0]",
  "args.text.replace('a', 'b')",
  "args.text.indexOf('s')",
  'args.text.substring(size(args.text) / 2)',
  "args.text.matches('^\\\\w+$')",
  "args.text.matches('(?i)strasse')",
  "args.text.matches('(?i)k')",
  "args.text.matches('^[\\\\p{L} ]+$')",
  "args.text.matches('\\\\p{Lu}')",
  "args.text.matches('^\\\\S+\\\\s\\\\S+$')",
  "args.text < 'é'",
]

const numbers = [0, -0, 0.1, 1 / 3, 1e21, 1e-7, 123_456_789.125, 2 ** 53, -1.5, 5e-324, 1.7e308]
const ofNumber = [
  'string(args.number)',
  'args.number + 0.2',
  'int(args.number)',
  'args.number == 0.1',
  'args.number / 3.0',
]

const moments = ['2001-07-01T12:00:00Z', '2026-03-29T01:30:00Z', '2035-12-31T23:59:59.999Z']
const ofMoment = [
  'string(now)',
  'now.getDayOfYear()',
  "string(now - duration('36h15m'))",
  "string(now + duration('1h')) ",
  "now < timestamp('2026-03-29T01:30:00.000Z')",
]
const inZone = (zone: string): string => {
  return (
    `string(now.getDate('${zone}')) + ' ' + string(now.getHours('${zone}')) + ':' + ` +
    `string(now.getMinutes('${zone}')) + ' ' + string(now.getDayOfWeek('${zone}'))`
  )
}

interface Vector {
  readonly source: string
  readonly args?: Readonly<Record<string, string | number>>
  readonly now?: string
}

const vectors: readonly Vector[] = [
  ...ofText.flatMap((source) => texts.map((text) => ({ source, args: { text } }))),
  ...ofNumber.flatMap((source) => numbers.map((number) => ({ source, args: { number } }))),
  ...ofMoment.flatMap((source) => moments.map((now) => ({ source, now }))),
  ...[...zoneNames()]
    .filter((_, number) => number % 12 === 0)
    .flatMap((zone) => moments.map((now) => ({ source: inZone(zone), now }))),
  ...["int('9223372036854775807')", "double('1e400')", "timestamp('2024-02-30T00:00:00Z')"].map(
    (source) => ({ source }),
  ),
]

function inputOf({ args = {}, now = '2026-01-01T00:00:00Z' }: Vector): ConditionInput {
  return {
    args,
    argsType: openObject,
    capability: { id: 'x', safetyClass: 'READ', sensitivity: 'NONE', tags: [], concepts: [] },
    principal: null,
    owner: null,
    intent: { goal: '', justification: '', session: '', scope: {}, constraints: {} },
    grounding: { grounded: true, concepts: [] },
    now: Date.parse(now),
    evidence: () => [],
  }
}

function answerTo(vector: Vector, lenient: boolean): string {
  const found = expressionValue(vector.source, { ...inputOf(vector), lenient })
  if ('fault' in found) return JSON.stringify({ ...vector, fault: found.fault })
  const { value } = found
  return JSON.stringify({ ...vector, type: typeof value, value: String(value) })
}

test('every expression comes to what it has always come to', async () => {
  const lines = vectors.map((vector) => answerTo(vector, true))
  expect(lines.length).toBeGreaterThan(300)
  expect(lines.filter((line) => line.includes('"type"')).length).toBeGreaterThan(300)
  const file = join(import.meta.dirname, 'vectors.ndjson')
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(file)
  const strict = vectors.map((vector) => answerTo(vector, false))
  expect(strict.filter((line, index) => line !== lines[index])).toEqual([
    '{"source":"double(\'1e400\')","fault":"condition_unconverted"}',
    '{"source":"timestamp(\'2024-02-30T00:00:00Z\')","fault":"condition_unconverted"}',
  ])
})
