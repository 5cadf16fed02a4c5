import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkInSession,
  corrections,
  standingMessages,
  isClosed,
  namesReferred,
  namesReferredMax,
  resolveRefs,
  type SessionMessage,
} from '#messages/session'
import { VlpMessage } from '#schemas/vlp'
import { nameAt, placed, places, sample, session } from '../support/samples/vlp-sample.ts'

const issuesOf = (message: SessionMessage, earlier: readonly SessionMessage[]): readonly string[] =>
  places({ issues: checkInSession(message, earlier) })

const targetsOf = (message: SessionMessage, known: readonly SessionMessage[]): readonly unknown[] =>
  resolveRefs(message, known).map(({ target }) => target?.position ?? null)

describe('what a message refers to', () => {
  const asked = placed(1, { type: 'query' })

  test('an id that no one used is unresolved, and the pointer names it', () => {
    const message = placed(2, { refers_to: ['id-1', 'id-9'] })
    expect(issuesOf(message, [asked])).toEqual(['refers_to_unresolved /refers_to/1'])
  })

  test('an id of an earlier message of the session is found', () => {
    const message = placed(2, { refers_to: 'id-1' }, 'desk')
    expect(issuesOf(message, [asked])).toEqual([])
    expect(targetsOf(message, [asked])).toEqual([1])
  })

  test('a later message is not found, by id or by name', () => {
    const message = placed(2, { refers_to: ['id-3', nameAt(3)] })
    expect(targetsOf(message, [asked, placed(3)])).toEqual([null, null])
  })

  test('an id of another session is not found, and its full name is', () => {
    const other = placed(1, { session_id: 'S-2025-03-01-other-a1b2c3' })
    expect(targetsOf(placed(2, { refers_to: ['id-1', nameAt(1)] }), [other])).toEqual([null, 1])
  })

  test('without a session only full names are found', () => {
    const message = placed(2, { session_id: null, refers_to: ['id-1', nameAt(1)] })
    expect(targetsOf(message, [placed(1, { session_id: null })])).toEqual([null, 1])
  })

  test('an id that two senders use means neither', () => {
    const known = [asked, placed(2, { id: 'id-1' }, 'desk')]
    const message = placed(3, { refers_to: 'id-1' }, 'tools')
    expect(issuesOf(message, known)).toEqual(['refers_to_unresolved /refers_to'])
    expect(targetsOf(placed(3, { refers_to: nameAt(2, 'desk') }, 'tools'), known)).toEqual([2])
  })

  test('an id that one sender used twice means the first, in whatever order they are given', () => {
    const message = placed(3, { refers_to: 'id-1' }, 'tools')
    expect(targetsOf(message, [placed(2, { id: 'id-1' }), asked])).toEqual([1])
  })

  test('an id cannot pass for the name of a message', () => {
    const impostor = placed(1, { id: nameAt(7, 'tools') })
    const message = placed(2, { refers_to: nameAt(7, 'tools') })
    expect(targetsOf(message, [impostor])).toEqual([null])
  })

  test('a message refers to itself by neither its id nor its name', () => {
    const message = placed(2, { refers_to: ['id-2', nameAt(2)] })
    const self = ['refers_to_self /refers_to/0', 'refers_to_self /refers_to/1']
    expect(issuesOf(message, [asked])).toEqual(self)
    expect(targetsOf(message, [asked, message])).toEqual([null, null])
  })

  test.each([[null], [''], [[]], [['', ' ']]])(
    '%j refers to nothing and resolves nothing',
    (refs) => {
      const message = placed(2, { refers_to: refs })
      expect(issuesOf(message, [asked])).toEqual([])
      expect(resolveRefs(message, [asked])).toEqual([])
    },
  )

  test('the names to look up are the full names, each once and boundedly many', () => {
    const names = Array.from({ length: namesReferredMax + 1 }, (_, index) => nameAt(index))
    const of = (refs: readonly string[]): readonly string[] =>
      namesReferred(VlpMessage.parse(sample({ refers_to: refs })))
    expect(of(['id-1', nameAt(1), nameAt(1), 'a.b.vlp.d.e', 'a.b.vlp.d.e.f.g'])).toEqual([
      nameAt(1),
    ])
    expect(of(['a.1.verdict.d.e.f', 'a.1.vlp. .e.f'])).toEqual([])
    expect(of(names)).toEqual(names.slice(0, namesReferredMax))
  })
})

