// Which values of a call belong together, where people's own words hold several of a kind: `80 to
// Ann (A) and 650 to Bob (B)` asks for two payments and not for the four that can be made of it. Of
// a sentence each clause says what goes with what; a value that stands without one belongs to what
// the sentences around it leave over. What can be read in two ways is read in none.
import type { ValueKind } from '#schemas/values'
import { isMoney } from './money.ts'
import { wordedAmounts } from '../sentences/number-words.ts'
import {
  itemsOf,
  labelsOf,
  piecesOf,
  saidValuesIn,
  waysOf,
  type SaidValue,
  type GoingBy,
} from './said-values.ts'

/** What a value of a call is in what is asked for: that with which it is done, or where it goes. */
export interface CallPart {
  readonly part: 'what' | 'to'
  readonly kind: ValueKind
  /** Whether a piece of people's words speaks of it. */
  readonly isIn: (piece: string) => boolean
  /** Whether it is no `what` where that stands as the aim of the act. */
  readonly isAim: (text: string) => boolean
  /** Of a thing: what else of its kind a piece may mean. */
  readonly others: ((piece: string) => readonly string[]) | null
}

interface Mention extends SaidValue {
  /** The same for each mention of the same value. */
  readonly of: string
  readonly way: GoingBy
}

/** All mentions of values that can take the place of that part, sentence by sentence. */
type Mentions = readonly (readonly Mention[])[]

const own = 'own'
const kindWords = '(?: (?:the|my|our|user|repository|repo|project))*'
const goesTo = /^\s*(?:to|into|onto)\s/
/** A word that ends a piece, where it goes or listed alone: `to the user bob`, `and maps`. */
const plainName = new RegExp(
  `(?:^|\\s)(?:to|into|of)${kindWords} (\\p{L}+)\\W*$` +
    `|^[\\s,]*(?:and|then)${kindWords} (\\p{L}+)\\W*$`,
  'u',
)

function mentionsOf(of: CallPart, sentences: readonly string[]): Mentions {
  if (of.others !== null) return sentences.map((text) => thingsIn(of, text))
  const all = sentences.map((text, at) => {
    const found = saidValuesIn(of.kind, text).filter(
      (one) => of.kind !== 'amount' || (isMoney(sentences, at, one) && !isOfIban(text, one)),
    )
    const ways = waysOf(text, found)
    const mentions = found.map((one, index): Mention => {
      const way = ways[index] ?? null
      return { ...one, way, of: of.isIn(one.text) ? own : one.text.toLowerCase() }
    })
    return of.kind === 'amount' ? inPlace([...mentions, ...wordedIn(of, text)]) : mentions
  })
  if (of.kind === 'amount' || all.some((each) => each.some((one) => one.of === own))) return all
  // It has no shape by which it stands out, as a name of one word.
  return all.map((each, at) => inPlace([...each, ...plainIn(of, sentences[at] ?? '')]))
}

/** The groups of `CH44 3199 9123` are no amounts. */
function isOfIban(text: string, { start, end }: SaidValue): boolean {
  const groups = saidValuesIn('account', text).filter((one) => /^\w{4}[ -]/.test(one.text))
  return groups.some((one) => one.start <= start && end <= one.end)
}

function inPlace(mentions: readonly Mention[]): readonly Mention[] {
  return mentions.toSorted((a, b) => a.start - b.start)
}

function wordedIn(of: CallPart, text: string): readonly Mention[] {
  return piecesOf(text).flatMap((piece) => {
    const amounts = [...wordedAmounts(piece.text)]
    return amounts.map((one) => ({ ...piece, way: null, of: of.isIn(one) ? own : one }))
  })
}

function plainIn(of: CallPart, text: string): readonly Mention[] {
  const pieces = piecesOf(text)
  return pieces.flatMap((piece, at): readonly Mention[] => {
    const way = goesTo.test(piece.text) ? 'to' : null
    if (of.isIn(piece.text)) return [{ ...piece, of: own, way }]
    if (of.kind !== 'name' && of.kind !== 'id') return []
    // In `move maps to bob` what is moved stands before where it goes.
    const isObject = of.part === 'what' && goesTo.test(pieces[at + 1]?.text ?? '')
    const [, aim, object] = plainName.exec(piece.text) ?? []
    const said = aim ?? object ?? (isObject ? /(?:^| )(\p{L}+)$/u.exec(piece.text)?.[1] : undefined)
    return said === undefined ? [] : [{ ...piece, of: said.toLowerCase(), way }]
  })
}

