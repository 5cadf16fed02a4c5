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

describe('what is to be left as it is', () => {
  const away = ['stay away from', 'hands off', 'keep clear of', 'Please keep away from']
  const [kept, other] = ['/desk/a.txt', '/desk/b.txt']
  const file = { kind: 'path', bare: true }
  test('is named by no word, itself or as what was spoken of', () => {
    const by = fc.constantFrom('. ', ', ', ' and ', ' - but ')
    fc.assert(
      fc.property(fc.constantFrom(...away), by, fc.boolean(), (words, join, isBare) => {
        const name = isBare ? 'a.txt' : kept
        const says = `Push ${other}${join}${words} ${name}.`
        expect(how(file, kept, says)).toBe(isBare ? 'nowhere' : 'unasked')
        expect(how(file, other, says)).toBe('message')
        expect(how(file, kept, `Push ${other}. My notes are in ${kept}. ${words} it.`)).toBe(
          'unasked',
        )
      }),
    )
  })

  test('and so is a file that all of a folder leaves out, by its name', () => {
    const within = { ...file, within: true }
    for (const but of ['but not', 'except', 'without']) {
      expect(how(within, kept, `Push all files in /desk ${but} a.txt.`)).toBe('unasked')
      expect(how(within, other, `Push all files in /desk ${but} a.txt.`)).toBe('message')
    }
  })

  test.each([
    `Push ${kept}. Stay away from it afterwards.`,
    `Push ${kept} and keep it away from the others.`,
    `Keep a note in ${kept}.`,
    `Leave a note in ${kept} and stay away from ${other}.`,
  ])('but not: %s', (says) => {
    expect(how(file, kept, says)).toBe('message')
  })
})

test('who sends a mail themselves has it written, and not sent', () => {
  const to = 'ann@x.example'
  const later = [
    "I'll send it when I've slept over it",
    'I will mail it myself',
    'I want to send it',
  ]
  for (const says of later) {
    expect(how(mail, to, `Write a complaint to ${to} into /desk/a.txt, ${says}.`)).toBe('unasked')
  }
  expect(how(mail, to, `Mail ${to} that I will send them the plan.`)).toBe('message')
  expect(how(mail, to, `I'll send it. No, mail ${to} the plan.`)).toBe('message')
})

describe('what a value is changed from', () => {
  const password = { kind: 'id', asks: ['change', 'set', 'use'] }
  const value = fc.stringMatching(/^[A-Z][a-z]{3,8}[!-][0-9]{2}[a-z]$/)
  const ways: readonly ((old: string, now: string) => string)[] = [
    (old, now) => `Change my password from '${old}' (leaked!) to '${now}'.`,
    (old, now) => `Please change it from "${old}" to "${now}".`,
    (old, now) => `My password '${old}' leaked. Please change it to '${now}'.`,
    (old, now) => `Change my password from ${old} to ${now}`,
  ]
  test('is not what it is to be', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ways), value, value, (says, old, now) => {
        fc.pre(old !== now)
        expect(how(password, old, says(old, now))).toBe('unasked')
        expect(how(password, now, says(old, now))).toBe('message')
      }),
    )
  })
})

test('a page is barred with the name of which it is, and no other of the host', () => {
  const page = { kind: 'url', within: true }
  const [here, there] = ['https://x.example/ann/notes/invitation', 'x.example/bob/maps/invitation']
  for (const bar of ['not the one to bob/maps', 'ignore bob/maps', 'but stay away from bob/maps']) {
    const says = `Look at x.example, and accept the invitation to ann/notes, ${bar}.`
    expect(how(page, here, says)).toBe('message')
    expect(how(page, there, says)).toBe('unasked')
  }
  expect(how(page, there, 'Look at bob/maps on x.example.')).toBe('message')
})
