// What a card says: every argument with where it is from and what it was, and what cannot be
// undone.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { argumentGroups, argumentRows } from '#present/console/argument-rows'
import { cardTexts, weightOf } from '#present/console/card-text'
import { titleOf } from '#present/console/name-words'
import { grantSentence, keepables, keepingAll } from '#present/console/grant-words'
import { consoleProblemText, signInProblem } from '#present/console/problem-text'
import { lineArguments, lineState } from '#present/console/row-text'
import { isList, jsonOf, type Json } from '#record/canonical'
import { isMap } from '#messages/envelope'
import { cardOf, inboxRow } from '../../support/browser/made-up-reviews.ts'
import { count } from '../../support/vitest/counts.ts'

describe('the rows of arguments', () => {
  test('leave out no value, however deep it stands', () => {
    const args = { a: [{ 'b/c': 'x' }, 2], none: null, empty: {}, list: [] }
    const rows = argumentRows(args, [], [])
    expect(rows.map(({ pointer, text }) => [pointer, text])).toEqual([
      ['/a/0/b~1c', 'x'],
      ['/a/1', '2'],
      ['/none', 'null'],
      ['/empty', '{}'],
      ['/list', '[]'],
    ])
  })

  test('say what each was before, and what is gone', () => {
    const differs = [
      { pointer: '/to', before: 'bob', now: 'ann' },
      { pointer: '/cc', now: 'eve' },
      { pointer: '/bcc', before: 'joe' },
    ]
    const rows = argumentRows({ to: 'ann', cc: 'eve', text: 'hi' }, [], differs)
    expect(rows.map(({ label, differs: how, before }) => [label, how, before])).toEqual([
      ['to', 'changed', 'bob'],
      ['cc', 'added', undefined],
      ['bcc', 'removed', undefined],
      ['text', 'same', undefined],
    ])
  })

  test('begin with what a coding agent does, and end with what its guard has added', () => {
    const digest = `sha256:${'0'.repeat(64)}`
    const guard = { cwd: '/srv', input: { bytes: 27, digest }, root: '/srv' }
    for (const [name, value] of [
      ['command', 'npm test'],
      ['paths', ['/etc/passwd']],
      ['url', 'https://example.org'],
      ['tool', 'create_issue'],
    ] as const) {
      const line = lineArguments({
        args: { before: digest, ...guard, [name]: value },
        argsBytes: 0,
      })
      expect(line.startsWith(name.replace('s', '')), line).toBe(true)
      expect(line.indexOf(digest)).toBeGreaterThan(line.indexOf([value].flat()[0] ?? ''))
    }
  })

  test('begin with what is paid and to whom, and keep together what stands in one object', () => {
    const args = {
      reservation_id: 'R1',
      keepSeats: true,
      passengers: [
        { dob: '1990-01-01', first_name: 'Ann' },
        { dob: '1991-01-01', first_name: 'Bob' },
      ],
      payment: { method: 'card', total_amount: 240 },
      tags: ['a', 'b'],
    }
    const groups = argumentGroups(argumentRows(args, [], []))
    expect(
      groups.map(({ title, rows }) => [title, rows.map(({ label, text }) => `${label}: ${text}`)]),
    ).toEqual([
      ['payment', ['total amount: 240', 'method: card']],
      ['passengers 1', ['first name: Ann', 'dob: 1990-01-01']],
      ['passengers 2', ['first name: Bob', 'dob: 1991-01-01']],
      ['', ['reservation id: R1', 'keep seats: true', 'tags 1: a', 'tags 2: b']],
    ])
  })

  test('of any call have each value once, and count what is too much', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const args = jsonOf(JSON.parse(JSON.stringify(given)))
        const pointers = argumentRows(args, [], []).map(({ pointer }) => pointer)
        expect(new Set(pointers).size).toBe(pointers.length)
        expect(pointers).toHaveLength(leafCount(args, true))
      }),
      { numRuns: count(5_000, 300) },
    )
    const many = argumentRows({ items: Array.from({ length: 620 }, (_, index) => index) }, [], [])
    expect(many).toHaveLength(501)
    expect(many.at(-1)?.text).toMatch(/^120 more values are not shown: `warrant reviews`/)
  })

  test('say where a value is from', () => {
    const base = { arg: '/to', kind: 'email', value: 'ann@x.com' } as const
    const toneOf = (found: 'message' | 'attribute' | 'untrusted' | 'repeated' | 'nowhere') =>
      argumentRows({ to: 'ann@x.com' }, [{ ...base, found }], [])[0]?.origins[0]?.tone
    expect([toneOf('message'), toneOf('attribute')]).toEqual(['good', 'good'])
    expect([toneOf('untrusted'), toneOf('repeated')]).toEqual(['doubtful', 'doubtful'])
    expect(toneOf('nowhere')).toBe('bad')
  })
})

