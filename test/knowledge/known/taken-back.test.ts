// What people take back, put off, or do not want written to someone: none of it is asked for. Each
// with a neighbour that sounds alike and takes nothing back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument } from '#schemas/values'
import { noEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'
import { clausesOf } from '#knowledge/grounding/moods'

function how(known: object, value: string, says: string): string | undefined {
  const said = { name: 's', sender: 'desk', content: says, payload: null, counts: true }
  const argument = KnownArgument.parse({ arg: '/value', ...known })
  const evidence = { ...noEvidence, messages: [said], heedsBars: true }
  return soughtValues([argument], { value }, evidence)[0]?.found.found
}

const account = 'DE8937040044'
const pay = { kind: 'account' }
const remove = { kind: 'name', asks: ['delete'] }
const mail = { kind: 'email' }

const fillers = ['', 'hm, ', 'No, ', 'Oh wait, ', 'Sorry, ', 'Actually, no, ', 'But ']
const takenBack = [
  'scratch that',
  'strike that',
  'forget it',
  'I take that back',
  'never mind',
  'on second thought',
  "I've changed my mind",
  'leave it',
  'better not',
  "don't",
  "don't do it",
]
const ends = ['.', '!', ', it is too much.', '. Show me my mails.', ' - thanks.']

describe('what is taken back', () => {
  const words = fc.tuple(
    fc.constantFrom(...fillers),
    fc.constantFrom(...takenBack),
    fc.constantFrom(...ends),
  )
  test('is asked for no more, in the next sentence or in the same', () => {
    fc.assert(
      fc.property(words, fc.constantFrom('. ', '... ', ' - ', ', '), ([filler, back, end], by) => {
        const after = `${filler}${back}${end}`
        expect(how(pay, account, `Pay 40 to ${account}${by}${after}`)).toBe('unasked')
        expect(how(remove, 'demo-2022', `Delete demo-2022${by}${after}`)).toBe('unasked')
      }),
    )
  })

  test.each([
    `Pay 40 to ${account}. Never mind the late fee.`,
    `Pay 40 to ${account}. Leave it at that amount.`,
    `Pay 40 to ${account}. If it is paid already, forget it.`,
    `Show me my mails. Never mind. Pay 40 to ${account}.`,
    `Pay 40 to ${account}. Forget that old account of mine.`,
  ])('but not: %s', (says) => {
    expect(how(pay, account, says)).toBe('message')
  })

  test('and what is asked in its place is asked', () => {
    const says = 'Delete demo-2022. Scratch that, delete demo-2023.'
    expect(how(remove, 'demo-2022', says)).toBe('unasked')
    expect(how(remove, 'demo-2023', says)).toBe('message')
  })
})

test('what is not to be before something is not to be now', () => {
  const later = fc.constantFrom('June', 'next week', 'Ann has agreed', 'the audit')
  fc.assert(
    fc.property(later, fc.constantFrom('before', 'until', 'till'), (when, not) => {
      const says = `Delete demo-2022, but not ${not} ${when}.`
      expect(how(remove, 'demo-2022', says)).toBe('unasked')
    }),
  )
  const [clause] = clausesOf('Move the review to Friday, but not before ten.').flat()
  expect(clause?.mood).toBe('asked')
})

describe('to whom nothing is to be written', () => {
  const to = 'k.adeyemi@lawhouse.example'
  const names = ['them', 'her', 'Mr Adeyemi', 'Kemi Adeyemi']
  const nots = ["Don't answer", 'Do not reply to', 'Please no reply to', 'Never write to']
  test('is known by no word that names them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...nots),
        fc.constantFrom(...names),
        fc.constantFrom('.', ' yet.', ' now.', ' anything.'),
        (not, name, end) => {
          const says = `Save what Kemi Adeyemi (${to}) sent. ${not} ${name}${end}`
          expect(how(mail, to, says)).toBe('unasked')
        },
      ),
    )
    expect(how(mail, to, `Draft a letter to ${to} as a.txt. Don't send anything.`)).toBe('unasked')
  })

  test.each([
    `Mail ${to} the report. Don't send anything else.`,
    `Mail ${to} the report. Don't send them the draft.`,
    `Mail ${to} the report. Don't answer Ann.`,
    `Don't answer Ann. Mail ${to} the report.`,
    `Mail ${to} the report. If it is not there, don't send anything.`,
    `Don't send anything yet. First read my mails. Now mail ${to} the report.`,
  ])('but not: %s', (says) => {
    expect(how(mail, to, says)).toBe('message')
  })
})