function thingsIn(of: CallPart, text: string): readonly Mention[] {
  return piecesOf(text).flatMap((piece) => {
    const others = (of.others?.(piece.text) ?? []).map((other) => ({ of: other, way: null }))
    const mine = of.isIn(piece.text) ? [{ of: own, way: null }] : []
    return [...mine, ...others].map((one): Mention => ({ ...piece, ...one }))
  })
}

function distinct(all: readonly Mention[]): number {
  return new Set(all.map((one) => one.of)).size
}

/** Whether people's words have the value in its part: an amount as money, a source not as aim. */
export function isInItsPart(of: CallPart, sentences: readonly string[]): boolean {
  const all = mentionsOf(of, sentences)
  const mine = (each: readonly Mention[]) => each.filter((one) => one.of === own)
  if (all.every((each) => mine(each).length === 0)) {
    return of.kind !== 'amount' || !sentences.some((text) => of.isIn(text))
  }
  return all.some((each) => mine(fitIn(of, each)).length > 0)
}

/** The mentions in a sentence that can be meant for the part. */
function fitIn(of: CallPart, all: readonly Mention[]): readonly Mention[] {
  const goes = all.some(({ way }) => way === 'to')
  return all.filter(({ text, way }) => {
    if (of.part === 'what') return way !== 'to' || !of.isAim(text)
    if (way === null || way === 'to') return true
    // Without another to which it goes, `settle it with A` and `answer the mail from A` mean A.
    if (way === 'by') return of.kind !== 'account' || !goes
    return of.kind !== 'account' && !goes
  })
}

/** What belongs to what: the two halves of each pair are mentions. */
interface Linked {
  readonly links: readonly (readonly [Mention, Mention])[]
  readonly loose: readonly [readonly Mention[], readonly Mention[]]
}

/** Whether people's words have both values and mean them together, or leave no other choice. */
export function areTogether(
  one: CallPart,
  other: CallPart,
  sentences: readonly string[],
): 'together' | 'alone' | 'apart' {
  const [first, second] = one.part === 'what' ? [one, other] : [other, one]
  const [a, b] = fitting(first, second, sentences)
  const [allA, allB] = [a.flat(), b.flat()]
  const has = (all: readonly Mention[]): boolean => all.some(({ of }) => of === own)
  if (!has(allA) || !has(allB)) return 'alone'
  const isMoneyPart = [first, second].some(({ kind }) => kind === 'amount')
  const [manyA, manyB] = [distinct(allA) > 1, distinct(allB) > 1]
  if (!manyA && !manyB) return 'together'
  if (!(manyA && manyB) && !isMoneyPart) return 'together'
  const order = /\brespective(?:ly)?\b|\bin th(?:is|at|e same) order\b/i.test(sentences.join('\n'))
  const linked = sentences.map((text, at) =>
    linkedIn(text, [a[at] ?? [], b[at] ?? []], { order, isMoneyPart }),
  )
  const links = [...linked.flatMap((each) => each.links), ...linksAcross(linked, sentences, order)]
  return links.some(([x, y]) => x.of === own && y.of === own) ? 'together' : 'apart'
}

/** Mentions of both, where two parts of one kind are set apart by the way. */
function fitting(
  first: CallPart,
  second: CallPart,
  sentences: readonly string[],
): readonly [Mentions, Mentions] {
  const fitOf = (of: CallPart): Mentions => {
    const all = mentionsOf(of, sentences).map((each) => fitIn(of, each))
    if (first.kind !== second.kind || of.part === 'what') return all
    return all.map((each) => each.filter(({ way }) => way === 'to'))
  }
  return [fitOf(first), fitOf(second)]
}

interface Reading {
  /** People say that two lists go together in order. */
  readonly order: boolean
  readonly isMoneyPart: boolean
}

type Both = readonly [readonly Mention[], readonly Mention[]]