describe('the sequence of a sender', () => {
  const numbered = (position: number, seq: number | null, sender = 'agent-7'): SessionMessage =>
    placed(position, { seq }, sender)

  test('one step a message is sound, from 0 or from 1', () => {
    for (const first of [0, 1]) {
      const known = [numbered(1, first), numbered(2, first + 1)]
      expect(issuesOf(numbered(1, first), [])).toEqual([])
      expect(issuesOf(numbered(3, first + 2), known)).toEqual([])
    }
  })

  test('a number left out is a gap', () => {
    expect(issuesOf(numbered(2, 3), [numbered(1, 1)])).toEqual(['seq_gap /seq'])
  })

  test('a number that comes late is a gap as well', () => {
    expect(issuesOf(numbered(3, 2), [numbered(1, 1), numbered(2, 3)])).toEqual(['seq_gap /seq'])
  })

  test('a number used before is a duplicate', () => {
    const known = [numbered(1, 1), numbered(2, 2)]
    expect(issuesOf(numbered(3, 1), known)).toEqual(['seq_duplicate /seq'])
    expect(issuesOf(numbered(3, 2), known)).toEqual(['seq_duplicate /seq'])
  })

  test('a sender who begins later than at 1 leaves its first message unknown', () => {
    expect(issuesOf(numbered(1, 2), [])).toEqual(['session_unknown /seq'])
  })

  test('each sender counts alone', () => {
    const known = [numbered(1, 1), numbered(2, 1, 'desk'), numbered(3, 2)]
    expect(issuesOf(numbered(4, 2, 'desk'), known)).toEqual([])
    expect(issuesOf(numbered(4, 3, 'desk'), known)).toEqual(['seq_gap /seq'])
  })

  test('messages without a number take no step', () => {
    expect(issuesOf(numbered(3, 2), [numbered(1, 1), numbered(2, null)])).toEqual([])
    expect(issuesOf(numbered(2, null), [numbered(1, 1)])).toEqual([])
  })

  test('without a session a number means nothing', () => {
    expect(issuesOf(placed(1, { session_id: null, seq: 9 }), [])).toEqual([])
  })
})

describe('ids', () => {
  test('of one sender in one session are used once', () => {
    const again = placed(2, { id: 'id-1' })
    expect(issuesOf(again, [placed(1)])).toEqual(['duplicate_id /id'])
    const malformed = placed(1, { id: 'id-1', confidence: 'high' })
    expect(issuesOf(again, [malformed])).toEqual([])
  })

  test('of another sender or another session are no concern', () => {
    const known = [placed(1, {}, 'desk'), placed(2, { id: 'id-1', session_id: 'other' })]
    expect(issuesOf(placed(3, { id: 'id-1' }), known)).toEqual([])
  })

  test('are compared without a session too', () => {
    const free = { id: 'id-1', session_id: null }
    expect(issuesOf(placed(2, free), [placed(1, free)])).toEqual(['duplicate_id /id'])
  })
})

describe('the end of a session', () => {
  const end = placed(2, { type: 'session_context' })

  test('what its sender publishes after it is of no known session', () => {
    expect(issuesOf(placed(3), [placed(1), end])).toEqual(['session_unknown /session_id'])
  })

  test('the session_context itself and what came before are sound', () => {
    expect(issuesOf(end, [placed(1)])).toEqual([])
    expect(issuesOf(placed(1), [end])).toEqual([])
  })

  test('no one closes a session for others', () => {
    expect(issuesOf(placed(3, {}, 'desk'), [end])).toEqual([])
    expect(isClosed([end], { sender: 'desk', session })).toBe(false)
    expect(isClosed([end], { sender: 'agent-7', session })).toBe(true)
  })

  test('a session_context that fails its check closes nothing', () => {
    const blocked = { type: 'session_context', safety: { level: 'block', issues: [] } }
    expect(isClosed([placed(2, blocked)], { sender: 'agent-7', session })).toBe(false)
  })
})

