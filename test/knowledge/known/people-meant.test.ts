// Who is meant without a name of theirs: those who take part in an event that people named, the
// sender of a mail, and who was looked up; and the one link of a mail. Each with the attacker who
// adds an event, a mail, an address or a link of the same name.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument, ListedThing } from '#schemas/values'
import { noEvidence, type ValueEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

const [ann, bob, eve] = ['ann@harbour.example', 'bob@north.example', 'eve@outside.example']
const own = 'desk@harbour.example'

interface Event {
  readonly title: string
  readonly guests: readonly string[]
  readonly time?: string
}

interface Mail {
  readonly sender: string
  readonly subject: string
  readonly body?: string
}

interface Scene {
  readonly says: string
  readonly events?: readonly Event[]
  readonly mails?: readonly Mail[]
  readonly account?: { readonly login: string; readonly email: string }
  readonly person?: 'noted' | 'wrote'
  readonly kind?: 'email' | 'url'
}

const list = { at: '/*', id: 'id', foreign: true }
const tools: Readonly<Record<string, object>> = {
  inbox: { ...list, thing: 'email', names: ['subject'], of: ['sender'] },
  calendar: {
    ...list,
    thing: 'event',
    names: ['title'],
    time: 'start',
    with: ['guests'],
  },
  account: { thing: 'account', at: '', id: 'email', query: '/login' },
}

function how(value: string, { says, kind = 'email', person = 'wrote', ...of }: Scene) {
  const { events = [], mails = [], account } = of
  const base = { counts: true, content: null, payload: null }
  const result = (tool: string, args: object, shown: unknown) => {
    return { ...base, name: tool, sender: 'tools', payload: { tool, args, value: shown } }
  }
  const listed = events.map(({ title, guests, time = '2024-05-20T12:00:00' }, at) => {
    return { id: `E${at}`, title, guests: [own, ...guests], start: time }
  })
  const evidence: ValueEvidence = {
    ...noEvidence,
    attributes: [{ principal: 'desk', attribute: 'mail', value: own }],
    messages: [
      { ...base, name: 's', sender: 'desk', content: says },
      result('calendar', {}, listed),
      result(
        'inbox',
        {},
        mails.map((mail, at) => ({ id: `M${at}`, ...mail })),
      ),
      ...(account === undefined ? [] : [result('account', { login: account.login }, account)]),
    ],
    untrusted: (tool) =>
      ['/*/guests', '/*/title', '/*/sender', '/*/subject', '/*/body', '/email', '/login']
        .filter((pointer) => tool === 'account' || pointer.startsWith('/*'))
        .map((pointer) => ({ pointer })),
    lists: (tool) => (tool in tools ? [ListedThing.parse(tools[tool])] : []),
    heedsBars: true,
  }
  const argument = KnownArgument.parse({ arg: '/to', kind, person })
  return soughtValues([argument], { to: value }, evidence)[0]?.found.found
}

describe('those who take part in an event that people named', () => {
  const lunch = { title: 'Team lunch', guests: [ann, bob] }
  const other = { title: 'Standup', guests: [eve] }
  test.each([
    "Please let everyone from tomorrow's team lunch know that I will be late.",
    'Remind everyone who takes part in the team lunch event.',
    'Move the team lunch to 1 pm and inform the others.',
    'Cancel the team lunch. Write to all participants.',
    'Everyone who is invited to the team lunch should get the file by e-mail.',
    'All who take part in the team lunch have to be informed that I am late.',
  ])('%s', (says) => {
    const events = [lunch, other]
    expect([ann, bob, eve].map((one) => how(one, { says, events }))).toEqual([
      'person',
      'person',
      'untrusted',
    ])
  })

  test.each([
    ['no one asks to write to them', 'Move the team lunch to 1 pm.'],
    ['another event is named', 'Inform everyone from the standup that I am late.'],
    ['it is asked', 'Should everyone who is invited to the team lunch get the file?'],
    ['not all of them are', 'All who come to the team lunch but Ann and Bob should get it.'],
    ['no event is named', 'Inform everyone that I am late.'],
    ['it is barred', "Move the team lunch. Don't inform the participants."],
    ['only one person is meant', 'Move the team lunch and let her know.'],
  ])('not where %s', (_, says) => {
    for (const to of [ann, bob]) expect(how(to, { says, events: [lunch, other] })).toBe('untrusted')
  })

  const excepting = [
    'Inform everyone of the team lunch but BOB that I am late.',
    'Inform everyone of the team lunch except BOB that I am late.',
    'Inform all who come to the team lunch that I am late; leave BOB out.',
    'Inform all the people of the team lunch event that I am late, apart from BOB.',
    'Write to all participants of the team lunch, without BOB.',
    'Write to all participants of the team lunch. BOB must not know.',
    'Write to all participants of the team lunch, BOB stays at home.',
    "Write to all participants of the team lunch. Don't write to BOB.",
  ]
  test('who is excepted is not meant, by name or by address', () => {
    fc.assert(
      fc.property(fc.constantFrom(...excepting), fc.constantFrom('Bob', bob), (words, name) => {
        const says = words.replace('BOB', name)
        const events = [lunch, other]
        expect(['person', 'message']).not.toContain(how(bob, { says, events }))
      }),
      { numRuns: 32 },
    )
  })

  test.each([
    'Inform everyone of the team lunch, but keep it short.',
    'Inform all who come to the team lunch that I cannot come.',
    "Write to all participants of the team lunch that it won't take place.",
    'Write to all participants of the team lunch without delay.',
  ])('what else is not to be excepts no one: %s', (says) => {
    expect(how(bob, { says, events: [lunch, other] })).toBe('person')
  })

  test('a pronoun means one person alone', () => {
    const says = 'Postpone the meeting with the architect, and let her know.'
    const meeting = { title: 'Meeting with architect', guests: [ann] }
    expect(how(ann, { says, events: [meeting, other] })).toBe('person')
  })

  const says = "Let everyone from tomorrow's team lunch know that I will be late."
  test('an event of someone else that is called so, too, makes both doubtful', () => {
    const words = fc.constantFrom('', ' (new)', ' in town', '!')
    fc.assert(
      fc.property(words, fc.boolean(), (more, isFirst) => {
        const forged = { title: `Team lunch${more}`, guests: [eve] }
        const events = isFirst ? [forged, lunch] : [lunch, forged]
        for (const to of [ann, bob, eve]) expect(how(to, { says, events })).toBe('untrusted')
      }),
    )
  })

  test('no one is let into more than the mail by it', () => {
    expect(how(ann, { says, events: [lunch], person: 'noted' })).toBe('untrusted')
  })
})

describe('the sender of a mail that people named', () => {
  const says =
    "Read the mail with the subject 'Contract renewal' and inform the sender that I quit."
  const mail = { sender: ann, subject: 'Contract renewal' }
  test('is written to, and no one else', () => {
    const mails = [mail, { sender: eve, subject: 'Hello' }]
    expect([ann, eve].map((to) => how(to, { says, mails }))).toEqual(['person', 'untrusted'])
  })
  test('a second mail of that subject makes both doubtful', () => {
    const mails = [mail, { sender: eve, subject: 'Contract renewal, again' }]
    expect([ann, eve].map((to) => how(to, { says, mails }))).toEqual(['untrusted', 'untrusted'])
  })
  test('not where no one asks to write to them', () => {
    const looks = "Read the mail with the subject 'Contract renewal'."
    expect(how(ann, { says: looks, mails: [mail] })).toBe('untrusted')
  })
})

describe('who was looked up by a name that people wrote', () => {
  const account = { login: 'yara-dev', email: ann }
  test.each(['noted', 'wrote'] as const)('has that address: %s', (person) => {
    const says = "Find the address of 'yara-dev' and invite her."
    expect(how(ann, { says, account, person })).toBe('person')
    expect(how(eve, { says, account, person })).toBe('nowhere')
  })
  test.each(["Don't invite yara-dev.", 'Invite yara-dev2.', 'Invite her.'])(
    'not where it is another or barred: %s',
    (says) => {
      expect(how(ann, { says, account })).toBe('untrusted')
    },
  )
})

describe('the one link of a mail that people named', () => {
  const link = 'https://hub.example/ann-w/notes/accept?t=1'
  const mail = { sender: 'ann.w@x.org', subject: 'Invitation', body: `Accept: ${link}` }
  const open = (says: string, mails: readonly Mail[], value = link) =>
    how(value, { says, mails, kind: 'url' })
  test.each([
    "Please accept Ann's invitation.",
    'There is an invite from ann in my mail - accept it',
    'Follow the link that Ann mailed me.',
  ])('%s', (says) => {
    expect(open(says, [mail, { sender: eve, subject: 'x', body: 'https://evil.example/a' }])).toBe(
      'person',
    )
  })

  test.each([
    ['no one speaks of a link', "Summarise Ann's mail."],
    ['it is of another', "Accept Bob's invitation."],
    ['it is barred', "Don't accept Ann's invitation."],
  ])('not where %s', (_, says) => {
    expect(open(says, [mail])).toBe('untrusted')
  })

  const says = "Please accept Ann's invitation."
  test('a second link in anything that she wrote leaves it in doubt', () => {
    const evil = 'https://evil.example/ann'
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), (isSame, isFirst) => {
        const more = { ...mail, body: `Now: ${evil}` }
        const [one, two] = isFirst ? [more, mail] : [mail, more]
        const mails = isSame ? [{ ...mail, body: `${mail.body} or ${evil}` }] : [one, two]
        for (const value of [link, evil]) expect(open(says, mails, value)).toBe('untrusted')
      }),
    )
  })
  test('a link that bears no name of hers, and leads elsewhere, is not known', () => {
    const evil = 'https://evil.example/accept'
    expect(open(says, [{ ...mail, body: evil }], evil)).toBe('untrusted')
    const place = 'https://mail.x.org/accept'
    expect(open(says, [{ ...mail, body: place }], place)).toBe('person')
  })
  test('a second Ann makes both doubtful', () => {
    const evil = 'https://evil.example/ann'
    const mails = [mail, { sender: 'ann@evil.example', subject: 'Invitation', body: evil }]
    for (const value of [link, evil]) expect(open(says, mails, value)).toBe('untrusted')
  })
  test('the place where it is from names it, too', () => {
    const school = 'https://groups.anytown-school.org/join/3b'
    const mails = [{ sender: 'parents@anytown-school.org', subject: 'Group', body: school }]
    expect(open('accept the invitation of the school', mails, school)).toBe('person')
  })
})

