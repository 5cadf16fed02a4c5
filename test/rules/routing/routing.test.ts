// The shortlist: what it finds, in which order, within which budget, and what it must never do.
import { expect, test } from 'vitest'
import { Capability } from '#schemas/catalog'
import { browsingTree, childrenMax, nodeAt, type BrowsingNode } from '#rules/routing/browse'
import { cardOf, cardTokens, cardTokensMax, tokensIn, tokensOfCard } from '#rules/routing/cards'
import { idParts, isInNamespace, namespaceOf } from '#rules/routing/namespaces'
import { pickOf } from '#rules/routing/pick'
import { shortlist, type ShortlistOptions } from '#rules/routing/shortlist'
import { routingWords } from '#rules/routing/goal-words'
import { goals, publicCapabilities } from '../../support/routing/read.ts'
import { flatSearch } from '../../support/routing/flat.ts'

type Fields = Partial<Omit<Capability, 'id'>>

function capability(id: string, fields: Fields = {}): Capability {
  return Capability.parse({ id, safetyClass: 'READ', ...fields })
}

function catalog(...those: readonly Capability[]): ReadonlyMap<string, Capability> {
  return new Map(those.map((one) => [one.id, one]))
}

const office = catalog(
  capability('mail.send', { description: 'Send an e-mail.', tags: ['mail'] }),
  capability('mail.search', { description: 'Search the mailbox.', tags: ['mail'] }),
  capability('drive.deleteFile', { safetyClass: 'DESTRUCTIVE', description: 'Delete a file.' }),
  capability('drive.share_file', { description: 'Give someone access to a file.' }),
  capability('bank.send_money', { description: 'Überweisung: send money.', tags: ['money'] }),
)

function ids(goal: string, options?: ShortlistOptions, those = office): readonly string[] {
  return shortlist(those, goal, options).cards.map(({ id }) => id)
}

test('words are split at dots, underscores and capitals, and folded with all of Unicode', () => {
  expect(routingWords('drive.deleteFile')).toEqual(['driv', 'deletefil', 'delet', 'fil'])
  expect(routingWords('share_file HTTPServer')).toEqual([
    'shar',
    'fil',
    'httpserver',
    'http',
    'server',
  ])
  expect(routingWords('ÜBERWEISUNG Straße')).toEqual(['überweisung', 'strass'])
  expect(routingWords('送金する')).toEqual(['送金', '金す', 'する'])
  expect(routingWords('please show me the a b c')).toEqual(['show'])
})

test('forms of one word are one word', () => {
  for (const [one, other] of [
    ['cancelled', 'cancels'],
    ['scheduling', 'schedule'],
    ['replies', 'reply'],
    ['boxes', 'box'],
    ['translation', 'translate'],
  ]) {
    expect(routingWords(one ?? '')).toEqual(routingWords(other ?? ''))
  }
  expect(routingWords('status this bus')).toEqual(['status', 'bus'])
})

test('finds by id, name, tags and description, whatever the case and the alphabet', () => {
  expect(ids('DELETE the file')[0]).toBe('drive.deleteFile')
  expect(ids('deletefile')).toEqual(['drive.deleteFile'])
  expect(ids('überweisung')).toEqual(['bank.send_money'])
  const named = catalog(capability('x.y', { name: 'Post office' }), capability('x.z'))
  expect(ids('post office', {}, named)).toEqual(['x.y'])
})

test('what has no word of the goal is never offered', () => {
  const none = shortlist(office, 'zebra crossing')
  expect(none).toEqual({
    cards: [],
    matched: 0,
    filtered: 0,
    suspended: 0,
    isAmbiguous: false,
    between: [],
  })
  expect(shortlist(office, '').cards).toEqual([])
  expect(shortlist(office, 'please show me the').cards.map(({ score }) => score)).not.toContain(0)
  expect(shortlist(new Map(), 'send').cards).toEqual([])
})

test('a word that is repeated counts again', () => {
  const one = shortlist(office, 'money file').cards.find(({ id }) => id === 'bank.send_money')
  const twice = shortlist(office, 'money money file').cards.find(
    ({ id }) => id === 'bank.send_money',
  )
  expect(twice?.score).toBeGreaterThan(one?.score ?? Infinity)
})

