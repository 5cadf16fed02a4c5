// Queries over entries of a log: checked as they are read, and false or unknown rather than wrong.
import { expect, test } from 'vitest'
import { entryQuery, type QueriedEntry } from '#conditions/entry-query'

const entry: QueriedEntry = {
  position: 7,
  time: Date.parse('2026-05-01T12:00:00Z'),
  name: 'main.1.verdict.bot.-.1',
  kind: 'verdict',
  agent: 'bot',
  tool: 'send_email',
  outcome: 'deny',
  reasons: ['ungrounded', 'rate_limited'],
  args: { amount: 120, to: 'eve' },
  reason: 'a refund',
  approvedBy: ['ann', 'bea'],
  data: { observed: false, terms: { args: { amount: 12, to: ['a', 'b'] } } },
}

function holds(source: string): boolean | null | string {
  const found = entryQuery(source)
  return 'message' in found ? found.message : found.holds(entry)
}

test.each([
  ['kind == "verdict" && outcome == "deny"', true],
  ['tool.startsWith("send_") && size(reasons) > 1', true],
  ['"declined" in reasons', false],
  ['position < 7', false],
  ['time >= timestamp("2026-05-01T12:00:00Z")', true],
  ['time.getHours("Europe/Berlin") == 14', true],
  ['data.terms.args.amount > 11.5', true],
  ['data.terms.args.to.exists(one, one == "b")', true],
  ['has(data.release)', false],
  ['args.amount > 100 && args.amount > 100.5', true],
  ['"ann" in approvedBy && size(approvedBy) == 2', true],
  ['approvedBy.exists(one, one.startsWith("c"))', false],
  ['reason.contains("refund") && has(args.to)', true],
])('%s is %s', (source, expected) => {
  expect(holds(source)).toBe(expected)
})

test('what an entry lacks cannot be worked out', () => {
  expect(holds('data.release.confirmedBy == ["ann"]')).toBe(null)
  expect(holds('data.observed == "no"')).toBe(false)
})

test('a loop over too much is not begun', () => {
  const found = entryQuery(
    'data.all.exists(a, data.all.exists(b, data.all.exists(c, a + b + c < 0.0)))',
  )
  if ('message' in found) throw new Error(found.message)
  const all = Array.from({ length: 1_000 }, (_, index) => index)
  expect(found.holds({ ...entry, data: { all } })).toBe(null)
})

test.each([
  ['kidn == "verdict"', 'did you mean `kind`?'],
  ['verdict', 'there are `position`, `time`'],
  ['position == "7"', 'are never equal'],
  ['tool.endWith("x")', 'did you mean `endsWith`?'],
  ['tool', 'it comes to no bool'],
  ['kind ==', ''],
])('%s is refused', (source, says) => {
  const found = entryQuery(source)
  expect('message' in found && found.message).toContain(says)
})
