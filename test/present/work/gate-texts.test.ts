// What a gate found, in words: here what can be seen of a council.
import { expect, test } from 'vitest'
import { votesText } from '#present/work/gate-text'

test('the votes of a council are shown, one for each seat, and nothing where none were counted', () => {
  const evidence = { model: 'm', approvals: 1, seats: 2, votes: ['approve', 'unparsable'] }
  expect(votesText({ evidence })).toBe('votes: approve, unparsable')
  expect(votesText({ evidence: { model: 'm' } })).toBeNull()
})
