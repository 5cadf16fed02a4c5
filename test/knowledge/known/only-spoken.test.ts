// Values that people's own words only speak of: a question, a report, what someone else does.
// Frames and values are put together by a generator.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument } from '#schemas/values'
import { noEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

function how(says: string, value: string, kind = 'email') {
  const message = { name: 's', sender: 'desk', content: says, payload: null, counts: true }
  const known = KnownArgument.parse({ arg: '/value', kind })
  const evidence = { ...noEvidence, heedsBars: true, messages: [message] }
  return soughtValues([known], { value }, evidence)[0]?.found.found
}

const address = fc
  .tuple(fc.stringMatching(/^[a-z]{3,8}$/), fc.stringMatching(/^[a-z]{3,8}$/))
  .map(([name, host]) => `${name}@${host}.example`)
const about = fc.constantFrom('about the party', 'of the move to Oslo', 'that we are late')
const speaking: readonly ((to: string, what: string) => string)[] = [
  (to, what) => `Has ${to} written anything ${what}?`,
  (to, what) => `Did I send ${to} a mail ${what}?`,
  (to, what) => `I wrote ${to} ${what}.`,
  (to, what) => `We have already informed ${to} ${what}.`,
  (to, what) => `Mum will write to ${to} ${what}.`,
  (to, what) => `Raj has already asked ${to} ${what}.`,
  (to, what) => `Draft a mail to ${to} ${what} in /user/draft.txt.`,
]
const orders: readonly ((to: string, what: string) => string)[] = [
  (to, what) => `Could you write ${to} ${what}?`,
  (to, what) => `Please mail ${to} ${what}.`,
  (to, what) => `Bob should know ${what}: ${to}.`,
  (to) => `Her address is ${to}.`,
]
const frame = (all: typeof speaking) => fc.constantFrom(...all)

describe('who is only spoken of', () => {
  test('is not to be written to, whatever else is asked for', () => {
    fc.assert(
      fc.property(frame(speaking), address, about, address, (says, to, what, other) => {
        fc.pre(to !== other)
        for (const more of [
          '',
          ' Find that mail.',
          ` Thank her at ${other}.`,
          ' Enter it from 15:00.',
        ]) {
          expect(how(`${says(to, what)}${more}`, to)).toBe('unasked')
        }
      }),
    )
  })

  test('is to be written to where an order has it so, before or after', () => {
    fc.assert(
      fc.property(frame(speaking), frame(orders), address, about, (says, orders_, to, what) => {
        expect(how(orders_(to, what), to)).toBe('message')
        expect(how(`${says(to, what)} ${orders_(to, what)}`, to)).toBe('message')
        expect(how(`${says(to, what)} Please thank her for it.`, to)).toBe('message')
      }),
    )
  })

  test('nothing is to be written to who must know nothing of it', () => {
    const words = fc.constantFrom('must', 'should', 'shall', 'may', 'is to')
    const learns = fc.constantFrom('know', 'learn', 'get', 'see', 'receive')
    fc.assert(
      fc.property(words, learns, address, about, (must, learn, to, what) => {
        expect(how(`Dan (${to}) ${must} ${learn} nothing ${what}. Enter it.`, to)).toBe('unasked')
        expect(how(`Dan (${to}) ${must} ${learn} more ${what}. Mail her.`, to)).toBe('message')
      }),
    )
  })

  test('before someone else is asked', () => {
    fc.assert(
      fc.property(address, address, about, (to, other, what) => {
        fc.pre(to !== other)
        const says = `Before we inform ${to} ${what}, ask ${other}.`
        expect([how(says, to), how(says, other)]).toEqual(['unasked', 'message'])
      }),
    )
  })

  test('a file that was sent by mistake is not to be sent', () => {
    const says =
      'Last week I sent Igor (igor@x.org) the wrong file, /user/pay.pdf. Send her an apology.'
    expect(how(says, '/user/pay.pdf', 'path')).toBe('unasked')
    expect(how(says, 'igor@x.org')).toBe('message')
    expect(how(`${says} And send it again.`, '/user/pay.pdf', 'path')).toBe('message')
  })
})