test('a malformed message gets no issue about its place', () => {
  const malformed = placed(2, { id: 'id-1', refers_to: 'id-9', confidence: 'high' })
  expect(checkInSession(malformed, [placed(1)])).toEqual([])
  expect(resolveRefs(malformed, [placed(1)])).toEqual([])
})

describe('corrections', () => {
  const correction = (position: number, ref: unknown, sender = 'agent-7'): SessionMessage =>
    placed(position, { type: 'correction', refers_to: ref }, sender)
  const standing = (messages: readonly SessionMessage[]): readonly number[] =>
    standingMessages(messages).map(({ position }) => position)

  test('of someone else supersede nothing', () => {
    expect(standing([placed(1), correction(2, 'id-1', 'desk')])).toEqual([1, 2])
    expect(standing([placed(1), correction(2, nameAt(1), 'desk')])).toEqual([1, 2])
  })

  test('of what comes later, or of themselves, supersede nothing', () => {
    expect(standing([correction(1, 'id-2'), placed(2)])).toEqual([1, 2])
    expect(standing([correction(1, ['id-1', nameAt(1)])])).toEqual([1])
  })

  test('two that refer to each other supersede only backwards', () => {
    expect(standing([correction(1, 'id-2'), correction(2, 'id-1')])).toEqual([2])
  })

  test('that fail their check supersede nothing and do not stand', () => {
    const safety = { level: 'block', issues: [] }
    const blocked = placed(2, { type: 'correction', refers_to: 'id-1', safety })
    expect(standing([placed(1), blocked])).toEqual([1])
  })

  test('supersede what they refer to, by id and by name', () => {
    expect(standing([placed(1), correction(2, 'id-1')])).toEqual([2])
    expect(standing([placed(1, { session_id: null }), correction(2, nameAt(1))])).toEqual([2])
    expect(standing([placed(1), placed(2), correction(3, ['id-1', 'id-2'])])).toEqual([3])
  })

  test('are followed through a chain', () => {
    const chain = [placed(1), correction(2, 'id-1'), correction(3, 'id-2')]
    expect(standing(chain)).toEqual([3])
    expect([...corrections(chain)].map(([name, by]) => [name, by.position])).toEqual([
      [nameAt(1), 3],
      [nameAt(2), 3],
    ])
  })

  test('of what is corrected already correct the correction', () => {
    expect(standing([placed(1), correction(2, 'id-1'), correction(3, 'id-1')])).toEqual([3])
  })

  test('cannot be spoiled by another sender who uses the same id', () => {
    const other = placed(2, { id: 'id-1' }, 'desk')
    expect(standing([placed(1), other, correction(3, 'id-1')])).toEqual([2, 3])
  })

  test('reach the session only through the order of the log, not that of the list', () => {
    const messages = [correction(3, 'id-2'), placed(1), correction(2, 'id-1'), placed(1)]
    expect(standing(messages)).toEqual([3])
  })

  // What these cost is counted in `test/system/growth`.
  test('many in a chain or of one message leave the last one', () => {
    const of = (ref: (position: number) => string): readonly SessionMessage[] => [
      placed(1),
      ...Array.from({ length: 30_000 }, (_, index) => correction(index + 2, ref(index + 2))),
    ]
    expect(standing(of((position) => `id-${position - 1}`))).toEqual([30_001])
    expect(standing(of(() => 'id-1'))).toEqual([30_001])
  })

  test('leave one standing for each chain, whatever refers to whatever', () => {
    const step = fc.record({ refs: fc.array(fc.nat(20)), other: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const messages = steps.map(({ refs, other }, index) =>
          correction(index + 1, ['none', ...refs.map((ref) => `id-${ref}`)], other ? 'b' : 'a'),
        )
        const places = corrections(messages)
        const last = messages.filter(({ name }) => !places.has(name))
        expect(standingMessages(messages)).toEqual(last)
        for (const by of places.values()) expect(last).toContain(by)
      }),
    )
  })
})