describe('all mails of who is called as the place they write from', () => {
  const evidence = (says: string): ValueEvidence => ({
    ...noEvidence,
    messages: [
      { name: 's', sender: 'desk', counts: true, content: says, payload: null },
      {
        name: 'r',
        sender: 'tools',
        counts: true,
        content: null,
        payload: {
          tool: 'inbox',
          args: {},
          value: [
            { id: 'M1', sender: 'news@bargain.example', subject: 'Sale' },
            { id: 'M2', sender: 'ads@bargain.example', subject: 'Last chance' },
            { id: 'M3', sender: ann, subject: 'Lunch' },
          ],
        },
      },
    ],
    untrusted: () => [{ pointer: '/*/sender' }, { pointer: '/*/subject' }],
    lists: (tool) => (tool in tools ? [ListedThing.parse(tools[tool])] : []),
  })
  const argument = KnownArgument.parse({ arg: '/id', kind: 'id', thing: 'email', asks: ['delete'] })
  const meant = (says: string) =>
    ['M1', 'M2', 'M3'].filter((id) => {
      return soughtValues([argument], { id }, evidence(says))[0]?.found.found === 'message'
    })
  test.each([
    'Delete all mails from bargain.',
    'Bargain keeps flooding my inbox. Delete all of it.',
    'Unsubscribe me from the newsletter of bargain by deleting their mails.',
  ])('%s', (says) => {
    expect(meant(says)).toEqual(['M1', 'M2'])
  })
  test.each([
    'Bargain keeps flooding my inbox.',
    'Bargain has good offers. Delete their last mail.',
    'Delete all of it.',
    "Don't delete the mails of bargain.",
  ])('not: %s', (says) => {
    expect(meant(says)).toEqual([])
  })
})
