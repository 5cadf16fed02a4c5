// Values in people's own words, where they stand: each with its sentence, and what stands before it
// that says whether something comes from there or goes there. English alone.
import { unreachable } from '#record/fault'
import { withoutEnd } from '#record/reading/text-end'
import type { ValueKind } from '#schemas/values'
import { amountsSaid } from '../amount.ts'
import { lower } from '../edges.ts'
import { valuesInText } from '../kinds.ts'

/** A value of a kind in a sentence. */
export interface SaidValue {
  readonly text: string
  readonly start: number
  readonly end: number
}

const accounts = /\b[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){4,30}\b|\b[0-9]{8,}\b/g
const words = /[^\s"“”`<>()[\]{},;|]+/g
/** What people write between quotes. */
export const quotes = /(?<![\p{L}\p{N}])(['"‘“`])([^'"’”`\n]{1,64})['"’”`](?![\p{L}\p{N}])/gu
const host = /^(?:[a-z]+:|www\.|[a-z0-9-]+(?:\.[a-z0-9-]+)+\/)/i

/** All that may be one of the kind, in the order in which it stands there. */
export function saidValuesIn(kind: ValueKind, text: string): readonly SaidValue[] {
  switch (kind) {
    case 'email':
    case 'url':
      return inOrder(text, valuesInText(kind, text))
    case 'account':
      return [...text.matchAll(accounts)].map(saidAt)
    case 'amount':
      return [...amountsSaid(text)].map(({ index, run }) => saidAt({ 0: run, index }))
    case 'path':
      return wordsIn(text).filter((one) => isPath(one.text))
    case 'id':
    case 'name':
      return namesIn(text)
    case 'time':
      return []
    default:
      return unreachable(kind)
  }
}

function saidAt({ 0: text, index }: { readonly 0: string; readonly index: number }): SaidValue {
  return { text, start: index, end: index + text.length }
}

function inOrder(text: string, found: readonly string[]): readonly SaidValue[] {
  let from = 0
  return found.map((one) => {
    const start = text.indexOf(one, from)
    from = start + one.length
    return { text: one, start, end: from }
  })
}

/** Words less the marks at their ends. */
function wordsIn(text: string): readonly SaidValue[] {
  return [...text.matchAll(words)].flatMap(({ 0: word, index }) => {
    const bare = withoutEnd(word, /[.!?:'’]/)
    const start = bare.length - bare.replace(/^['‘]+/, '').length
    const inner = bare.slice(start)
    return inner === '' ? [] : [saidAt({ 0: inner, index: index + start })]
  })
}

function isPath(word: string): boolean {
  if (host.test(word) || word.includes('@') || /^[0-9/]+$/.test(word)) return false
  return word.includes('/') || /^[\w-]+\.[a-z][a-z0-9]{0,5}$/i.test(word)
}

// A name has no shape of its own: what is quoted, or is written as only names are.
function namesIn(text: string): readonly SaidValue[] {
  const quoted = [...text.matchAll(quotes)].map(({ 2: inner = '', index }) =>
    saidAt({ 0: inner, index: index + 1 }),
  )
  const written = wordsIn(text).filter(({ text: word, start }) => {
    if (quoted.some((one) => start >= one.start && start < one.end)) return false
    if (host.test(word) || /[@]|^\/|^[0-9.,:/-]+$|\.[a-z]+$/i.test(word)) return false
    return /[A-Za-z0-9][/_-][A-Za-z0-9]|^[a-z]+[0-9]+$/.test(word)
  })
  return [...quoted, ...written].toSorted((a, b) => a.start - b.start)
}

/** Where something goes by what stands before it, where it comes from, or by what it is done. */
export type GoingBy = 'to' | 'from' | 'by' | null

const nouns =
  'the|my|our|h(?:er|is)|their|a|an|this|that|new|old|same|own|user|users|folder|directory|dir' +
  '|file|path|repository|repo|project|account|iban|number|bank|savings|channel|event|person' +
  '|colleague|friend|brother|sister|landlord|owner|github|mr|mrs|ms|dr'
const ways = new RegExp(
  '(?:^|[^\\p{L}])([Tt]o|[Ii]nto|onto|over|[Ff]rom|off|of|[Ww]ith|[Bb]y|[Ii]n|[Ff]or|[Uu]sing)' +
    `(?:[\\s.:]+(?:(?:${nouns})(?![\\p{L}])|[A-Z][\\p{L}.'’-]*))*[\\s:('"‘“\`]*$`,
  'u',
)
const joined = /^[\s)'"’”`,;]*(?:,|&|\band|\bor|\bas well as)?[\s('"‘“`]*$/i
const putsInPlace = /\b(?:replace|overwrite|exchange|substitute)\b[^.!?]*$/i
/** `Hand over a` gives a away, and puts nothing over it. */
const givesOver = new RegExp(
  '\\b(?:(?:hand|send|turn|pass|give|sign|bring)(?:ed|ing)?|tak(?:es?|en|ing)|took) over\\b' +
    '[^.!?]{0,24}$',
  'i',
)

export function waysOf(text: string, found: readonly SaidValue[]): readonly GoingBy[] {
  const gaps = found.map(({ start }, at) => text.slice(found[at - 1]?.end ?? 0, start))
  let way: GoingBy = null
  return gaps.map((gap, at) => {
    // In `to a and b` both are where it goes; in `to a and b to c` they are not.
    const next = gaps[at + 1]
    const isNext = at > 0 && joined.test(gap) && (next === undefined || wayIn(next) !== 'to')
    way = isNext ? way : wayAt(text.slice(0, found[at]?.start), gap)
    return way
  })
}

function wayAt(before: string, gap: string): GoingBy {
  const way = wayIn(gap)
  if (!putsInPlace.test(before)) return way
  // Who replaces a with b puts b where a is.
  if (way === 'by') return null
  return way === null && !/\b(?:with|by)\b/.test(gap) ? 'to' : way
}

function wayIn(gap: string): GoingBy {
  const word = lower(ways.exec(gap)?.[1] ?? '')
  if (/^(?:to|into|onto)$/.test(word) || (word === 'over' && !givesOver.test(gap))) return 'to'
  if (/^(?:from|off)$/.test(word)) return 'from'
  return /^(?:with|by|using)$/.test(word) ? 'by' : null
}

/** What a sentence lists, piece by piece: between commas, and words that join. */
const betweenItems = /[,;]\s|(?<!hundred|thousand)\s(?:and|then|but|plus|while)\s|\s[|–—-]+\s/gi
const inItem = /[()]|\s(?:to|into|from|for|on|with|at|by|as|in)\s/gi

/** Where the pieces begin. */
export function itemsOf(text: string): readonly number[] {
  return [0, ...[...text.matchAll(betweenItems)].map(({ index }) => index)]
}

/** The pieces of a text, of which each speaks of one thing at most. */
export function piecesOf(text: string): readonly SaidValue[] {
  const cuts = [...itemsOf(text), ...[...text.matchAll(inItem)].map(({ index }) => index)]
  const starts = [...new Set(cuts)].toSorted((a, b) => a - b)
  return starts.map((start, at) => saidAt({ 0: text.slice(start, starts[at + 1]), index: start }))
}

const notNames: ReadonlySet<string> = new Set(
  (
    'Please Pay Send Transfer The Their My Our IBAN Invite Add Mail Email Write Could ' +
    'Would Can And Then Also For It This That These Those Here EUR USD GBP CHF GitHub Account'
  ).split(' '),
)

/** Whom or what the piece around a value speaks of, by words with a capital. */
export function labelsOf(text: string, { start }: SaidValue): ReadonlySet<string> {
  const items = itemsOf(text)
  const from = items.findLast((one) => one <= start) ?? 0
  const to = items.find((one) => one > start)
  const found = text.slice(from, to).matchAll(/(?<![\p{L}\p{N}@./])\p{Lu}\p{Ll}+/gu)
  return new Set([...found].flatMap(({ 0: word }) => (notNames.has(word) ? [] : word)))
}
