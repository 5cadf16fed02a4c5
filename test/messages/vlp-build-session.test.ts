import { describe, expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { messageId, sessionId } from '#messages/build'

describe('a session', () => {
  test.each([
    ['The Keeper', 'keeper'],
    ['the  keeper of the gate', 'keeper-of-th'],
    ['Bathe Robot', 'bathe-robot'],
    ['Agént/1', 'agnt1'],
    ['twelve chars and', 'twelve-chars'],
    ['elevenchars and', 'elevenchars'],
    [' -- a -- ', 'a'],
    ['', 'agent'],
    ['日本', 'agent'],
  ])('of the agent "%s" has the slug %s', (agent, slug) => {
    const id = sessionId({ date: '2025-03-01', agent, suffix: '0f9c21' })
    expect(id).toBe(`S-2025-03-01-${slug}-0f9c21`)
  })

  test.each([
    ['2025-02-29', '0f9c21'],
    ['2025-3-1', '0f9c21'],
    ['2025-03-01', '0F9C21'],
    ['2025-03-01', '0f9c2'],
  ])('has no id of the date %s and the suffix %s', (date, suffix) => {
    expect(() => sessionId({ date, agent: 'a', suffix })).toThrow(Fault)
  })

  test('numbers its messages in their ids with four digits at least', () => {
    expect(messageId('CLM', 'S-2025-03-01-observer-a1b2c3', 1)).toBe('CLM-a1b2c3-0001')
    expect(messageId('CLM', 'S-2025-03-01-observer-a1b2c3', 12_345)).toBe('CLM-a1b2c3-12345')
  })
})