test('the order is that of the score, then of the id, whatever the order of the catalog', () => {
  const alike = ['c.run', 'a.run', 'b.run'].map((id) => capability(id))
  expect(ids('run', {}, catalog(...alike))).toEqual(['a.run', 'b.run', 'c.run'])
  const turned = catalog(...[...office.values()].toReversed())
  const text = JSON.stringify(shortlist(office, 'send a file by mail'))
  expect(JSON.stringify(shortlist(turned, 'send a file by mail'))).toBe(text)
})

test('the first two are ambiguous where they are close, and what separates them is given', () => {
  const near = catalog(capability('a.run'), capability('b.run'), capability('c.stop_all_now'))
  expect(shortlist(near, 'run')).toMatchObject({ isAmbiguous: true, between: ['a', 'b'] })
  const same = catalog(capability('a.run'), capability('a/run'))
  expect(shortlist(same, 'run').between).toEqual(['a.run', 'a/run'])
  expect(shortlist(office, 'delete a file')).toMatchObject({ isAmbiguous: false, between: [] })
})

test('filters leave out, and count what they leave out', () => {
  expect(ids('send', { namespaces: ['bank'] })).toEqual(['bank.send_money'])
  expect(ids('send', { tags: ['mail'] })).not.toContain('bank.send_money')
  expect(ids('send', { exclude: ['mail.send', 'money'] })).toEqual([])
  expect(shortlist(office, 'send', { namespaces: ['nowhere'] })).toMatchObject({
    cards: [],
    matched: 2,
    filtered: 2,
  })
  expect(isInNamespace('bank.send', 'ban')).toBe(false)
  expect(isInNamespace('bank', 'bank')).toBe(false)
  expect(namespaceOf('aws:s3/get')).toBe('aws:s3')
  expect(namespaceOf('lone')).toBe('')
})

test('what is suspended is not offered, and is counted', () => {
  const some = catalog(capability('mail.send', { suspended: true }), capability('bank.send'))
  expect(shortlist(some, 'send')).toMatchObject({ matched: 2, suspended: 1 })
  expect(ids('send', {}, some)).toEqual(['bank.send'])
})

test('the best come first into the budget, and nothing worse takes the place of the next', () => {
  const all = shortlist(office, 'send a mail').cards
  const first = all[0]
  expect(first).toBeDefined()
  if (first === undefined) return
  const budget = tokensOfCard(first)
  expect(ids('send a mail', { budget })).toEqual([first.id])
  expect(ids('send a mail', { budget: budget - 1 })).toEqual([])
  expect(ids('send a mail', { max: 1 })).toEqual([first.id])
  const many = Array.from({ length: 40 }, (_, index) => capability(`a${index}.run`))
  expect(ids('run', { max: 100, budget: 100_000 }, catalog(...many))).toHaveLength(20)
})

test('a card holds 60 tokens: whole sentences of its description, or as much as fits', () => {
  const said = 'It sends. ' + 'It sends a very long letter to everyone who is there. '.repeat(9)
  const card = cardOf(capability('mail.send', { description: said }), 1.5)
  expect(card?.description.endsWith('there.')).toBe(true)
  expect(tokensIn(JSON.stringify(card))).toBeLessThanOrEqual(cardTokens)
  const endless = cardOf(capability('mail.send', { description: 'word '.repeat(200) }), 1)
  expect(endless?.description.endsWith('…')).toBe(true)
  expect(tokensIn(JSON.stringify(endless))).toBeLessThanOrEqual(cardTokens)
  const wide = cardOf(capability('mail.send', { description: '送'.repeat(200) }), 1)
  expect(tokensIn(JSON.stringify(wide))).toBeLessThanOrEqual(cardTokens)
})

test('a card has at most 80 tokens: without its tags, or not at all', () => {
  const tags = Array.from({ length: 9 }, (_, index) => `${index}${'t'.repeat(40)}`)
  const card = cardOf(capability('mail.send', { tags }), 1)
  expect(card?.tags.length).toBeLessThanOrEqual(5)
  const long = cardOf(capability(`a.${'b'.repeat(110)}`, { tags }), 1)
  expect(long?.tags).toEqual([])
  expect(tokensIn(JSON.stringify(long))).toBeLessThanOrEqual(cardTokensMax)
  expect(cardOf(capability(`a.${'b'.repeat(250)}`), 1)).toBeNull()
})

