// What `warrant catalog move` says where a move cannot end, or ended with less than was there.
import { expect, test } from 'vitest'
import { openIntent } from '#state/intent'
import { newState } from '#state/state'
import { differsText, tooLargeText, waitingText } from '#cli/rules/catalog/move-text'

const moves = [{ id: 'bot', from: 0, to: 1 }]
const block = { name: 'main-c0.1.vlp.guard.-.x', sender: 'guard' }

test.each([
  ['a block that came last', { why: 'block', said: null, stops: block }, '`guard` has blocked it'],
  ['a block that was lifted', { why: 'block', said: block, stops: null }, 'unblock it there'],
  ['uses that were counted on', { why: 'uses', said: null, stops: null }, 'suspend it'],
] as const)('says what to do about %s', (_what, found, text) => {
  const said = differsText({ id: 'bot', ...found }, moves)
  expect(said).toContain('`bot` is in cell 1 now')
  expect(said).toContain(text)
})

test('says that what was used has to leave its windows, where it is too much', () => {
  expect(tooLargeText(moves)).toMatch(/^what `bot` used is more than .*: wait until the windows/)
})

test('lists the first few that are open, and counts the others', () => {
  const state = newState({ realm: 'main-c0', era: 1 })
  const open = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const fact = { name: `main-c0.1.vlp.bot.-.u${index}`, position: 1, appendedAt: 0 }
      return openIntent(`bot.-.u${index}`, fact, { id: null, beyond: false })
    })
  expect(waitingText(state, open(1), 0)).toBe(
    '1 intent in main-c0 waits: bot.-.u0 for the grounding stage; is it running?',
  )
  const many = waitingText(state, open(7), 0)
  expect(many).toMatch(/^7 intents in main-c0 wait: bot[.]-[.]u0 .*bot[.]-[.]u4 .*; and 2 more$/)
})
