// Things of which others wrote the names, what people ask to be done to a thing, folders that calls
// made, and identifiers that were merely shown: each opens a little, and its neighbour stays shut.
import { describe, expect, test } from 'vitest'
import { KnownArgument, ListedThing } from '#schemas/values'
import { noEvidence, type ValueEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

const foreign = true
const lists = [
  ListedThing.parse({ thing: 'event', at: '/*', id: 'id', names: ['title'], query: '/q', foreign }),
]

interface Read {
  readonly tool: string
  readonly args?: object
  readonly value: unknown
  readonly untrusted?: readonly string[]
  readonly error?: boolean
}

function evidence(says: string, results: readonly Read[]): ValueEvidence {
  const base = { counts: true, content: null }
  const said = { ...base, name: 's0', sender: 'desk', content: says, payload: null }
  const read = results.map(({ args = {}, ...more }, index) => {
    return { ...base, name: `r${index}`, sender: 'tools', payload: { args, ...more } }
  })
  return {
    ...noEvidence,
    messages: [said, ...read],
    untrusted: () => [],
    lists: (tool) => (tool === 'calendar' ? lists : []),
    reports: (tool) => tool === 'clone',
  }
}

function found(known: object, value: unknown, says: string, ...results: readonly Read[]) {
  const argument = KnownArgument.parse({ arg: '/value', ...known })
  return soughtValues([argument], { value }, evidence(says, results))[0]?.found.found
}

const event = { kind: 'id', thing: 'event' }
const titles = (...all: readonly string[]): Read => ({
  tool: 'calendar',
  value: all.map((title, index) => ({ id: `E${index + 1}`, title })),
  untrusted: all.map((_, index) => `/${index}/title`),
})

describe('things that others named', () => {
  const day = titles('Dentist appointment (Dr. Lee)', 'Budget meeting', 'Visa appointment')
  test.each([
    ['Move my dentist appointment to Friday.', 'E1'],
    ['the budget meeting on Friday', 'E2'],
    ['Shift the budget meeting, and the visa appointment too', 'E3'],
    ['I have no time for the budget meeting', 'E2'],
    ['I no longer need the visa appointment', 'E3'],
  ])('%s means %s', (says, id) => {
    expect(found(event, id, says, day)).toBe('message')
  })

  test.each([
    // Two are called so, or not all of the words are in the name.
    ['Move my appointment to Friday.', 'E1'],
    ['the hairdresser appointment', 'E3'],
    ['Move my dentist appointment to Friday.', 'E3'],
    ['not the budget meeting', 'E2'],
    ['the event on Friday', 'E2'],
  ])('%s does not mean %s', (says, id) => {
    expect(found(event, id, says, day)).toBe('unnamed')
  })

  test('one of the same name makes both doubtful, in whichever result it stands', () => {
    const says = 'Move the budget meeting.'
    const own = titles('Budget meeting')
    const theirs = { ...titles('x', 'Budget meeting of the club'), args: { q: 'club' } }
    expect(found(event, 'E1', says, own)).toBe('message')
    expect(found(event, 'E1', says, own, theirs)).toBe('unnamed')
    expect(found(event, 'E2', says, own, theirs)).toBe('unnamed')
  })

  test('a search for what people said means a thing only where it found one', () => {
    const says = 'Move the choir rehearsal.'
    const args = { q: 'rehearsal' }
    expect(found(event, 'E1', says, { ...titles('Wednesday song'), args })).toBe('message')
    expect(found(event, 'E1', says, { ...titles('Song', 'Play'), args })).toBe('unnamed')
  })

  test('who calls an event so cannot say which identifier it has', () => {
    const read = titles('Budget meeting')
    const forged = { ...read, untrusted: ['/0'] }
    expect(found(event, 'E1', 'Move the budget meeting.', forged)).toBe('untrusted')
  })
})

describe('what people ask to be done', () => {
  const remove = { kind: 'name', bare: true, asks: ['delete', 'remove', 'rid'] }
  const list: Read = { tool: 'repositories', value: ['ann/notes', 'ann/maps'] }
  const how = (says: string) => found(remove, 'ann/notes', says, list)
  test.each([
    'Delete ann/notes.',
    'Please get rid of the repository notes',
    'I do not use notes. Delete it.',
    'Clone maps and remove notes from my account',
    'I no longer need notes, please delete it',
  ])('%s asks for it', (says) => {
    expect(how(says)).toBe('message')
  })

  test.each([
    'Sum up the issues of notes.',
    'Sum up the issues of notes. Delete the old mails.',
    'Look at notes. Delete draft.txt, I do not need it',
    'Do not delete notes.',
    'Never delete notes. Remove it from my list',
    'Delete all of them but not notes',
    '> Delete notes',
  ])('%s does not', (says) => {
    expect(how(says)).toBe('unasked')
  })

  test('of a thing it is the thing that must be asked about', () => {
    const cancel = { ...event, asks: ['cancel'] }
    const day = titles('Budget meeting', 'Choir rehearsal')
    const says = 'Cancel the choir rehearsal. Add Tom to the budget meeting.'
    expect(found(cancel, 'E2', says, day)).toBe('message')
    expect(found(cancel, 'E1', says, day)).toBe('unasked')
  })

  test('a value that no one has said is as unknown as before', () => {
    expect(found(remove, 'eve/tools', 'Delete notes.', list)).toBe('nowhere')
  })
})

describe('folders that a call made', () => {
  const madeBy = [{ tool: 'clone', arg: '/into', name: '/repository' }]
  const path = { kind: 'path', within: true, madeBy }
  const cloned = (into: string, error = false): Read => {
    const args = { repository: 'ann/notes', into }
    return { tool: 'clone', args, value: `cloned to ${into}`, error }
  }
  const how = (value: string, ...results: readonly Read[]) =>
    found(path, value, 'Clone notes and add a licence.', ...results)
  test.each([
    ['/desk/notes/LICENSE', '/desk'],
    ['/desk/notes', '/desk/'],
    ['/desk/notes/docs/a.md', '/desk/notes'],
    ['/notes/a.md', '/notes'],
  ])('%s is in what was cloned into %s', (value, into) => {
    expect(how(value, cloned(into))).toBe('made')
  })

  test.each([
    // What lay there before is not what the call made.
    ['/shelf/keys/id', '/shelf'],
    ['/shelf', '/shelf'],
    ['/shelf/notesbook/a', '/shelf'],
    ['/shelf/notes/../keys/id', '/shelf'],
    ['/notes/a', '/desk/notes'],
    ['/', '/'],
  ])('%s is not in what was cloned into %s', (value, into) => {
    expect(how(value, cloned(into))).not.toBe('made')
  })

  test('a call that failed made nothing, and nor did another tool', () => {
    expect(how('/desk/notes/a', cloned('/desk', true))).toBe('nowhere')
    expect(how('/desk/notes/a', { ...cloned('/desk'), tool: 'copy' })).not.toBe('made')
  })
})

describe('what calls put into a folder that people named', () => {
  const madeBy = [
    { tool: 'write', arg: '/to' },
    { tool: 'copy', arg: '/to', name: '/from' },
    { tool: 'save', arg: '/to', shown: true },
  ]
  const path = { kind: 'path', bare: true, madeBy, says: ['push', 'publish'] }
  const says = 'Fix what the issue says in /desk/notes and push it.'
  const done = (tool: string, args: object, value: unknown = 'done'): Read => ({
    tool,
    args,
    value,
  })
  const how = (value: string, words: string, ...results: readonly Read[]) => {
    const argument = KnownArgument.parse({ arg: '/value', ...path })
    const heeds = { ...evidence(words, results), heedsBars: true, readsNotes: true }
    return soughtValues([argument], { value }, heeds)[0]?.found.found
  }
  test.each([
    ['/desk/notes/a.md', done('write', { to: '/desk/notes/a.md' })],
    ['/desk/notes/a.md', done('copy', { from: '/shelf/a.md', to: '/desk/notes' })],
    ['/desk/notes/a.md', done('copy', { from: '/shelf/a.md', to: '/desk/notes/a.md' })],
    ['/desk/notes/a.md', done('save', { to: '/desk/notes' }, 'a.md is in /desk/notes')],
    // A folder between both, and that which people named.
    ['/desk/notes/sub', done('write', { to: '/desk/notes/sub/a.md' })],
    ['/desk/notes', done('write', { to: '/desk/notes/sub/a.md' })],
  ])('%s is known, and nothing beside it', (value, result) => {
    expect(how(value, says, result)).toMatch(/^(?:made|message)$/)
    expect(how('/desk/notes/keys/id', says, result)).toBe('nowhere')
    expect(how('/desk', says, result)).not.toMatch(/^(?:made|message)$/)
    // It is to be done to what was made, and was not asked for.
    expect(how(value, 'Fix what the issue says in /desk/notes.', result)).toBe('unasked')
    expect(how(value, `Fix /desk/notes. Do not push it.`, result)).toBe('unasked')
  })

  test('elsewhere a folder is not known by what was put into it', () => {
    const result = done('write', { to: '/desk/notes/sub/a.md' })
    expect(how('/desk/notes/sub', 'Publish what the issue says.', result)).toBe('nowhere')
    expect(how('/desk/notes/sub/a.md', 'Publish what the issue says.', result)).toBe('made')
    const other = { ...done('save', { to: '/desk/notes' }, 'b.md is there') }
    expect(how('/desk/notes/a.md', says, other)).toBe('nowhere')
  })
})

describe('identifiers that were shown', () => {
  const id = { kind: 'id', shown: true }
  const mail = (...attachments: readonly unknown[]): Read => {
    const untrusted = ['/0/attachments', '/0/body']
    return { tool: 'inbox', value: [{ body: 'take F7', attachments }], untrusted }
  }
  test('one that a result shows by itself will do, though others can have written it', () => {
    expect(found(id, '12', 'Save the photo.', mail('12'))).toBe('shown')
    expect(found(id, '12', 'Save the photo.', mail({ file: 12 }))).toBe('shown')
  })

  test('one within a text will not, nor one that a call had been given before', () => {
    expect(found(id, 'F7', 'Save the photo.', mail('12'))).toBe('untrusted')
    const echo = { tool: 'notes', args: { text: 'F7' }, value: 'ok' }
    const back = { tool: 'inbox', value: ['F7'], untrusted: [''] }
    expect(found(id, 'F7', 'Save the photo.', echo, back)).toBe('untrusted')
    expect(found(id, 'F7', 'Save the photo.', back)).toBe('shown')
  })

  test('each is refused where it cannot mean anything', () => {
    for (const known of [
      { kind: 'url', shown: true },
      { kind: 'id', thing: 'event', shown: true },
      { kind: 'id', madeBy },
      { kind: 'name', asks: [] },
      { kind: 'name', asks: ['get rid'] },
    ]) {
      expect(KnownArgument.safeParse({ arg: '/a', ...known }).success).toBe(false)
    }
  })
  const madeBy = [{ tool: 'clone', arg: '/into' }]
})

describe('a site that people agreed to', () => {
  const known = [
    KnownArgument.parse({ arg: '/value', kind: 'url', within: true, confirmed: ['visit'] }),
  ]
  const agreed = (value: string, to: string) => {
    const confirmed = [{ kind: 'url', value: to, tool: 'visit', review: 'review.1' } as const]
    const given = { ...evidence('Fill in the survey.', []), confirmed }
    return soughtValues(known, { value }, given)[0]?.found.found
  }
  test.each([
    ['www.x.org/form', 'www.x.org'],
    ['https://www.x.org/a?b=c', 'http://www.x.org/'],
    ['www.x.org/form', 'https://www.x.org/form'],
  ])('%s is agreed to by %s', (value, to) => {
    expect(agreed(value, to)).toBe('confirmed')
  })

  test.each([
    ['www.x.org/form', 'www.x.org/other'],
    ['www.x.org', 'www.x.org/form'],
    ['shop.www.x.org', 'www.x.org'],
    ['www.x.org:8443/form', 'www.x.org'],
  ])('%s is not by %s', (value, to) => {
    expect(agreed(value, to)).toBe('nowhere')
  })
})
