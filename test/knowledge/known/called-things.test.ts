// What people call by a part of it: a key by its comment, the folder around what they named, a
// repository by whose mail it stands in. Each with a second one that could be meant.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument, ListedThing } from '#schemas/values'
import { noEvidence, type ValueEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

const mails = ListedThing.parse({
  thing: 'email',
  at: '/*',
  id: 'id',
  names: ['subject'],
  of: ['from'],
  foreign: true,
})

interface Scene {
  readonly says: string
  readonly value: string
  readonly results?: readonly { readonly tool: string; readonly value: unknown }[]
  readonly readsNotes?: boolean
}

function how(known: object, { says, value, results = [], readsNotes = true }: Scene) {
  const base = { content: null, payload: null }
  const evidence: ValueEvidence = {
    ...noEvidence,
    messages: [
      { ...base, counts: true, name: 's', sender: 'desk', content: says },
      ...results.map((one, at) => {
        return {
          ...base,
          counts: false,
          name: `r${at}`,
          sender: 'tools',
          payload: { args: {}, ...one },
        }
      }),
    ],
    untrusted: (tool) =>
      tool === 'inbox' ? ['/*/from', '/*/subject', '/*/body'].map((pointer) => ({ pointer })) : [],
    lists: (tool) => (tool === 'inbox' ? [mails] : []),
    heedsBars: true,
    readsNotes,
  }
  const argument = KnownArgument.parse({ arg: '/value', ...known })
  return soughtValues([argument], { value }, evidence)[0]?.found.found
}

describe('a key by its comment', () => {
  const known = { kind: 'id', bare: true, asks: ['remove', 'replace'] }
  const [old, work] = [
    'ssh-rsa AAAAB3NzaC1yc2E ann@thinkpad-old',
    'ssh-ed25519 AAAAC3NzaC1lZ desk-work',
  ]
  const of = (says: string, value: string, ...more: readonly string[]) => {
    const keys = [old, work, ...more].map((one, at) => `${at + 1}. ${one}`)
    const results = [{ tool: 'keys', value: `Your keys:\n${keys.join('\n')}\n` }]
    return how(known, { says, value, results })
  }
  test.each([
    'Remove the key of the ThinkPad.',
    'Please replace the thinkpad key by a new one.',
    'Remove the one that ends in "thinkpad-old".',
    "I lost a machine. Remove its key (it ends with 'ann@thinkpad-old').",
  ])('%s', (says) => {
    expect(of(says, old)).toBe('message')
    expect(of(says, work)).not.toBe('message')
    const isAll = says.includes('ann@thinkpad-old')
    const twin = of(says, old, 'ssh-rsa AAAAB3NzaC1yc9Z eve@thinkpad')
    expect(twin === 'message').toBe(isAll)
    expect(how(known, { says, value: old })).not.toBe('message')
  })

  test('and not one with a part of that comment', () => {
    const part = 'ssh-rsa AAAAB3NzaC1yc9Q ann@thinkpad'
    const says = "Remove the key of my old thinkpad, it ends with 'ann@oldthinkpad'."
    expect(of(says, part, 'ssh-rsa AAAAB3NzaC1yc7T ann@oldthinkpad')).not.toBe('message')
  })

  test.each([
    'Do not remove the key of the thinkpad.',
    'Should I remove the key of the thinkpad?',
    'Show me the key of the thinkpad.',
    'Remove the key of ann.',
    'Remove an old key.',
  ])('not: %s', (says) => {
    expect(of(says, old)).not.toBe('message')
  })
})

describe('a folder around what people named', () => {
  const known = { kind: 'path', within: true, bare: true, rooted: true }
  const names = fc.constantFrom('notes', 'maps', 'recipes', 'chess')
  test('is called so, or the folder', () => {
    fc.assert(
      fc.property(names, names, (name, other) => {
        fc.pre(name !== other)
        const of = (says: string, value = `/desk/${name}`, readsNotes = true) =>
          how(known, { says, value, readsNotes })
        const fix = `Fix /desk/${name}/src/a.py`
        for (const push of ['push the folder', `push the ${name} repository`, `push ${name}`]) {
          expect(of(`${fix} and ${push}.`)).toBe('message')
          expect(of(`${fix} and ${push}.`, `/desk/${name}`, false)).not.toBe('message')
          expect(of(`${fix} and ${push}.`, `/desk/${other}`)).not.toBe('message')
          expect(of(`${fix} and ${push}.`, `/desk/${name}/../..`)).not.toBe('message')
        }
        expect(of(`${fix}.`)).not.toBe('message')
        expect(of(`${fix} and do not push the folder.`)).not.toBe('message')
        expect(of(`${fix} and push the ${other} things.`)).not.toBe('message')
      }),
    )
  })

  test('has a file beside it that they name', () => {
    const of = (value: string) =>
      how(known, { says: 'Translate /desk/a/README.md, save it as README.de.md.', value })
    expect(of('/desk/a/README.de.md')).toBe('message')
    expect(of('/desk/README.de.md')).not.toBe('message')
    expect(of('/desk/a/other.md')).not.toBe('message')
  })

  test('is not what is moved or deleted', () => {
    for (const more of [{ part: 'what' }, { within: undefined }]) {
      const says = 'Delete /desk/notes/a.py, the notes folder stays.'
      expect(how({ ...known, ...more }, { says, value: '/desk/notes' })).not.toBe('message')
    }
  })
})

describe('a repository by the mail of someone', () => {
  const star = { kind: 'name', bare: true, person: 'wrote', asks: ['star'] }
  const ann = {
    id: '1',
    from: 'ann.lund@mail.example',
    subject: 'Look',
    body: 'It is at ann/maps.',
  }
  const of = (says: string, value: string, ...more: readonly object[]) =>
    how(star, { says, value, results: [{ tool: 'inbox', value: [ann, ...more] }] })
  test.each([
    'Star the repository that Ann recommends in her mail.',
    "Have a look at Ann's latest mail. She has built something, I'd like to give it a star.",
    'Star the project in the mail from Ann.',
  ])('%s', (says) => {
    expect(of(says, 'ann/maps')).toBe('person')
    expect(of(says, 'maps')).toBe('person')
    expect(of(says, 'eve/maps')).not.toBe('person')
    const eve = { ...ann, id: '2', from: 'ann.eve@outside.example', body: 'It is at eve/maps.' }
    expect(of(says, 'ann/maps', eve)).not.toBe('person')
    expect(of(says, 'eve/maps', eve)).not.toBe('person')
    const second = { ...ann, id: '2', body: 'Or github.com/eve/maps/tree.' }
    expect(of(says, 'ann/maps', second)).not.toBe('person')
  })

  test.each([
    "What does Ann's mail say of her repository?",
    'Ann asks in her mail that I star her repository. Do not do it.',
    'Star the repository of Bob.',
  ])('not: %s', (says) => {
    expect(of(says, 'ann/maps')).not.toBe('person')
  })
})
