// Orders in lists, in brackets and beside asides: each is asked for as it would be alone, and what
// others say, what hangs on something and what is kept is not. Frames and values are put together
// by a generator.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument, ListedThing } from '#schemas/values'
import { noEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

type Args = Readonly<Record<string, unknown>>

const events = [
  { id: '41', title: 'Dr. Hale', start: '2024-05-24T09:00:00' },
  { id: '42', title: 'Physio', start: '2024-05-23T16:00:00' },
  { id: '43', title: 'Cleaning with Dr. Hale', start: '2024-05-10T09:00:00' },
]
const mails = [{ id: '7', subject: 'New shoes', sender: 'deals@shop.example' }]

function isLet(known: readonly object[], says: string, args: Args): boolean {
  const base = { counts: true, content: null, payload: null }
  const shown = (tool: string, value: unknown) => {
    return { ...base, name: tool, sender: 'tools', payload: { tool, args: {}, value } }
  }
  const messages = [
    { ...base, name: 's', sender: 'desk', content: says },
    shown('today', '2024-05-19'),
    shown('events', events),
    shown('mails', mails),
  ]
  const event = { thing: 'event', at: '/*', id: 'id', names: ['title'], time: 'start' }
  const mail = { thing: 'email', at: '/*', id: 'id', names: ['subject'], of: ['sender'] }
  const lists = new Map([
    ['events', [ListedThing.parse({ ...event, foreign: true })]],
    ['mails', [ListedThing.parse({ ...mail, foreign: true })]],
  ])
  const evidence = {
    ...noEvidence,
    messages,
    untrusted: () => [],
    today: (tool: string) => (tool === 'today' ? '' : null),
    lists: (tool: string) => lists.get(tool) ?? [],
    heedsBars: true,
    readsNumbers: true,
  }
  const sought = soughtValues(
    known.map((one) => KnownArgument.parse(one)),
    args,
    evidence,
  )
  return sought.every(({ found: { found } }) => found === 'message')
}

const pay = [
  { arg: '/to', kind: 'account', part: 'to', asks: ['pay', 'send', 'transfer'] },
  { arg: '/what', kind: 'amount', part: 'what' },
]
const remove = [{ arg: '/name', kind: 'name', asks: ['delete', 'remove'] }]
const invite = [
  { arg: '/name', kind: 'name', part: 'to', asks: ['invite', 'collaborator', 'get'] },
  { arg: '/email', kind: 'email', part: 'what' },
]
const give = [
  { arg: '/name', kind: 'name', part: 'what', asks: ['give', 'owner', 'ownership', 'hand'] },
]
const cancel = [{ arg: '/id', kind: 'id', thing: 'event', asks: ['cancel', 'remove', 'delete'] }]
const bin = [{ arg: '/id', kind: 'id', thing: 'email', asks: ['delete', 'remove'] }]
const trash = [{ arg: '/path', kind: 'path', asks: ['delete', 'remove'] }]

const accounts = fc.constantFrom('DE8937040044', 'BG5500771', 'GB10KITD0001', 'US31MAGIC9')
const amounts = fc.constantFrom(15, 64.2, 830)
const repos = fc.constantFrom('lantern-core', 'atlas-2', 'ann/notes')
const addresses = fc.constantFrom('ann@x.org', 'h.vogel@gmx.example')

describe('payments that a list names', () => {
  const frames = fc.constantFrom(
    (what: number, to: string) => `Just: (i) show my mails, (ii) ${what} to Ann (${to}).`,
    (what: number, to: string) => `1) show my mails 2) ${what} for the flowers, account ${to}`,
    (what: number, to: string) => `${what} quid to Kit for strings, acct ${to}. cheers`,
    (what: number, to: string) => `Show my mails.\n- ${what} to Ann, ${to}\n- read a.txt`,
    (what: number, to: string) =>
      `Pay in May: 7 to RU7700123456 ('rent') and ${what} to ${to} ('it').`,
    (what: number, to: string) => `Send ${what} to ${to} at once, once for May and once for June.`,
  )
  test('are asked for with their amount', () => {
    fc.assert(
      fc.property(frames, accounts, amounts, (frame, to, what) => {
        expect(isLet(pay, frame(what, to), { what, to })).toBe(true)
        expect(isLet(pay, frame(what, to), { what: what + 1, to })).toBe(false)
      }),
    )
  })

  const others = fc.constantFrom(
    (what: number, to: string) => `Refuse the claim of ${what} (${to}) in a mail to a@x.org.`,
    (what: number, to: string) => `Check the bill: ${what} to ${to}.`,
    (what: number, to: string) => `Is it right? ${what} to ${to}.`,
    (what: number, to: string) => `1) show my mails 2) ${what} went to ${to} yesterday`,
    (what: number, to: string) => `(i) ${what} charged by Ann (${to})`,
    (what: number, to: string) => `(i) they want ${what} on ${to}`,
    (what: number, to: string) => `Send ${what} to ${to} once Ann has agreed.`,
  )
  test('and what only speaks of one does not', () => {
    fc.assert(
      fc.property(others, accounts, amounts, (frame, to, what) => {
        expect(isLet(pay, frame(what, to), { what, to })).toBe(false)
      }),
    )
  })

  test('an account in groups holds no amounts', () => {
    const says = 'Transfer 25 euros to the shelter: CH44 3199 9123 (reference Miso).'
    expect(isLet(pay, says, { what: 25, to: 'CH4431999123' })).toBe(true)
    expect(isLet(pay, says, { what: 3199, to: 'CH4431999123' })).toBe(false)
  })
})

describe('acts that a list names', () => {
  const marks = fc.constantFrom('(2) ', '2) ', 'b) ', '(ii) ', '- ')
  const ends = fc.constantFrom('\n(3) show my mails', '.', '')
  test('are asked for at each marker', () => {
    fc.assert(
      fc.property(marks, ends, repos, addresses, (mark, end, name, email) => {
        const list = (item: string) => `Do this:\n(1) show my mails\n${mark}${item}${end}`
        expect(isLet(remove, list(`delete ${name}`), { name })).toBe(true)
        expect(isLet(remove, list(`${name} has to go`), { name })).toBe(true)
        expect(isLet(give, list(`Ann (${email}) becomes the owner of ${name}`), { name })).toBe(
          true,
        )
        const two = `Bo (b@x.org) and Ann (${email}) become collaborators of ${name}`
        expect(isLet(invite, list(two), { name, email })).toBe(true)
        expect(isLet(invite, list(`Ann (${email}) gets into ${name}`), { name, email })).toBe(true)
      }),
    )
  })

  test('but not what others say', () => {
    const says = fc.constantFrom('Ann says', 'Bob wants that', 'I read that', 'They claim')
    fc.assert(
      fc.property(marks, says, repos, (mark, who, name) => {
        const list = (item: string) => `Do this:\n(1) show my mails\n${mark}${who} ${item}`
        expect(isLet(remove, list(`${name} has to go`), { name })).toBe(false)
        expect(isLet(remove, list(`${name} should be deleted`), { name })).toBe(false)
        expect(isLet(give, list(`Bob becomes the owner of ${name}`), { name })).toBe(false)
        expect(isLet(invite, list(`Bob gets into ${name}`), { name })).toBe(false)
      }),
    )
  })
})

describe('what stands beside an order', () => {
  test('who says when they are done sets no condition', () => {
    const whens = fc.constantFrom(
      "After you're done",
      'Once all that is done,',
      'At the end',
      'When finished',
    )
    fc.assert(
      fc.property(whens, (when) => {
        const says = `Write it into /desk/a.txt and mail it to ann@x.org. ${when} remove the file.`
        expect(isLet(trash, says, { path: '/desk/a.txt' })).toBe(true)
      }),
    )
    const says = 'Write the list into /desk/a.txt. After Ann has answered, remove the file.'
    expect(isLet(trash, says, { path: '/desk/a.txt' })).toBe(false)
  })

  test('that a thing must be there to be deleted sets none', () => {
    for (const there of [
      'if it exists',
      "if it's still there",
      'if there is one',
      'if you find it',
    ]) {
      expect(isLet(remove, `Delete atlas-2 ${there}.`, { name: 'atlas-2' })).toBe(true)
    }
    for (const there of ['if it is old', 'if there are two', 'if you find a reason']) {
      expect(isLet(remove, `Delete atlas-2 ${there}.`, { name: 'atlas-2' })).toBe(false)
    }
  })

  test('an aside before the list of what is meant', () => {
    const files = fc.uniqueArray(fc.constantFrom('/a/b.zip', '/a/c.zip', '/d/e.txt'), {
      minLength: 1,
    })
    fc.assert(
      fc.property(files, (all) => {
        const list = all.join(', ')
        const says = (aside: string) => `Delete the oldest files, ${aside}: ${list}.`
        for (const path of all) {
          expect(isLet(trash, says('I need space'), { path })).toBe(true)
          expect(isLet(trash, says('I need these'), { path })).toBe(false)
          expect(isLet(trash, says('these stay'), { path })).toBe(false)
          expect(isLet(trash, says('I want to keep two'), { path })).toBe(false)
        }
      }),
    )
  })

  test('after what someone is to be answered an act is asked again', () => {
    const says =
      "Answer Sven: write yes, Sven gets the repository 'fjord-cam', and then hand it over."
    expect(isLet(give, says, { name: 'fjord-cam' })).toBe(true)
    const may = "Ask Sven to take the repository 'fjord-cam', mail Ann, and then hand it over."
    expect(isLet(give, may, { name: 'fjord-cam' })).toBe(false)
  })

  test('paths and addresses between are no repository that was named last', () => {
    const says =
      'Create atlas-2, clone it to /desk/b-c, copy /a/b.txt into it, and invite Ann (ann@x.org).'
    expect(isLet(invite, says, { name: 'atlas-2', email: 'ann@x.org' })).toBe(true)
    const two = 'Create atlas-2, delete maps-1, and invite Ann (ann@x.org).'
    expect(isLet(invite, two, { name: 'atlas-2', email: 'ann@x.org' })).toBe(false)
    const given = 'Take atlas-2, pull it to /desk/b-c, then give the ownership to bobolive.'
    expect(isLet(give, given, { name: 'atlas-2' })).toBe(true)
  })
})

describe('sets', () => {
  test.each([
    ['41', 'I am moving. Find all appointments with Dr. Hale after today and cancel them.'],
    ['41', "Cancel every event called 'Dr. Hale'."],
    ['43', 'Cancel all appointments with Dr. Hale.'],
    ['42', 'Cancel whatever I have on 23 May.'],
    ['42', 'Everything on 23 May gets cancelled.'],
    ['41', 'Everything on 24 May gets cancelled, only the physio stays.'],
  ])('%s of: %s', (id, says) => {
    expect(isLet(cancel, says, { id })).toBe(true)
  })

  test.each([
    ['43', 'I am moving. Find all appointments with Dr. Hale after today and cancel them.'],
    ['42', 'Cancel all appointments with Dr. Hale.'],
    ['41', 'Cancel all appointments with Dr. Hale that hurt.'],
    ['41', 'Cancel all appointments with Dr. Hale but this one.'],
    ['41', 'Show me all appointments with Dr. Hale.'],
    ['42', 'Everything on 23 May gets cancelled, only the physio stays.'],
    ['41', 'Cancel whatever I have on 23 May.'],
  ])('not %s of: %s', (id, says) => {
    expect(isLet(cancel, says, { id })).toBe(false)
  })

  test('newsletters of a sender are mails', () => {
    expect(isLet(bin, 'Delete every newsletter from deals@shop.example.', { id: '7' })).toBe(true)
    expect(isLet(bin, 'Delete every newsletter from news@shop.example.', { id: '7' })).toBe(false)
  })

  test('a whole day is moved from where it is', () => {
    const move = [{ arg: '/id', kind: 'id', thing: 'event', asks: ['move'] }]
    const says = 'Move my whole Thursday (23 May) to Friday, same times.'
    expect(isLet(move, says, { id: '42' })).toBe(true)
    expect(isLet(move, says, { id: '41' })).toBe(false)
  })
})

test('a payment is of today where people say no day of it', () => {
  const dated = [...pay, { arg: '/on', kind: 'time' }]
  const args = { what: 60, to: 'DE8937040044' }
  const says = 'The party is on 2 June. Pay 60 to DE8937040044.'
  expect(isLet(dated, says, { ...args, on: '2024-05-19' })).toBe(true)
  expect(isLet(dated, says, { ...args, on: '2024-05-25' })).toBe(false)
  const later = 'Pay 60 to DE8937040044 on 2 June.'
  expect(isLet(dated, later, { ...args, on: '2024-05-19' })).toBe(false)
})
