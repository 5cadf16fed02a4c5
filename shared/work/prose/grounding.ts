// The checks of what a text stands on, as far as the text alone shows it. They look nothing up:
// what only the world knows is a warning, `not_checked`.
import type { ProseDocument } from './document.ts'
import type { GroundingCheck } from './profiles.ts'
import { type ProseFinding, nameKey } from './structure.ts'
import { rowsFrom } from './rows.ts'

/** What a check finds, and whether the text fails by it. */
export interface Grounds {
  readonly fails: boolean
  readonly findings: readonly ProseFinding[]
}

const warns = (findings: readonly ProseFinding[]): Grounds => ({ fails: false, findings })
const failsBy = (findings: readonly ProseFinding[]): Grounds => ({ fails: true, findings })

/** `now` is in milliseconds since 1970. */
export function groundingFindings(
  check: GroundingCheck,
  document: ProseDocument,
  now: number | undefined,
): Grounds {
  switch (check) {
    case 'url_reachable':
      return warns([{ detail: 'not_checked' }])
    case 'citations_present': {
      const isCited = document.blocks.some(({ prose }) => hasCitation(prose))
      return failsBy(isCited ? [] : [{ detail: 'no_citations' }])
    }
    case 'numbers_consistent':
      return warns(inconsistentUnits(document.text))
    case 'cross_refs_resolve':
      return failsBy(unresolvedReferences(document))
    case 'dates_valid':
      return warns(doubtfulDates(document.text, now))
  }
}

// Whether a text cites anything, in one of the forms that people write.