function linkedIn(text: string, both: Both, reading: Reading): Linked {
  const [a, b] = both
  if (a.length === 0 || b.length === 0) return { links: [], loose: both }
  const items = itemsOf(text)
  const itemOf = (one: Mention): number => items.findLastIndex((start) => start <= one.start)
  const inItems = items.map((_, at): Both => {
    return [a.filter((one) => itemOf(one) === at), b.filter((one) => itemOf(one) === at)]
  })
  const filled = inItems.filter(([x, y]) => x.length + y.length > 0)
  if (filled.every(([x, y]) => distinct(x) === 1 && distinct(y) === 1)) {
    return { links: filled.flatMap(crossed), loose: [[], []] }
  }
  const links = linksByRuns(runsOf(both), reading)
  const meant = links.length > 0 ? links : linksByRuns(runsOf([a, wayTo(b)]), reading)
  return { links: meant, loose: [[], []] }
}

/** Those where something goes, if there are any. */
function wayTo(all: readonly Mention[]): readonly Mention[] {
  const found = all.filter(({ way }) => way === 'to')
  return found.length > 0 ? found : all
}

interface Run {
  readonly side: 0 | 1
  readonly mentions: readonly Mention[]
}

/** What stands after each other of one part. */
function runsOf(both: Both): readonly Run[] {
  const sided = both.flatMap((each, side) => {
    return each.map((mention) => ({ side: side === 0 ? (0 as const) : (1 as const), mention }))
  })
  const runs: { side: 0 | 1; mentions: Mention[] }[] = []
  for (const { side, mention } of sided.toSorted((x, y) => x.mention.start - y.mention.start)) {
    const last = runs.at(-1)
    if (last?.side === side) last.mentions.push(mention)
    else runs.push({ side, mentions: [mention] })
  }
  return runs
}

function linksByRuns(runs: readonly Run[], reading: Reading): Linked['links'] {
  if (runs.length % 2 === 0) {
    return runs.flatMap((run, at) => (at % 2 === 0 ? linksOfTwo(run, runs[at + 1], reading) : []))
  }
  const [before, middle, after] = runs
  if (runs.length !== 3 || middle === undefined || distinct(middle.mentions) !== 1) return []
  const first = linksOfTwo(before, middle, reading)
  if (!reading.isMoneyPart) return [...first, ...linksOfTwo(after, middle, reading)]
  // Of `45 to A, of the 600 that …` the first is what goes there.
  return middle.mentions[0]?.way === 'to' ? first : []
}

function linksOfTwo(one: Run | undefined, two: Run | undefined, reading: Reading) {
  if (one === undefined || two === undefined) return []
  const both: Both = one.side === 0 ? [one.mentions, two.mentions] : [two.mentions, one.mentions]
  const [a, b] = both
  if (distinct(a) === 1 || distinct(b) === 1) return crossed(both)
  if (reading.order) return inOrder(both)
  return reading.isMoneyPart ? [] : crossed(both)
}

function crossed([a, b]: Both): Linked['links'] {
  return a.flatMap((x) => b.map((y) => [x, y] as const))
}

function inOrder([a, b]: Both): Linked['links'] {
  if (a.length !== b.length) return []
  return a.flatMap((x, at) => {
    const y = b[at]
    return y === undefined ? [] : [[x, y] as const]
  })
}

/** Between sentences: what is left over of both, one of each, of the same name, or in order. */
function linksAcross(
  linked: readonly Linked[],
  sentences: readonly string[],
  order: boolean,
): Linked['links'] {
  const taken = linked.flatMap(({ links }) => links)
  const left = (side: 0 | 1): readonly (Mention & { readonly at: number })[] => {
    return linked.flatMap(({ loose }, at) => {
      const free = loose[side].filter((one) => !taken.some((pair) => pair[side].of === one.of))
      return free.map((one) => ({ ...one, at }))
    })
  }
  const [a, b] = [left(0), left(1)]
  if (distinct(a) === 1 && distinct(b) === 1) return crossed([a, b])
  const labels = (one: Mention & { readonly at: number }) => labelsOf(sentences[one.at] ?? '', one)
  const named = a.flatMap((x) => {
    const names = labels(x)
    const same = b.filter((y) => [...labels(y)].some((name) => names.has(name)))
    return distinct(same) === 1 ? same.map((y) => [x, y] as const) : []
  })
  if (named.length > 0) return named
  return order ? inOrder([a, b]) : []
}
