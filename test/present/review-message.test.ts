// What people are sent about a review: all that they must know, nothing that may not leave, and no
// text that hides or ends where it should not.
import { expect, test } from 'vitest'
import { reviewMessage, trialMessage } from '#present/outreach/review-message'

const digest = `sha256:${'0'.repeat(64)}`
const review = {
  intent: { address: 'bot.-.u1', agent: 'bot', session: null },
  confirmers: ['ann', 'ben'],
  decideBy: '2026-01-01T00:15:00.000Z',
  terms: {
    capability: 'files.delete',
    args: { path: '/etc/canary' },
    argsDigest: digest,
    constraints: {},
    scope: {},
    useWithinMs: 1,
  },
  shown: {
    owner: 'olga',
    description: 'deletes',
    safetyClass: 'DESTRUCTIVE',
    sensitivity: 'NONE',
    goal: 'canary of a goal',
    justification: 'canary of a reason',
  },
}
const base = { review, step: 'asked' as const, for: null, showsArgs: false }

test('it says who asks, what for and until when, and no argument', () => {
  const { subject, lines } = reviewMessage(base)
  expect(subject).toBe('Review: “bot” asks for “files.delete”, until 2026-01-01 00:15:00 UTC')
  const text = lines.join('\n')
  expect(text).toContain('“bot”, which belongs to “olga”, asks for “files.delete”')
  expect(text).toContain('2026-01-01 00:15:00 UTC')
  expect(`${subject}${text}`).not.toContain('canary')
})

test('arguments are shown where the catalog lets them, and no more than a part', () => {
  expect(reviewMessage({ ...base, showsArgs: true }).lines.join('\n')).toContain('"/etc/canary"')
  const args = { text: 'x'.repeat(100_000) }
  const long = reviewMessage({
    ...base,
    showsArgs: true,
    review: { ...review, terms: { ...review.terms, args } },
  })
  expect(long.lines.join('\n').length).toBeLessThan(2_000)
})

test('a reminder, an escalation and a deputy say what they are', () => {
  expect(reviewMessage({ ...base, step: 'reminder' }).subject).toMatch(
    /^Reminder, not decided yet: /,
  )
  const escalated = reviewMessage({ ...base, step: 'escalated' })
  expect(escalated.lines.join('\n')).toContain('Asked are “ann”, “ben”')
  expect(reviewMessage({ ...base, for: 'ann' }).lines.join('\n')).toContain('deputy of “ann”')
})

test('hostile names end no quotation, hide nothing, and make no further line', () => {
  const agent = 'bot”\r\nBcc: eve@evil.example\u202e\u200bmoc'
  const { subject, lines } = reviewMessage({
    ...base,
    review: { ...review, intent: { ...review.intent, agent } },
  })
  for (const line of [subject, ...lines]) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
  expect(subject.match(/“/g)).toHaveLength(2)
  expect(subject).toContain('\\u{202e}')
  expect(trialMessage(agent).subject).not.toMatch(/[\r\n\u202e]/)
})
