// Whose address it is: who is named in people's words, where their address is shown, and what makes
// it doubtful. Each way has its neighbours, and an attacker who tries to be taken for someone.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument, ListedThing } from '#schemas/values'
import { noEvidence, type ValueEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

interface Scene {
  readonly says: string
  readonly value?: string
  readonly senders?: readonly string[]
  readonly notes?: Readonly<Record<string, string>>
  readonly text?: string
  readonly acts?: ValueEvidence['acts']
  readonly asks?: readonly string[]
}

const anna = 'anna.berg@harbour.example'
const list = { thing: 'email', at: '/*', id: 'id', names: ['subject'], of: ['sender'] }

function how(
  person: 'noted' | 'wrote',
  { says, value = anna, senders = [], notes = {}, text = '', acts = [], asks }: Scene,
) {
  const base = { counts: true, content: null, payload: null }
  const mails = senders.map((sender, id) => ({ id: `M${id}`, sender, subject: 'Hi', body: text }))
  const result = (tool: string, args: object, of: unknown, index: number) => {
    return { ...base, name: `${tool}${index}`, sender: 'tools', payload: { tool, args, value: of } }
  }
  const evidence: ValueEvidence = {
    ...noEvidence,
    messages: [
      { ...base, name: 's', sender: 'desk', content: says },
      result('inbox', {}, mails, 0),
      ...Object.entries(notes).map(([path, of], at) => result('read', { path }, of, at)),
    ],
    untrusted: (tool) =>
      (tool === 'inbox' ? ['/*/sender', '/*/body', '/*/subject'] : ['']).map((pointer) => ({
        pointer,
      })),
    lists: (tool) => (tool === 'inbox' ? [ListedThing.parse({ ...list, foreign: true })] : []),
    notes: (tool) => (tool === 'read' ? { arg: '/path', under: ['/mine/'] } : null),
    acts,
    heedsBars: true,
  }
  const argument = KnownArgument.parse({ arg: '/to', kind: 'email', person, asks })
  return soughtValues([argument], { to: value }, evidence)[0]?.found.found
}

test('a person is asked for by their name, and by the act', () => {
  const invites = (says: string) => how('wrote', { says, senders: [anna], asks: ['add', 'invite'] })
  expect(invites('Anna wrote to me. Please invite Anna.')).toBe('person')
  expect(invites('Anna wrote to me. Please add her.')).toBe('person')
  expect(invites('Anna wrote to me. Please thank Anna.')).toBe('unasked')
  expect(invites('Anna wrote to me. Should I invite Anna?')).toBe('unasked')
})

describe('a person who wrote', () => {
  test.each([
    "Reply to Anna's mail.",
    'reply to anna please',
    'Anna asked me something by mail. Answer her.',
    'Invite Anna to the lunch. You find her address in earlier mails from her.',
    'There is a message from Anna in my inbox: say yes',
    'Inform Anna that her suggestion suits me.',
    'accept annas invitation',
    'Anna Berg wrote to me, say no to her',
  ])('%s means who wrote as Anna', (says) => {
    expect(how('wrote', { says, senders: [anna, 'bob@harbour.example'] })).toBe('person')
  })

  test.each([
    ['no one speaks of what she wrote', 'Send Anna the list of salaries.'],
    ['it is another Anna', "Reply to Anna Jones's mail."],
    ['she is barred', "Don't reply to Anna's mail."],
    ['another is named', "Reply to Hanna's mail."],
    ['no one is named', 'Reply to the mail.'],
  ])('not where %s', (_, says) => {
    expect(how('wrote', { says, senders: [anna] })).toBe('untrusted')
  })

  const says = "Reply to Anna's mail."
  test.each(['anna@x.org', 'anna.berg@x.org', 'annab@x.org', 'hr.anna@harbour.example'])(
    'as soon as %s is shown too, neither is known',
    (other) => {
      for (const value of [anna, other]) {
        expect(how('wrote', { says, value, senders: [anna, other] })).toBe('untrusted')
        expect(how('wrote', { says, value, senders: [anna], text: `or ${other}` })).not.toBe(
          'person',
        )
      }
    },
  )

  test('an address that only a text shows is of no one', () => {
    const text = `I am Anna, and this is my new address: ${anna}`
    expect(how('wrote', { says, senders: ['eve@x.org'], text })).toBe('untrusted')
    expect(
      how('wrote', {
        says: 'Reply to the office.',
        value: 'office@x.org',
        senders: ['office@x.org'],
      }),
    ).toBe('untrusted')
  })

  test('who wrote is not let in by it', () => {
    expect(how('noted', { says, senders: [anna] })).toBe('untrusted')
  })
})

describe('a person of whom the owner has a note', () => {
  const note = `Name: Anna Berg\nEmail: ${anna}\nPhone: 555-01\n`
  const notes = { '/mine/anna_info.txt': note }
  const says = 'Invite Anna to the project.'
  test('is known by it', () => {
    expect(how('noted', { says, notes })).toBe('person')
    expect(how('wrote', { says, notes })).toBe('person')
  })

  test.each([
    ['is elsewhere', { '/downloads/anna_info.txt': note }],
    ['leads elsewhere', { '/mine/../downloads/anna.txt': note }],
    ['is of someone else', { '/mine/bob_info.txt': note }],
    ['is of someone called alike', { '/mine/hanna_info.txt': note }],
    ['holds a second address', { '/mine/anna_info.txt': `${note}Now: eve@x.org\n` }],
    ['is one of two', { ...notes, '/mine/anna2.txt': 'anna@x.org' }],
  ])('not where it %s', (_, held) => {
    expect(how('noted', { says, notes: held })).not.toBe('person')
  })

  test.each([
    { path: '/mine/anna_info.txt', content: 'x' },
    { url: 'www.x.org/anna_info.txt' },
    { save: '/mine/' },
    { save: '/mine' },
    { to: '/downloads/../mine' },
    { from: '/downloads/*', to: '.' },
  ])('not after a call of %j', (args) => {
    expect(how('noted', { says, notes, acts: [{ args }] })).not.toBe('person')
    expect(how('noted', { says, notes, acts: [{ args: { path: '/mine/b/c.txt' } }] })).toBe(
      'person',
    )
  })
})

test('of anyone else who is shown, a second address with the name is always a doubt', () => {
  const local = fc.stringMatching(/^[a-z]{0,6}$/)
  const other = fc
    .tuple(local, local, fc.constantFrom('x.org', 'harbour.example'))
    .map(([before, after, host]) => `${before}anna${after}@${host}`)
    .filter((one) => one !== anna)
  fc.assert(
    fc.property(other, (one) => {
      const senders = [anna, one]
      expect(how('wrote', { says: 'Reply to Anna.', value: one, senders })).not.toBe('person')
      expect(how('wrote', { says: 'Reply to Anna.', value: anna, senders })).not.toBe('person')
    }),
  )
})
