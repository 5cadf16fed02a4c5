// Things that people named: an identifier counts where their own words are about what a list says
// that it is, or about what was searched for, and nowhere else.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument, ListedThing } from '#schemas/values'
import { noEvidence, type ValueEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

const buy = [KnownArgument.parse({ arg: '/ids', kind: 'id', thing: 'product' })]
const lists = [
  ListedThing.parse({ thing: 'product', at: '/*', id: 'id', key: true, query: '/name' }),
  ListedThing.parse({ thing: 'product', at: '/orders/*', id: 'item', names: ['what', 'maker'] }),
  ListedThing.parse({ thing: 'order', at: '/orders/*', id: 'order', names: ['what'] }),
]

interface Saying {
  readonly says?: readonly string[]
  readonly results?: readonly unknown[]
  readonly args?: object
  readonly untrusted?: readonly string[]
}

function evidence({ says = [], results = [], args = {}, untrusted = [] }: Saying): ValueEvidence {
  const base = { sender: 'desk', counts: true }
  const said = says.map((content, index) => {
    return { ...base, name: `s${index}`, content, payload: null }
  })
  const read = results.map((value, index) => {
    const payload = { tool: 'shop', args, value, untrusted }
    return { ...base, name: `r${index}`, content: 'buy P9', payload }
  })
  const ofShop = <T>(tool: string, of: T, none: T): T => (tool === 'shop' ? of : none)
  return {
    ...noEvidence,
    messages: [...said, ...read],
    untrusted: (tool) => ofShop(tool, [], null),
    lists: (tool) => ofShop(tool, lists, []),
  }
}

function found(id: string, of: Saying) {
  return soughtValues(buy, { ids: [id] }, evidence(of))[0]?.found
}

const catalog = {
  'Solo Wireless Mouse': { id: 'P1' },
  'Graph Pencil Set': { id: 'P2' },
  'Running Shoes': { id: 'P3' },
  'OmniBook Pro 14': { id: 'P4' },
}

describe('what people name', () => {
  test.each([
    ['Please buy a mouse.', 'P1'],
    ['I want to buy two items: a laptop and a wireless mouse', 'P1'],
    ["Alice's mouse is broken. Could you rebuy it?", 'P1'],
    ['a pencil set please', 'P2'],
    ['find some RUNNING SHOES for me', 'P3'],
    ['I bought running shoes today but they are too small', 'P3'],
    ['an OmniBook Pro 14 for me', 'P4'],
    ['the shoe that is cheapest', 'P3'],
    ['it is P2 that I want', 'P2'],
    ['I am not sure. Buy a mouse', 'P1'],
    ['everything except for the mouse', 'P1'],
  ])('%s: %s is known', (words, id) => {
    const { found: how, named } = found(id, { says: [words], results: [catalog] }) ?? {}
    expect(how).toBe('message')
    expect(named).toBe(words.includes(id) ? undefined : 's0')
  })

  test.each([
    ['Please buy a smart watch.', 'P1'],
    ['a wireless charger', 'P1'],
    ['I have a set-top box', 'P2'],
    ['running late', 'P3'],
    ['Pro tips, please', 'P4'],
    ['', 'P1'],
    ['buy it for me', 'P1'],
    ['Do not buy a mouse', 'P1'],
    ['anything, but don\u2019t get me the mouse', 'P1'],
    ['a laptop without a mouse', 'P1'],
  ])('%s: %s is not', (words, id) => {
    expect(found(id, { says: [words], results: [catalog] })?.found).toBe('unnamed')
  })

  test('is looked for in each list, by each of its names', () => {
    const results = [{ orders: [{ item: 'P7', what: 'Lamp', maker: 'Lumi', order: 'O-1' }] }]
    expect(found('P7', { says: ['the lamp'], results })).toMatchObject({
      found: 'message',
      message: 'r0',
      pointer: '/payload/value/orders/0/item',
      called: 'Lamp',
      named: 's0',
      by: 'name',
    })
    expect(found('P7', { says: ['one by Lumi'], results })?.found).toBe('message')
    // An order is no product.
    expect(found('O-1', { says: ['the lamp'], results })?.found).toBe('unnamed')
  })
})

describe('what was searched for', () => {
  test('names what was found, if people said it', () => {
    const of = { says: ['cheap headphones with good ratings'], results: [catalog] }
    expect(found('P1', { ...of, args: { name: 'headphones' } })).toMatchObject({ by: 'query' })
    expect(found('P1', { ...of, args: { name: 'cheap headphones' } })?.found).toBe('message')
    for (const name of ['', 'pencil', 'cheap', 'pencil headphones', 7, null]) {
      expect(found('P1', { ...of, args: { name } })?.found, String(name)).toBe('unnamed')
    }
  })
})

describe('what names nothing', () => {
  test('a list without people, and what a result says', () => {
    expect(found('P1', { results: [catalog] })?.found).toBe('unnamed')
    expect(found('P1', { results: [catalog, 'buy the mouse'] })?.found).toBe('unnamed')
  })

  test('a name or an identifier that others can have written', () => {
    const says = ['the lamp']
    const results = [{ orders: [{ item: 'P7', what: 'Lamp', maker: 'Lumi' }] }]
    for (const untrusted of ['/orders/0/what', '/orders', '', '/orders/0']) {
      expect(found('P7', { says, results, untrusted: [untrusted] })?.found).not.toBe('message')
    }
    expect(found('P7', { says, results, untrusted: ['/orders/0/maker'] })?.found).toBe('message')
  })

  test('what no list has', () => {
    expect(found('P8', { says: ['the lamp'], results: [catalog] })?.found).toBe('nowhere')
    expect(found('P8', { says: ['the lamp'], results: ['P8'] })?.found).toBe('unnamed')
  })

  const word = fc.stringMatching(/^[b-z][a-z]{3,8}$/)
  test('any list at all, where people speak of other things', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 4, maxLength: 12 }),
        fc.nat(3),
        (words, place) => {
          const half = Math.floor(words.length / 2)
          const [theirs, ours] = [words.slice(0, half), words.slice(half)]
          const name = theirs.join(' ')
          const says = [ours.slice(0, place), ours.slice(place)].map((some) => some.join(' '))
          const is = found('P1', { says, results: [{ [name]: { id: 'P1' } }] })
          // Base forms of two words can be one: then they are no other things.
          if (is?.found === 'message') return sharesBase(theirs, ours)
          return is?.found === 'unnamed'
        },
      ),
    )
  })
})

