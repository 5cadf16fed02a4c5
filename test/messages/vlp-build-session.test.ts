import { describe, expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { endSession, messageId, nextMessage, openSession, sessionId } from '#messages/build'
import { checkMessage } from '#messages/check'
import { checkInSession, type SessionMessage } from '#messages/session'
import type { VlpMessage } from '#schemas/vlp'

const now = Date.UTC(2025, 2, 1, 9, 30, 0, 999)

describe('a session', () => {
  const opening = { agent: 'The Observer', agentNumber: 7, suffix: 'a1b2c3', now }
  const said = { content: 'found', confidence: 0.8 }

  test('has an id with the date, the agent and the suffix', () => {
    expect(openSession(opening).id).toBe('S-2025-03-01-observer-a1b2c3')
  })

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

  test('numbers its messages from 1, the same in the id and in seq', () => {
    expect(messageId('CLM', 'S-2025-03-01-observer-a1b2c3', 1)).toBe('CLM-a1b2c3-0001')
    expect(messageId('CLM', 'S-2025-03-01-observer-a1b2c3', 12_345)).toBe('CLM-a1b2c3-12345')
    const first = nextMessage(openSession(opening), { ...said, type: 'Claim' }, now)
    const second = nextMessage(first.session, { ...said, type: 'query' }, now)
    const third = nextMessage(second.session, { ...said, type: 'notice' }, now)
    const ids = [first, second, third].map(({ message }) => [message.id, message.seq])
    expect(ids).toEqual([
      ['CLM-a1b2c3-0001', 1],
      ['QRY-a1b2c3-0002', 2],
      ['MSG-a1b2c3-0003', 3],
    ])
  })

  test('takes no step for a message that could not be built', () => {
    const opened = openSession(opening)
    expect(() => nextMessage(opened, { ...said, type: 'evidence' }, now)).toThrow(Fault)
    expect(nextMessage(opened, { ...said, type: 'claim' }, now).message.seq).toBe(1)
  })

  test('ends with a session_context that counts its messages', () => {
    let current = openSession(opening)
    for (let made = 0; made < 3; made += 1) {
      current = nextMessage(current, { ...said, type: 'claim' }, now).session
    }
    const lists = { completed: ['a'], pending: ['b'], hints: ['c'], keywords: ['Completed:a'] }
    expect(endSession(current, { summary: 'done', ...lists }, now + 60_000)).toMatchObject({
      id: 'CTX-a1b2c3-0004',
      seq: 4,
      type: 'session_context',
      sender: 'The Observer',
      content: 'done',
      confidence: 1,
      provenance: ['agent_session', 'agent_7'],
      keywords: ['completed:a'],
      safety: { level: 'safe', issues: [] },
      payload: {
        agent_number: 7,
        started_at: '2025-03-01T09:30:00Z',
        ended_at: '2025-03-01T09:31:00Z',
        total_messages: 3,
        completed: ['a'],
        pending: ['b'],
        next_session_hints: ['c'],
      },
    })
    expect(endSession(current, {}, now).content).toMatch(/The Observer/)
  })

  test('is sound to the last message by the rules of sessions', () => {
    let current = openSession(opening)
    const log: SessionMessage[] = []
    const append = (message: VlpMessage): void => {
      const check = checkMessage(message, { knownConstraints: [] })
      const position = log.length + 1
      const placed = { name: `main.1.vlp.o.s.u${position}`, sender: 'o', position, check }
      expect(check.issues).toEqual([])
      expect(checkInSession(placed, log)).toEqual([])
      log.push(placed)
    }
    for (let made = 0; made < 5; made += 1) {
      const next = nextMessage(current, { ...said, type: 'claim' }, now)
      append(next.message)
      current = next.session
    }
    append(endSession(current, {}, now))
    expect(log).toHaveLength(6)
  })
})
