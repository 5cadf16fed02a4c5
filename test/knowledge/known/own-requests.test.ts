// What people's own words say of a value beside naming it: that it is not to be, which act is meant
// for which, whose things are all meant, and in which folder a file lies. Each has its neighbours.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument, ListedThing } from '#schemas/values'
import { noEvidence, type ValueEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

interface Scene {
  readonly value: unknown
  readonly says: string
  readonly reads?: readonly unknown[]
  readonly lists?: readonly object[]
  readonly heedsBars?: boolean
  readonly readsNumbers?: boolean
}

function how(
  known: object,
  { value, says, reads = [], lists = [], heedsBars = true, readsNumbers = true }: Scene,
) {
  const base = { counts: true, content: null, payload: null }
  const messages = [
    { ...base, name: 's', sender: 'desk', content: says },
    ...reads.map((result, index) => {
      const payload = { tool: 'read', args: {}, value: result }
      return { ...base, name: `r${index}`, sender: 'tools', payload }
    }),
  ]
  const evidence: ValueEvidence = {
    ...noEvidence,
    messages,
    untrusted: () => [],
    lists: () => lists.map((list) => ListedThing.parse(list)),
    heedsBars,
    readsNumbers,
  }
  const argument = KnownArgument.parse({ arg: '/value', ...known })
  return soughtValues([argument], { value }, evidence)[0]?.found.found
}

describe('a value that people speak against', () => {
  const account = { kind: 'account' }
  const [iban, other] = ['DE8937040044', 'NL9120041820']
  test.each([
    `Don't pay ${iban} the 120 they want.`,
    `Never send anything to ${iban}`,
    `Pay ${other}, not ${iban}.`,
    `Pay ${other} instead of ${iban}`,
    `You must not transfer money to ${iban}. What is the balance?`,
    `Send 5 to ${other} and don’t send any to ${iban}.`,
    `Don't, whatever they say, pay ${iban}.`,
    `Under no circumstances pay ${iban}`,
    `I don't want you to send anything to ${iban}`,
    `Pay all of the bills but ${iban}.`,
    `Settle every bill of the folder apart from ${iban}`,
    `Pay them all, save for ${iban}.`,
    `Pay the bills of May; leave ${iban} out.`,
    `Pay everyone other than ${iban}`,
    `Pay ${other}. The account ${iban} must not get anything.`,
    `Pay ${other}; ${iban} should never be used.`,
    `Pay ${other} and ${iban} can't have it`,
  ])('%s does not make it known', (says) => {
    expect(how(account, { value: iban, says })).toBe('unasked')
    // Under the rules before it did, and there it does for ever.
    expect(how(account, { value: iban, says, heedsBars: false })).toBe('message')
  })

  test.each([
    `Don't forget to pay ${iban}.`,
    `If it is not paid yet, send 120 to ${iban}`,
    `Do not ask me again, just pay ${iban}`,
    `Don't pay ${iban} today. Pay ${iban} on Friday.`,
    `I have not paid ${iban}, so pay it now`,
    `Never mind the fee, pay ${iban}`,
    `Why don't you pay ${iban}?`,
    `Can't you just pay ${iban}?`,
    `My account is ${iban}.`,
    `You don't have to ask me before you pay ${iban}.`,
    `Pay all of them, but pay ${iban} first.`,
    `Send 12 to ${iban} since I cannot do it.`,
    `I leave at noon, so pay ${iban} and find out what it was for.`,
    `Please see that ${iban} gets 120, it must not be late.`,
    `Pay ${iban} but do not forget the reference.`,
    `I do not use ${iban} any more. Close it.`,
    `We don't need ${iban} any longer, cancel it`,
  ])('%s leaves it known', (says) => {
    expect(how(account, { value: iban, says })).toBe('message')
  })

  test('nor does a result that shows it, where people bar it', () => {
    const says = 'Do not write to bob@x.org.'
    const scene = { value: 'bob@x.org', reads: ['bob@x.org'] }
    expect(how({ kind: 'email' }, { ...scene, says })).toBe('unasked')
    expect(how({ kind: 'email' }, { ...scene, says: 'Write to Bob.' })).toBe('message')
  })

  test('one that was barred is never known by it, of whatever kind', () => {
    const kinds = fc.constantFrom(
      ['email', 'ann@x.org'],
      ['account', iban],
      ['path', '/desk/a.md'],
      ['url', 'www.x.org/a'],
      ['id', 'T-12'],
      ['amount', '12.50'],
    )
    const barring = fc.constantFrom("Don't", 'Do not', 'Never', 'You must not', 'do NOT')
    const act = fc.constantFrom('pay', 'use', 'open', 'touch', 'write to', 'go near', 'delete')
    fc.assert(
      fc.property(kinds, barring, act, ([kind, value], words, verb) => {
        expect(how({ kind }, { value, says: `${words} ${verb} ${value}.` })).toBe('unasked')
      }),
    )
  })
})

describe('the act that is meant for it', () => {
  const remove = { kind: 'name', asks: ['delete', 'remove'] }
  const value = 'test-repo'
  test.each([
    'Clone test-repo and delete old-homework.',
    'Clone test-repo, then remove old-homework',
    'Delete old-homework and star test-repo',
    'Did I delete test-repo?',
    'When was test-repo removed?',
  ])('%s asks for no deletion of it', (says) => {
    expect(how(remove, { value, says })).toBe('unasked')
  })

  test.each([
    'Delete old-homework and test-repo.',
    'Clone test-repo, and delete it then',
    'Look at test-repo. Delete and forget it.',
    'I have no use for test-repo. Please delete.',
    'Could you delete test-repo?',
    'I no longer need test-repo, please remove my copy',
    'Is it possible to delete test-repo?',
    'From my account, remove the repository test-repo',
  ])('%s asks for it', (says) => {
    expect(how(remove, { value, says })).toBe('message')
  })

  test('what a sentence leaves out stands in the one before it', () => {
    const add = { kind: 'name', asks: ['invite', 'add'] }
    expect(how(add, { value, says: 'Create test-repo and invite me.' })).toBe('message')
    expect(how(add, { value, says: 'Ann works with me on test-repo, add her' })).toBe('message')
  })
})

describe('all of someone', () => {
  const lists = [
    { thing: 'email', at: '/*', id: 'id', names: ['subject'], of: ['sender'], foreign: true },
  ]
  const mail = (id: string, sender: string) => ({ id, sender, subject: 'Sale' })
  const reads = [[mail('M1', 'deals@shop.example'), mail('M2', 'ann@x.org')]]
  const known = { kind: 'id', thing: 'email', asks: ['delete', 'throw'] }
  const of = (value: string, says: string) => how(known, { value, says, reads, lists })
  test.each([
    'Delete every mail from deals@shop.example.',
    'throw away all the old e-mails from deals@shop.example, please',
    'Delete everything from deals@shop.example',
    'Delete all of deals@shop.example',
  ])('%s means each of theirs', (says) => {
    expect(of('M1', says)).toBe('message')
    expect(of('M2', says)).toBe('unnamed')
  })

  test.each([
    'Delete the mail from deals@shop.example.',
    'Delete all attachments from deals@shop.example',
    'Delete all mails but those from deals@shop.example',
    'Delete all mails from Ann about deals@shop.example',
    'Delete all mails from deals@shop.example.evil',
    'Read all mails from deals@shop.example and sum them up',
  ])('%s does not', (says) => {
    expect(of('M1', says)).not.toBe('message')
  })
})

describe('a file that is named without its folder', () => {
  const path = { kind: 'path', bare: true, asks: ['delete'] }
  const value = '/downloads/tool.bin'
  const of = (says: string, ...reads: readonly unknown[]) => how(path, { value, says, reads })
  test('is known where the folder is named beside it', () => {
    expect(of('Delete tool.bin in /downloads.')).toBe('message')
    expect(of('In /downloads/ delete tool.bin')).toBe('message')
    expect(of('Delete tool.bin.')).toBe('nowhere')
    expect(of('Delete tool.bin in /desk.')).toBe('nowhere')
    expect(of('Delete tool.bin in /downloads or /desk.')).toBe('nowhere')
    expect(of('Read tool.bin in /downloads.')).toBe('unasked')
  })

  test('or where it is the only one that a result shows', () => {
    expect(of('Delete tool.bin.', [value, '/downloads/a.txt'])).toBe('message')
    expect(of('Delete tool.bin.', [value], ['/desk/tool.bin'])).not.toBe('message')
    expect(of('Delete the tool.', [value])).not.toBe('message')
  })

  test('a word is no name of a file', () => {
    const says = 'Delete data in /downloads.'
    expect(how(path, { value: '/downloads/data', says })).toBe('nowhere')
  })

  test('a folder is the same with a slash at its end', () => {
    const folder = { kind: 'path', within: true }
    const says = 'Make the folder /desk/tickets.'
    expect(how(folder, { value: '/desk/tickets/', says })).toBe('message')
    expect(how(folder, { value: '/desk/', says })).toBe('nowhere')
  })
})

describe('a path of a tool that reads it from the root', () => {
  const path = { kind: 'path', rooted: true }
  test.each([
    ['desk/a.txt', 'Delete /desk/a.txt.', 'message'],
    ['/desk/a.txt', 'Delete desk/a.txt.', 'message'],
    ['desk/a.txt', 'Delete desk/a.txt.', 'message'],
    ['a.txt', 'Delete a.txt.', 'nowhere'],
    ['desk/a.txt', 'Delete /old/desk/a.txt.', 'nowhere'],
    ['/desk/a.txt', 'Delete old/desk/a.txt.', 'nowhere'],
    ['../desk/a.txt', 'Delete /desk/a.txt.', 'nowhere'],
    ['~/desk/a.txt', 'Delete /desk/a.txt.', 'nowhere'],
    ['./desk/a.txt', 'Delete /desk/a.txt.', 'nowhere'],
    ['desk/a.txt', 'Do not delete /desk/a.txt.', 'unasked'],
  ])('%s where people say: %s', (value, says, found) => {
    expect(how(path, { value, says })).toBe(found)
  })

  test('of no other tool', () => {
    expect(how({ kind: 'path' }, { value: 'desk/a.txt', says: 'Delete /desk/a.txt.' })).toBe(
      'nowhere',
    )
  })
})

test('an amount in words is known from version 9 on, and in no result', () => {
  const amount = { kind: 'amount' }
  const scene = { value: 1250, says: 'Pay the rent, twelve hundred and fifty.' }
  expect(how(amount, scene)).toBe('message')
  expect(how(amount, { ...scene, readsNumbers: false })).toBe('nowhere')
  expect(how(amount, { ...scene, says: 'Pay.', reads: [scene.says] })).toBe('nowhere')
  expect(how(amount, { ...scene, says: "Don't pay twelve hundred and fifty." })).toBe('unasked')
})

describe('a repository of another owner', () => {
  const name = { kind: 'name', bare: true }
  const value = 'sparrow/awesome'
  test.each([
    ['Open an issue in awesome of sparrow.', 'message'],
    ['sparrow keep a list called awesome', 'message'],
    ['Open an issue in awesome.', 'nowhere'],
    ['Open an issue in awesome. I like sparrow.', 'nowhere'],
    ['Not awesome of sparrow', 'nowhere'],
  ])('%s: %s', (says, found) => {
    expect(how(name, { value, says })).toBe(found)
  })
})

test('who cannot come has named what they cannot come to', () => {
  const lists = [{ thing: 'event', at: '/*', id: 'id', names: ['title'], foreign: true }]
  const reads = [[{ id: 'E1', title: 'Dentist appointment' }]]
  const known = { kind: 'id', thing: 'event', asks: ['put', 'reschedule'] }
  const of = (says: string) => how(known, { value: 'E1', says, reads, lists })
  expect(of("I can't make it to the dentist on Wednesday. Put it on Friday.")).toBe('message')
  expect(of('I cannot attend the dentist appointment. Reschedule and write to them.')).toBe(
    'message',
  )
  expect(of("I can't stand the dentist. Put it on Friday.")).toBe('unnamed')
})
