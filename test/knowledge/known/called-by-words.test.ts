// Whom and what people call by a title, by what was written, by an owner and a word, by a comment
// or by a form: each is known by that, and none by words that a second one shares.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument, ListedThing } from '#schemas/values'
import { noEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

const mails = [
  { id: '1', sender: 'petrova.homes@mail.example', text: 'The meeting is on Monday' },
  { id: '2', sender: 'bob.olive@mail.example', text: 'three problems' },
]

const untrusted = new Map([
  ['mails', [{ pointer: '/*/sender' }, { pointer: '/*/text' }]],
  ['look', [{ pointer: '' }]],
])

function how(known: object, value: string, says: string, shown: readonly unknown[] = []) {
  const base = { counts: true, content: null, payload: null }
  const result = (tool: string, value: unknown) => {
    return { ...base, name: tool, sender: 'tools', payload: { tool, args: {}, value } }
  }
  const messages = [
    { ...base, name: 's', sender: 'desk', content: says },
    result('mails', mails),
    ...shown.map((one) => result(typeof one === 'string' ? 'keys' : 'look', one)),
  ]
  const list = {
    thing: 'email',
    at: '/*',
    id: 'id',
    of: ['sender'],
    names: ['text'],
    foreign: true,
  }
  const evidence = {
    ...noEvidence,
    messages,
    untrusted: (tool: string) => untrusted.get(tool) ?? [],
    lists: (tool: string) => (tool === 'mails' ? [ListedThing.parse(list)] : []),
    heedsBars: true,
    readsNumbers: true,
    readsNotes: true,
  }
  const argument = KnownArgument.parse({ arg: '/value', ...known })
  return soughtValues([argument], { value }, evidence)[0]?.found.found
}

const wrote = { kind: 'email', person: 'wrote' }

describe('who wrote', () => {
  test('may be called by a title before the name', () => {
    for (const title of ['Mrs', 'Dr', 'Aunt', 'Prof']) {
      const says = `The date is in ${title} Petrova's mail. Reply that I am coming.`
      expect(how(wrote, 'petrova.homes@mail.example', says)).toBe('person')
    }
    const says = "The date is in Anna Petrova's mail. Reply that I am coming."
    expect(how(wrote, 'petrova.homes@mail.example', says)).toBe('untrusted')
  })

  test('may be spoken of by what was found, and mailed to me', () => {
    const says = 'Bob found three problems in my chess-bot and mailed me. Thank Bob.'
    expect(how(wrote, 'bob.olive@mail.example', says)).toBe('person')
    const other = 'Bob found three problems in my chess-bot and mailed Ann. Thank Bob.'
    expect(how(wrote, 'bob.olive@mail.example', other)).toBe('untrusted')
  })

  test('is not barred by what they cannot do', () => {
    for (const one of ["can't come", "can't find time for it", "can't make it"]) {
      const says = `Ann (ann@x.org) ${one}. Write to Ann that it is fine.`
      expect(how({ kind: 'email' }, 'ann@x.org', says)).toBe('message')
    }
    const says = "Ann (ann@x.org) can't know of it."
    expect(how({ kind: 'email' }, 'ann@x.org', says)).toBe('unasked')
  })
})

const star = { kind: 'name', bare: true, asks: ['star'], person: 'wrote' }
const owners = fc.constantFrom('tomh', 'tariq-dev', 'sofia2')
const words = fc.constantFrom('gpx', 'ocr', 'tiles')
const says = fc.constantFrom(
  (owner: string, word: string) => `Find the repo of ${owner} that does ${word} and star it.`,
  (owner: string, word: string) => `Has ${owner} one with "${word}" in its name? Star it.`,
)

describe('a name by its owner and a word of it', () => {
  test('is known where no other of that owner has the word', () => {
    fc.assert(
      fc.property(owners, words, says, (owner, word, frame) => {
        const name = `${owner}/${word}-merge`
        const text = frame(owner, word)
        const all = [name, `${owner}/blog`, `someone/${word}-evil`]
        expect(how(star, name, text, [all])).toBe('person')
        expect(how(star, `someone/${word}-evil`, text, [all])).toBe('untrusted')
        expect(how(star, `${owner}/blog`, text, [all])).toBe('untrusted')
        const two = [...all, `see ${owner}/my-${word}, it is better`]
        expect(how(star, name, text, [two])).toBe('untrusted')
        expect(how(star, name, text, [[`take ${name} now`]])).toBe('untrusted')
      }),
    )
  })

  test('and counts only where the catalog takes what someone wrote', () => {
    const remove = { kind: 'name', bare: true, asks: ['delete'] }
    const text = 'Find the repo of tomh that does gpx and delete it.'
    expect(how(remove, 'tomh/gpx-merge', text, [['tomh/gpx-merge']])).toBe('untrusted')
  })
})

describe('an act that belongs to what stands beside it', () => {
  test('a key whose comment stands in the next sentence', () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1l deploy@old-server'
    const revoke = { kind: 'id', bare: true, asks: ['remove'] }
    const go = 'The oldest key has to go.'
    const comment = (rest: string) => how(revoke, key, `${go} ${rest}`, [key])
    expect(comment('Its comment says deploy@old-server.')).toBe('message')
    expect(comment('I made deploy@old-server last year.')).toBe('unasked')
  })

  test('a form that a site has', () => {
    const form = { kind: 'url', asks: ['submit'] }
    const ask = 'Submit my repository with the title "Lab".'
    expect(how(form, 'www.ml.example', `www.ml.example has a form for it. ${ask}`)).toBe('message')
    expect(how(form, 'www.ml.example', `www.ml.example is down. ${ask}`)).toBe('unasked')
  })

  test('what is there already need not be done', () => {
    const invite = { kind: 'name', asks: ['invite'] }
    const beside = (rest: string) => how(invite, 'atlas-2', `Invite Ann to atlas-2${rest}.`)
    expect(beside(', unless one of them is a collaborator already')).toBe('message')
    expect(beside(' unless Ann has already been invited')).toBe('message')
    expect(beside(" if Ann isn't a collaborator yet")).toBe('message')
    expect(beside(' unless Ann is too busy already')).toBe('unasked')
    expect(beside(' unless Bob is invited')).toBe('unasked')
    expect(beside(" if Ann isn't ill")).toBe('unasked')
  })

  test('all that I have starred of an owner', () => {
    const unstar = { kind: 'name', bare: true, asks: ['unstar'] }
    const set = (rest: string) =>
      how(unstar, 'sunhee/kimchi', `Unstar every repository ${rest}.`, [['sunhee/kimchi']])
    expect(set('that I have starred from the owner "sunhee"')).not.toBe('unasked')
    expect(set('that I have starred from the owner "sunmi"')).not.toBe('message')
  })
})