describe('names of programs', () => {
  test.each([
    ['refund_order', 'Refund order'],
    ['github.create-issue', 'Github create issue'],
    ['sendEmail', 'Send email'],
    ['Bash', 'Bash'],
    ['files/write', 'files/write'],
    ['a__b', 'a__b'],
    ['\u202Erefund_order', '\u202Erefund_order'],
  ])('are read as words where they are such names: %s', (name, title) => {
    expect(titleOf(name)).toBe(title)
  })

  test('stand on a card as they are too, since two may be read alike', () => {
    const { title, lead } = cardTexts(cardOf())
    expect(title).toBe('Refund order')
    expect(lead).toBe('desk-bot, the agent of ann, asks to use refund_order')
  })
})

test('a link that cannot be read says what to do', () => {
  expect(consoleProblemText(signInProblem('request_invalid'))).toMatch(/^This is not a whole link/)
  expect(signInProblem('unreachable')).toBe('unreachable')
})

describe('a card', () => {
  test('says at a glance what cannot be undone, and which value is from nowhere', () => {
    const texts = cardTexts(cardOf())
    expect(texts.weight).toBe('destroys')
    expect(texts.warnings.join(' ')).toContain('visa ending in 4242')
  })

  test('says by which level an agent is asked about, and how many must agree', () => {
    const asks = (more: object) =>
      cardTexts(cardOf({ review: { questions: [{ kind: 'standing', level: 'strict', ...more }] } }))
        .questions
    expect(asks({})[0]?.asks).toBe("The agent's standing is strict: may it go on?")
    expect(asks({ quorum: 2 })[0]?.asks).toBe(
      "The agent's standing is strict: may it go on? At least 2 must agree.",
    )
  })

  test('takes a class that it does not know for the worst', () => {
    expect(weightOf('READ').weight).toBe('reads')
    expect(weightOf('toString').weight).toBe('destroys')
  })

  test('differs in its texts where anything shown differs', () => {
    const [one, other] = [cardOf(), cardOf({ args: { order: 'O-4712' } })]
    expect(cardTexts(one)).not.toEqual(cardTexts(other))
  })
})

describe('a line of the inbox', () => {
  test('has the arguments, or how many bytes they are', () => {
    expect(lineArguments({ args: { to: 'ann', n: 2 }, argsBytes: 20 })).toBe('to: ann · n: 2')
    expect(lineArguments({ args: null, argsBytes: 9_000 })).toContain('9000')
  })

  test('counts who agreed only where several must', () => {
    const base = { ...inboxRow(cardOf()), agreed: [], needed: 2 }
    expect(lineState({ ...base, tier: 'confirm' })).toBeNull()
    expect(lineState({ ...base, tier: 'four_eyes' })).toBe('0 of 2 agreed')
    const reason = { approving: 15, declining: 0 }
    const { demands } = base
    expect(lineState({ ...base, tier: 'confirm', demands: { ...demands, reason } })).toBe(
      'needs a reason',
    )
  })
})

describe('a grant that is drawn up', () => {
  test('keeps each value that was ticked, and says which', () => {
    const all = keepables({ to: 'a"b', 'odd key': 1, list: [true], part: 0.5, none: null })
    const when = keepingAll(all)
    expect(when).toBe('args.to == "a\\"b" && args["odd key"] == 1 && args.list[0] == true')
    expect(keepingAll([])).toBe('true')
    const one = { kept: all.slice(0, 1), uses: 1 }
    expect(grantSentence('pay', { ...one, isDev: false })).toContain('the same to, 1 time')
  })

  test('says where it ends before the day that is chosen', () => {
    const of = { kept: null, uses: 1_000 }
    expect(grantSentence('pay', { ...of, isDev: true })).toContain('ends with warrant dev')
    expect(grantSentence('pay', { ...of, isDev: false })).not.toContain('dev')
  })
})

/** Values that hold no others; an object or a list without any is one, but for the call itself. */
function leafCount(value: Json, isWhole = false): number {
  const members = isList(value) ? value : isMap(value) ? Object.values(value) : null
  if (members === null) return 1
  if (members.length === 0) return isWhole ? 0 : 1
  return members.reduce<number>((sum, one) => sum + leafCount(jsonOf(one)), 0)
}
