// Plain words: the dialect that this project once spoke, and what the documentation of other
// systems says in its place. Identifiers, texts, comments and pages are read alike.
import type { Files } from './source.ts'

export interface Dialect {
  readonly word: string
  readonly means: RegExp
  readonly instead: string
  /** How many places are left. It may only shrink. */
  readonly left?: number
}

/** Read on text in lower case in which `isOver` is `is over`. */
export const dialect: readonly Dialect[] = [
  { word: 'mend', means: /\bmend(s|ed|ing|ings|able)?\b/g, instead: 'fix' },
  {
    word: 'whoever',
    means: /\bwho(m)?ever\b/g,
    instead: 'anyone who, the caller, or who',
  },
  { word: 'nobody', means: /\bnobody\b/g, instead: 'no one, or the role' },
  {
    word: 'somebody',
    means: /\b(some|every|any)body\b/g,
    instead: 'someone, or the role',
  },
  { word: 'can not', means: /\bcan not\b/g, instead: 'cannot' },
  { word: 'anew', means: /\banew\b/g, instead: 'again' },
  { word: 'in vain', means: /\bin vain\b/g, instead: 'unused, or without effect' },
  {
    word: 'taught',
    means: /\b(taught|teaches|teaching|teachers?)\b/g,
    instead: 'applied, answered',
    left: 3,
  },
  {
    word: 'hear',
    means: /\b(hear|hears|heard|hearing)\b/g,
    instead: 'receive, or listen',
  },
  {
    word: 'tell',
    means: /(?<!\b(?:cannot|could not|can it|whether it can) )\b(tell|tells|told|telling)\b/g,
    instead: 'report, show, notify, or distinguish',
    left: 5,
  },
  { word: 'he', means: /\b(he|him|his|himself)\b/g, instead: 'it, they, or the role' },
  {
    word: 'laid hands',
    means: /\b(lay|lays|laid|laying) hands?\b/g,
    instead: 'tampered with',
  },
  {
    word: 'comes again',
    means: /\b(come|comes|came|coming) again\b/g,
    instead: 'redelivered',
  },
  {
    word: 'is none',
    means: /(?<!\bthere )\bis none\b/g,
    instead: 'is not one, or invalid',
  },
  { word: 'is no number', means: /\bis no number\b/g, instead: 'is not a number' },
  { word: 'spent', means: /\b(spent|spends?)\b/g, instead: 'used', left: 7 },
  {
    word: 'is said',
    means: /\b(is|are|was|were|be|been|as) said\b|\b(say|says|said|saying) so\b|\bsays nothing\b/g,
    instead: 'is set, is stated, contains, or reports',
  },
  { word: 'series', means: /\bseries\b/g, instead: 'sequence', left: 15 },
  {
    word: 'an era turns',
    means: /\beras? (turn|turns|turned|turning)\b|\bturn(s|ed|ing)? (an|the|that|this|its) era\b/g,
    instead: 'rotate',
  },
  { word: 'call off', means: /\bcall(s|ed|ing)? off\b/g, instead: 'cancel' },
  { word: 'is over', means: /\bis over\b/g, instead: 'has ended, or is done' },
  { word: 'let go', means: /\b(let|lets|letting) go\b/g, instead: 'release, or resume' },
  { word: 'kase', means: /\bkases?\b/g, instead: 'testCase' },
  { word: 'scenery', means: /\bscenery\b/g, instead: 'context' },
  { word: 'looking on', means: /\blook(s|ing) on\b/g, instead: 'observe' },
  {
    word: 'bell',
    means: /\b(bells?|sqlite desk|hurry|hurries)\b/g,
    instead: 'notifier, flush',
  },
]

const read = /\.(tsx?|md)$/
/** What is never edited, what quotes the dialect, and what says which names are gone. */
const unread = /^(test\/golden\/[^/]+\/|test\/house\/.*words\b|CHANGELOG\.md$)/

/** Every place of the dialect that is more than what is left of it. */
export function speaksPlainly(files: Files): readonly string[] {
  const places = new Map<Dialect, string[]>()
  for (const [path, text] of files) {
    if (!read.test(path) || unread.test(path)) continue
    const plain = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
    for (const each of dialect) {
      for (const { index } of plain.matchAll(each.means)) {
        const line = plain.slice(0, index).split('\n').length
        const place = `${path}:${line} has “${each.word}”: write ${each.instead}`
        places.set(each, [...(places.get(each) ?? []), place])
      }
    }
  }
  return dialect.flatMap((each) => {
    const found = places.get(each) ?? []
    const left = each.left ?? 0
    if (found.length <= left) return []
    return left === 0 ? found : [`${found.length} places have “${each.word}”, ${left} may`]
  })
}

const columnsMax = 120

/** Pages break their lines, tables too; a link cannot be broken. */
export function pagesAreNarrow(files: Files): readonly string[] {
  const found: string[] = []
  for (const [path, text] of files) {
    if (!path.endsWith('.md')) continue
    for (const [index, line] of text.split('\n').entries()) {
      const columns = Array.from(line).length
      if (columns <= columnsMax || /^\S*\]?\(?<?https?:\S+$/.test(line.trim())) continue
      found.push(`${path}:${index + 1} has ${columns} columns: break it`)
    }
  }
  return found
}

/** An apostrophe is no backtick. */
export function apostrophesAreApostrophes(files: Files): readonly string[] {
  const found: string[] = []
  for (const [path, text] of files) {
    if (!read.test(path) || unread.test(path)) continue
    for (const [index, line] of text.split('\n').entries()) {
      // A pair of backticks quotes; what is left of one between letters stands for an apostrophe.
      const rest = line.replaceAll(/\\`/g, '`').replaceAll(/`[^`]*`/g, '')
      if (/[a-z]`s\b/.test(rest))
        found.push(`${path}:${index + 1} has a backtick for an apostrophe`)
    }
  }
  return found
}
