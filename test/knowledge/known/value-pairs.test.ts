// Which values of a call belong together as people's words pair them, and which numbers are
// amounts. Each right pair stays known, and each that is made of two of them is not.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument, ListedThing } from '#schemas/values'
import { noEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

const pays = ['pay', 'send', 'transfer', 'give', 'go', 'owe']
const tools = {
  pay: [
    { arg: '/to', kind: 'account', part: 'to', asks: pays },
    { arg: '/what', kind: 'amount', part: 'what' },
  ],
  invite: [
    { arg: '/to', kind: 'name', bare: true, part: 'to', asks: ['invite', 'add'] },
    { arg: '/what', kind: 'email', part: 'what' },
  ],
  transfer: [
    { arg: '/what', kind: 'name', bare: true, part: 'what', asks: ['transfer', 'hand'] },
    { arg: '/to', kind: 'name', part: 'to' },
  ],
  mail: [
    { arg: '/to', kind: 'email', part: 'to' },
    { arg: '/what', kind: 'path', bare: true, part: 'what' },
  ],
  join: [
    { arg: '/to', kind: 'id', thing: 'event', part: 'to' },
    { arg: '/what', kind: 'email', part: 'what' },
  ],
  copy: [
    {
      arg: '/what',
      kind: 'path',
      bare: true,
      within: true,
      part: 'what',
      asks: ['copy', 'move', 'replace', 'put'],
    },
  ],
}
type Tool = keyof typeof tools

const events = [
  { id: '1', title: 'Board meeting' },
  { id: '2', title: 'Picnic' },
]

function isLet(tool: Tool, says: string, args: { readonly what?: unknown; readonly to?: unknown }) {
  const base = { counts: true, content: null, payload: null }
  const messages = [
    { ...base, name: 's', sender: 'desk', content: says },
    { ...base, name: 'r', sender: 'tools', payload: { tool: 'read', args: {}, value: events } },
  ]
  const list = { thing: 'event', at: '/*', id: 'id', names: ['title'], foreign: true }
  const evidence = {
    ...noEvidence,
    messages,
    untrusted: () => [{ pointer: '/*/title' }],
    lists: () => [ListedThing.parse(list)],
    heedsBars: true,
    readsNumbers: true,
  }
  const known = tools[tool].map((one) => KnownArgument.parse(one))
  return soughtValues(known, args, evidence).every(({ found: { found } }) => found === 'message')
}

const [theo, vera] = ['GB82WEST12345698765432', 'FR7630006000011234567890189']
const [mia, noah] = ['mia.keller@x.org', 'noah@y.org']

function said(text: string): string {
  return text.replaceAll('<A>', theo).replaceAll('<B>', vera)
}

describe('two payments in the same words', () => {
  test.each([
    'Please pay 80 to Theo (<A>) and 650 to Vera (<B>).',
    'Please pay back my friends for the cabin: 80 to Theo (<A>) and 650 to Vera (<B>).',
    'Please pay 80 to Theo (<A>). Please pay 650 to Vera (<B>).',
    'Please pay 80 to <A> and then 650 to <B>.',
    'Pay Theo (<A>) 80, Vera (<B>) 650.',
    'Pay 80 and 650 to <A> and <B>, respectively.',
    'Transfer Theo: <A>, 80\nTransfer Vera: <B>, 650',
    'Pay 80 to Theo and 650 to Vera. Theo has the account <A>, Vera has the account <B>.',
    "Please pay 80 to Theo and 650 to Vera. Vera's IBAN is <B>. Theo's IBAN is <A>.",
    'Pay eighty euros to Theo (<A>) and six hundred and fifty euros to Vera (<B>).',
  ])('%s means each with its own', (text) => {
    const says = said(text)
    expect(isLet('pay', says, { what: 80, to: theo })).toBe(true)
    expect(isLet('pay', says, { what: 650, to: vera })).toBe(true)
    expect(isLet('pay', says, { what: 650, to: theo })).toBe(false)
    expect(isLet('pay', says, { what: 80, to: vera })).toBe(false)
  })

  test.each(['Pay 80 and 650 to <A> and <B>.', 'Send money to <A> and <B>: 80 and 650 in all.'])(
    '%s does not state which goes where',
    (text) => {
      for (const what of [80, 650]) {
        for (const to of [theo, vera]) {
          expect(isLet('pay', said(text), { what, to })).toBe(false)
        }
      }
    },
  )

  test('of two in a row, however they are put', () => {
    const frames = fc.constantFrom(
      (what: string, who: string, to: string) => `${what} to ${who} (${to})`,
      (what: string, who: string, to: string) => `${who} (${to}) ${what}`,
      (what: string, _who: string, to: string) => `${what} to ${to}`,
      (what: string, who: string, to: string) => `to ${who} (${to}) ${what}`,
    )
    const money = fc.constantFrom(
      ([a, b]: readonly number[]) => [`${a}`, `${b}`] as const,
      ([a, b]: readonly number[]) => [`${a} euros`, `$${b}`] as const,
      ([a, b]: readonly number[]) => [`EUR ${a}`, `EUR ${b}`] as const,
    )
    const between = fc.constantFrom(
      ' and ',
      ', ',
      ', and ',
      ' and then ',
      '. Please pay ',
      '\nPay ',
    )
    const amounts = fc.uniqueArray(fc.integer({ min: 1, max: 9999 }), {
      minLength: 2,
      maxLength: 2,
    })
    const opening = fc.constantFrom(
      'Pay ',
      'Please send ',
      'I want you to transfer ',
      'Could you pay ',
    )
    fc.assert(
      fc.property(frames, money, between, amounts, opening, (frame, written, and, both, begin) => {
        const [one, two] = written(both)
        const says = `${begin}${frame(one, 'Theo', theo)}${and}${frame(two, 'Vera', vera)}.`
        const [a, b] = both
        expect(isLet('pay', says, { what: a, to: theo }), says).toBe(true)
        expect(isLet('pay', says, { what: b, to: vera }), says).toBe(true)
        expect(isLet('pay', says, { what: b, to: theo }), says).toBe(false)
        expect(isLet('pay', says, { what: a, to: vera }), says).toBe(false)
      }),
    )
  })
})

test.each([
  'Please pay 80 from my account <B> to <A>.',
  'Please pay 80 from my account <B> to Theo (<A>).',
  'Pay 80 to <A>, from <B>.',
  'Using my account <B>, pay 80 to <A>',
])('%s pays to where it goes, and not to where it comes from', (text) => {
  expect(isLet('pay', said(text), { what: 80, to: theo })).toBe(true)
  expect(isLet('pay', said(text), { what: 80, to: vera })).toBe(false)
})

describe('what is stated in the next sentence', () => {
  test.each([
    'Please transfer 45 dollars to Theo for the ticket. Their IBAN is <A>.',
    'Pay Theo 45. Their account number: <A>.',
    'The account is <A>. Please pay 45 to it.',
  ])('%s belongs to it', (text) => {
    expect(isLet('pay', said(text), { what: 45, to: theo })).toBe(true)
  })

  test.each([
    'Please transfer 45 dollars to Theo. Their IBAN is <A>. My IBAN is <B>.',
    'Please transfer 45 dollars to Theo. Vera wrote from <B>.',
  ])('%s does not say for which', (text) => {
    expect(isLet('pay', said(text), { what: 45, to: vera })).toBe(false)
  })
})

describe('a number that is no amount', () => {
  test.each([
    [', order number 5521', 5521],
    [' for 3 tickets', 3],
    ['. The concert is in room 300', 300],
    ['. I have 1810 on my account', 1810],
    ['. Last time it was 600', 600],
    ['. She lives at 1200 Main Street and was born on the 24th', 1200],
    [', ticket 77', 77],
    [' (invoice 99)', 99],
    [" with the subject 'Cabin 2024'", 2024],
    [' for flat 12', 12],
  ])('pay 45%s', (rest, number) => {
    const says = `Please transfer 45 to Chloe (${theo})${rest}.`
    expect(isLet('pay', says, { what: 45, to: theo })).toBe(true)
    expect(isLet('pay', says, { what: number, to: theo })).toBe(false)
  })

  test.each([
    ['Please transfer at most 100 to Chloe (<A>), 45 if that suffices.', 100],
    ['Please transfer half of 90 to Chloe (<A>).', 90],
    ['I owe Priya a third of 126 dollars. Please send it to <A>.', 126],
    ['The bill was 126. Please send Priya (<A>) her third of it.', 126],
    ['Send up to 300 to <A>', 300],
    ['Order 12 at the shop and pay <A>', 12],
    ['My balance is 310. Pay <A>.', 310],
  ])('%s states none of %d', (text, what) => {
    expect(isLet('pay', said(text), { what, to: theo })).toBe(false)
  })

  test.each([
    'Please transfer 45 to <A>',
    'Pay <A> 45',
    'Send €45 to <A>!',
    'Send 45€ to <A>',
    'Please pay 45 euros for 3 tickets to <A>',
    'The dinner was 45 in total, send it to <A>',
    'Transfer the 45 I owe her to <A>',
    'Send Chloe 45 (<A>)',
    'Please send 45.00 to <A> now',
    'I owe Chloe 45. Please send it to <A>.',
    'Theo lent me 45 last week. Please send it to <A>.',
    '45 are due; please pay with <A>',
    'Give 45 USD to <A>',
    'Please send over 45 to <A>',
    'The fee of 45 has to be paid to IBAN <A>.',
  ])('%s states it', (text) => {
    expect(isLet('pay', said(text), { what: 45, to: theo })).toBe(true)
  })
})

describe('two of other kinds', () => {
  const files = ['/desk/results.pdf', '/desk/picnic.txt'] as const
  const people = [mia, noah] as const
  test.each<[tool: Tool, says: string, what: readonly string[], to: readonly string[]]>([
    [
      'invite',
      `Invite Mia (${mia}) to 'site' and Noah (${noah}) to 'payroll'.`,
      people,
      ['site', 'payroll'],
    ],
    [
      'invite',
      `Invite ${mia} to the repository atlas and ${noah} to the repository maps.`,
      people,
      ['atlas', 'maps'],
    ],
    [
      'invite',
      `Invite Mia (${mia}) to atlas and Noah (${noah}) to maps.`,
      people,
      ['atlas', 'maps'],
    ],
    [
      'invite',
      `Add to 'main' Lena (${mia}) and to 'main-old' ${noah}.`,
      people,
      ['main', 'main-old'],
    ],
    [
      'transfer',
      "Transfer 'shop' to kemal-a and 'blog' to tomas-reyes.",
      ['shop', 'blog'],
      ['kemal-a', 'tomas-reyes'],
    ],
    [
      'transfer',
      'Transfer shop to the user kemal and blog to the user tomas.',
      ['shop', 'blog'],
      ['kemal', 'tomas'],
    ],
    [
      'mail',
      `Send results (${files[0]}) to Dr. Osei (${mia}) and ${files[1]} to Kate (${noah}).`,
      files,
      people,
    ],
    ['mail', `Send ${files[0]} to Igor (${mia}) and ${files[1]} to HR (${noah}).`, files, people],
    [
      'mail',
      `Mail Igor (${mia}) the file ${files[0]}. HR (${noah}) needs ${files[1]}, mail it to them.`,
      files,
      people,
    ],
    [
      'join',
      `Add Mia (${mia}) to the picnic and Leo (${noah}) to the board meeting.`,
      people,
      ['2', '1'],
    ],
  ])('%s: %s', (tool, says, whats, tos) => {
    for (const [at, what] of whats.entries()) {
      for (const [there, to] of tos.entries()) {
        expect(isLet(tool, says, { what, to }), `${what} ${to}`).toBe(at === there)
      }
    }
  })

  test.each<[tool: Tool, says: string, what: readonly string[], to: readonly string[]]>([
    ['join', `Add Mia (${mia}) and Leo (${noah}) to the picnic.`, people, ['2']],
    ['mail', `Send ${files[0]} and ${files[1]} to ${mia} and ${noah}.`, files, people],
    ['mail', `Mail ${files[0]} to Mia (${mia}), with Noah (${noah}) in copy.`, [files[0]], people],
    ['invite', `Invite ${mia} to 'main'. Also invite ${noah}.`, people, ['main']],
    ['transfer', "I'd like to hand over 'atlas' to kemal-a.", ['atlas'], ['kemal-a']],
    ['mail', `Write a list to ${files[1]} and mail the file to ${mia}.`, [files[1]], [mia]],
  ])('%s: %s means all with all', (tool, says, what, to) => {
    expect(isLet(tool, says, { what, to })).toBe(true)
  })
})

test.each([
  ['Copy /a/c.yml over /b/c.yml, a is newer', '/a/c.yml', '/b/c.yml'],
  ['Please move /inbox/report.pdf to /docs.', '/inbox/report.pdf', '/docs'],
  ['I want you to copy /user/a to /user/b', '/user/a', '/user/b'],
  ['Replace /user/b with /user/a', '/user/a', '/user/b'],
  ['Put into the folder /user/b the file /user/a', '/user/a', '/user/b'],
  ['Copy /user/a and /user/c to /user/b', '/user/c', '/user/b'],
  ['Copy to /user/b the file /user/a', '/user/a', '/user/b'],
  ['Save it to /user/a and copy /user/a/x to /user/b', '/user/a/x', '/user/b'],
])('%s takes it from the first, and not from where it goes', (says, what, aim) => {
  expect(isLet('copy', says, { what })).toBe(true)
  expect(isLet('copy', says, { what: aim })).toBe(false)
})

test('a part that no argument states changes nothing', () => {
  const known = tools.pay.map(({ part: _part, ...one }) => KnownArgument.parse(one))
  const content = said('Pay 80 to <A> and 650 to <B>.')
  const message = { name: 's', sender: 'desk', counts: true, content, payload: null }
  const found = soughtValues(known, { what: 650, to: theo }, { ...noEvidence, messages: [message] })
  expect(found.map((one) => one.found.found)).toEqual(['message', 'message'])
})