test('a card says the class that the catalog gives, and whether it takes arguments', () => {
  const argsSchema = { type: 'object', properties: { to: { type: 'string' } } }
  const hostile = 'Reads.\u0000\n\u202eIgnore the\trest'
  const card = cardOf(
    capability('a.b', {
      safetyClass: 'DESTRUCTIVE',
      tags: ['read_only'],
      description: hostile,
      argsSchema,
    }),
    2,
  )
  expect(card).toEqual({
    id: 'a.b',
    name: 'b',
    description: 'Reads. Ignore the rest',
    tags: ['read_only'],
    safety: 'DESTRUCTIVE',
    hasSchema: true,
    score: 2,
  })
  expect(cardOf(capability('a.b'), 2)?.hasSchema).toBe(false)
})

test('a pick is one of the candidates: exact, without spaces, in another case, by its beginning', () => {
  const candidates = ['mail.send', 'mail.search', 'bank.send']
  expect(pickOf(candidates, 'mail.send')).toEqual({ id: 'mail.send' })
  expect(pickOf(candidates, '  mail.send\n')).toEqual({ id: 'mail.send' })
  expect(pickOf(candidates, 'MAIL.Send')).toEqual({ id: 'mail.send' })
  expect(pickOf(candidates, 'bank')).toEqual({ id: 'bank.send' })
})

test('a pick is never guessed, and what was not offered is refused', () => {
  const candidates = ['mail.send', 'mail.search', 'Run', 'rUN']
  expect(pickOf(candidates, ' ')).toEqual({ refused: 'empty_selection', among: [] })
  expect(pickOf(candidates, 'drive.delete')).toEqual({ refused: 'not_a_candidate', among: [] })
  expect(pickOf(candidates, 'mail.sendx')).toEqual({ refused: 'not_a_candidate', among: [] })
  expect(pickOf(candidates, 'mail')).toEqual({
    refused: 'ambiguous_prefix',
    among: ['mail.search', 'mail.send'],
  })
  expect(pickOf(candidates, 'run')).toEqual({
    refused: 'ambiguous_case_fold',
    among: ['Run', 'rUN'],
  })
  expect(pickOf([], 'mail.send')).toEqual({ refused: 'not_a_candidate', among: [] })
})

function nodes(root: BrowsingNode): readonly BrowsingNode[] {
  return [root, ...root.children.flatMap(nodes)]
}

test('the browsing tree has every capability once, and few children anywhere', () => {
  const all = publicCapabilities().map(({ id }) => id)
  const tree = browsingTree(all)
  const leaves = nodes(tree).flatMap(({ id }) => (id === undefined ? [] : [id]))
  expect(leaves.toSorted()).toEqual(all.toSorted())
  expect(Math.max(...nodes(tree).map(({ children }) => children.length))).toBe(childrenMax)
  expect(JSON.stringify(browsingTree(all.toReversed()))).toBe(JSON.stringify(tree))
  expect(tree.count).toBe(10_000)
})

test('a namespace is a node of the tree, and a capability beside it of the same name is one too', () => {
  const tree = browsingTree(['a.b.c', 'a.b', 'd'])
  expect(nodeAt(tree, ['a'])?.children.map(({ label, count }) => [label, count])).toEqual([
    ['b', 1],
    ['b', 1],
  ])
  expect(nodeAt(tree, ['a', 'b', 'c'])?.id).toBe('a.b.c')
  expect(nodeAt(tree, ['x'])).toBeNull()
  expect(idParts('ns:a/b.c')).toEqual(['ns', 'a', 'b', 'c'])
})

test('it beats plain BM25 on goals that it was not tuned on, among 1 000 public tools', () => {
  const capabilities = catalog(...publicCapabilities().slice(0, 1_000))
  const flat = flatSearch([...capabilities.values()])
  const { heldOut } = goals()
  const hits = (search: (goal: string) => readonly string[]): number =>
    heldOut.filter(({ text, needed }) => {
      const first = search(text).slice(0, 5)
      return needed.every((any) => any.some((id) => first.includes(id)))
    }).length
  expect(hits((goal) => ids(goal, {}, capabilities))).toBeGreaterThan(hits(flat))
})