const etAl = /[\p{L}\p{N}_] et al\./u
const numbers = /\[\^?\p{Nd}{1,9}(?:\s?[,;\u2013-]\s?\p{Nd}{1,9}){0,32}\]/u
const footnote = /\[\^[^\s[\]^]{1,64}\]/u
const doi = /(?<![\p{L}\p{N}_.])10\.[0-9]{4,9}\/[^\s]/u
const parenthesis = /\(([^()\n]{4,200})\)/gu
/** `Smith, 2024`, in parentheses: who, and the year at the end. */
const whoAndYear = /^(?<who>.*?)[,\s]\s{0,4}\p{Nd}{4}[a-z]?$/u
const yearAlone = /^\p{Nd}{4}[a-z]?$/u
/** The name before a year that stands alone in parentheses. */
const nameBefore = /\p{Lu}[\p{L}\p{M}'\u2019-]{0,63} $/u
const lookBack = 66

const months = new Set(
  [
    'january february march april may june july august september october november december',
    'jan feb mar apr jun jul aug sep sept oct nov dec',
  ].flatMap((names) => names.split(' ')),
)

/** `prose` is the text of one block without its code. */
function hasCitation(prose: string): boolean {
  if ([etAl, numbers, footnote, doi].some((form) => form.test(prose))) return true
  for (const { 1: inside = '', index } of prose.matchAll(parenthesis)) {
    if (yearAlone.test(inside)) {
      const name = nameBefore.exec(prose.slice(Math.max(0, index - lookBack), index))?.[0]
      if (name !== undefined && !isMonth(name)) return true
    } else if (isSource(inside)) return true
  }
  return false
}

function isSource(inside: string): boolean {
  const who = whoAndYear.exec(inside)?.groups?.['who']?.trim() ?? ''
  if (/^[\p{L}\p{N}_.'\u2019-]+,?$/u.test(who)) return !isMonth(who)
  return /\p{L}/u.test(who) && /[&;,]| and | et al/u.test(who)
}

function isMonth(name: string): boolean {
  return months.has(name.replaceAll(/[\s,.]/g, '').toLowerCase())
}

// References of a text to its own sections, and whether another heading has that name.

const phrase = /(?<![\p{L}\p{N}_])(?:see section|as described in|refer to)\s{1,8}/giu
const nameCharactersMax = 200
const quotes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\u201c', '\u201d'],
  ['\u2018', '\u2019'],
])
/** What ends a name that is not in quotes: a full stop within `3.2` does not. */
const nameEnd = /[",;:!?()\n\u201c\u201d]|[.'\u2019](?=\s|$)/u
/** What follows a name in a sentence, and is no part of it. */
const goesOn = / (?:for|on|where|which|when|that|if|as|about|to|in|below|above|sections?)(?: .*)?$/u
const number = /^(?<number>[0-9]+(?:\.[0-9]+)*)[.)]?(?: (?<rest>.*))?$/u

/** Each reference that no other heading answers, in order. */
function unresolvedReferences({ blocks, headings }: ProseDocument): readonly ProseFinding[] {
  const named = new Map<string, Set<number>>()
  for (const [index, { text }] of headings.entries()) {
    for (const name of namesOf(text)) named.set(name, (named.get(name) ?? new Set()).add(index))
  }
  const isNamed = (name: string, own: number | null): boolean => {
    const found = named.get(name)
    if (found === undefined) return false
    return found.size > 1 || own === null || !found.has(own)
  }
  return blocks.flatMap(({ text, prose, line, heading }) => {
    const rows = rowsFrom(text, line + 1)
    return [...prose.matchAll(phrase)].flatMap((match) => {
      const { 0: words, index } = match
      const row = rows(index)
      const about = nameAt(text, index + words.length)
      if (about === '' || meanings(about).some((name) => isNamed(name, heading))) return []
      return [{ detail: 'unresolved_reference' as const, line: row, about }]
    })
  })
}

/** The name of a heading, also without its number, and its number alone. */
function namesOf(text: string): readonly string[] {
  const name = nameKey(text)
  const groups = number.exec(name)?.groups
  if (groups === undefined) return [name]
  return [name, groups['number'] ?? '', groups['rest'] ?? ''].filter((each) => each !== '')
}

function nameAt(text: string, at: number): string {
  const rest = text.slice(at, at + nameCharactersMax)
  const closing = quotes.get(rest.charAt(0))
  if (closing === undefined) return rest.slice(0, nameEnd.exec(rest)?.index).trim()
  const end = rest.slice(1).search(closing === '"' ? /["\n]/u : new RegExp(`${closing}|\n`, 'u'))
  return rest.slice(1, end === -1 ? undefined : end + 1).trim()
}

/** What it may mean: as it stands, without an article, and without what the sentence adds. */
function meanings(about: string): readonly string[] {
  const name = nameKey(about)
  const bare = name.replace(/^the /u, '').replace(/^section /u, '')
  return [name, bare, bare.replace(goesOn, '')]
}

// The numbers and dates of a text, as far as they can be wrong by themselves: one number with two
// units, a day far from now. All of it is a hint to a reader, and never a failure.

const numeral =
  /(?<![\p{L}\p{N}_.,])(?:[0-9]{1,3}(?:,[0-9]{3}){1,8}|[0-9]{1,64})(?:\.[0-9]{1,64})?/gu
const unit = /\s{0,8}(?<unit>%|(?:users?|requests?|ms|seconds?)(?![\p{L}\p{N}_]))/uy

/** Each place at which a number has another unit than where it stood last. */
function inconsistentUnits(text: string): readonly ProseFinding[] {
  const seen = new Map<string, string>()
  const row = rowsFrom(text, 1)
  const found: ProseFinding[] = []
  for (const { 0: digits, index } of text.matchAll(numeral)) {
    unit.lastIndex = index + digits.length
    const written = unit.exec(text)?.groups?.['unit']
    if (written === undefined) continue
    const name = written === 'ms' ? written : written.replace(/s$/, '')
    const before = seen.get(digits) ?? name
    if (before !== name) {
      const about = `${digits} ${before}, ${digits} ${name}`
      found.push({ detail: 'inconsistent_unit', line: row(index), about })
    }
    seen.set(digits, name)
  }
  return found
}

const iso = String.raw`(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})`
const dotted = String.raw`(?<d>[0-9]{2})\.(?<m>[0-9]{2})\.(?<y>[0-9]{4})`
const ofWord = String.raw`[\p{L}\p{N}_]`
const dates = new RegExp(`(?<!${ofWord})(?:${iso}|${dotted})(?!${ofWord})`, 'gu')
const dayMs = 86_400_000
const daysAYear = 365
const yearsPastMax = 10
const yearsFutureMax = 5

/**
 * Days more than ten years before or five years after `now`, in milliseconds since 1970; days that
 * no calendar has are left out. Without `now`, a warning if there is any day.
 */
function doubtfulDates(text: string, now: number | undefined): readonly ProseFinding[] {
  const row = rowsFrom(text, 1)
  const found: ProseFinding[] = []
  for (const { 0: about, index, groups = {} } of text.matchAll(dates)) {
    const [year, month, day] = [
      Number(groups['year'] ?? groups['y']),
      Number(groups['month'] ?? groups['m']),
      Number(groups['day'] ?? groups['d']),
    ]
    const time = timeOf({ year, month, day })
    if (time === null) continue
    if (now === undefined) return [{ detail: 'not_checked' }]
    const years = Math.floor((now - time) / dayMs) / daysAYear
    if (years > yearsPastMax) found.push({ detail: 'date_past', line: row(index), about })
    if (years < -yearsFutureMax) found.push({ detail: 'date_future', line: row(index), about })
  }
  return found
}

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Null for a day that no calendar has. */
function timeOf({ year, month, day }: Day): number | null {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isDay = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isDay ? date.getTime() : null
}