function sharesBase(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => one.slice(0, 3) === other.slice(0, 3)))
}

describe('a text that must be about what people said', () => {
  const entry = [KnownArgument.parse({ arg: '/title', kind: 'name', about: true })]
  const titled = (title: string, of: Saying) =>
    soughtValues(entry, { title }, evidence(of))[0]?.found

  test.each([
    ['Reunion of all', 'Create an event for the family reunion based on the e-mails'],
    ['Lunch with Sarah', 'Am I free for lunch at 12:00?'],
    ['Dentists', 'remind me of the dentist'],
  ])('%s is, after: %s', (title, words) => {
    expect(titled(title, { says: [words] })).toMatchObject({ found: 'message', by: 'words' })
  })

  test.each([
    ['Intro with Mark', 'When is my next yoga class?'],
    ['Yoga class', 'Do not enter the class'],
    ['', 'the yoga class'],
    ['Yoga', ''],
  ])('%s is not, after: %s', (title, words) => {
    expect(titled(title, { says: [words] })?.found).toBe('nowhere')
  })

  test('what a result says makes it about nothing', () => {
    const results = ['enter the retreat of the attackers']
    expect(titled('Retreat', { says: ['my yoga class'], results })?.by).toBeUndefined()
  })

  test('it is of a text alone', () => {
    const about = { arg: '/title', about: true }
    expect(KnownArgument.safeParse({ ...about, kind: 'email' }).success).toBe(false)
    expect(KnownArgument.safeParse({ ...about, kind: 'name', thing: 'event' }).success).toBe(false)
  })
})
