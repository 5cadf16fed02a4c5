// What people named in their own words. English alone: a word that ends a group of words is what
// the group is about, as `mouse` in `a wireless mouse for me`. In doubt nothing is named.
import { caseFold } from '#record/case-fold'
import { formsOf } from '../grounding/forms.ts'
import { letters } from './kinds.ts'

// After these a group has ended: what joins, points, asks or does, and when.
const between: ReadonlySet<string> = new Set(
  (
    'a about above according after again against all also am an and any are around as ask at ' +
    'back based be because been before beginning below between bought but buy by called can ' +
    'cancel check concerning could delete did do does done during each either else find first ' +
    'for from get give had has have here how i if in including into is it its just know last ' +
    'later let like make me might mine month more most must my named need needs next now of off ' +
    'on once one only onto or order ordered our out over own pay per please purchased put really ' +
    'refund regarding remove same send shall should show since so some starting such than ' +
    'that the their them then there these they this those though through time titled to today ' +
    'together tomorrow tonight too two under until up us use using via want wants was we week ' +
    'were what when where which while who whose will with within without would year yesterday ' +
    'yet you your yours'
  ).split(' '),
)

// What follows in the same sentence may be what is not wanted.
const against: ReadonlySet<string> = new Set(
  'avoid dont instead neither never no nor not rather stop without'.split(' '),
)

const lettersMin = 3

interface Word {
  readonly text: string
  /** It is the last of its group, and nothing speaks against it. */
  readonly isEnd: boolean
  /** The word before it is of the same group. */
  readonly isJoined: boolean
}

interface Place {
  readonly text: string
  /** What stands before the next word; all that is left after the last one. */
  readonly gap: string
  /** It follows a word against it. */
  readonly isDenied: boolean
}

function placesIn(text: string): readonly Place[] {
  const folded = caseFold(text.normalize('NFC'))
  const found = [...folded.matchAll(new RegExp(`[${letters}]+`, 'g'))]
  let isDenied = false
  return found.map(({ 0: word, index }, at) => {
    const gap = folded.slice(index + word.length, found[at + 1]?.index)
    const place = { text: word, gap, isDenied }
    const isShort = word === 't' && /['’]$/.test(folded.slice(0, index))
    isDenied = !/[.!?;\n]/.test(gap) && (isDenied || isShort || against.has(word))
    return place
  })
}

/** Hyphens, apostrophes and spaces join; all else ends a group. Numbers at its end are no end. */
function wordsOf(text: string): readonly Word[] {
  let isLast = true
  const words = placesIn(text).toReversed()
  return words.map(({ text: word, gap, isDenied }, at): Word => {
    if (at === 0 || !joins(gap)) isLast = true
    const isNumber = /^[0-9]+$/.test(word)
    const isEnd = isLast && !isNumber && !isDenied && !between.has(word)
    isLast = between.has(word) || against.has(word) || (isLast && isNumber)
    const before = words[at + 1]
    const isJoined = before !== undefined && joins(before.gap) && !isApart(before.text)
    return { text: word, isEnd, isJoined }
  })
}

function joins(gap: string): boolean {
  return /^(?:[-'’]| +)$/.test(gap)
}

function isApart(word: string): boolean {
  return between.has(word) || against.has(word)
}

const unable = "(?:can(?:['’]t|not| not)|won['’]t be able to|will not be able to)"
const reasons = new RegExp(
  "\\b(?:I|we)(?: really)? (?:(?:no longer|do(?:n['’]t| not)) (?:need|use)" +
    '|have no (?:time|use))\\b(?! to\\b)' +
    `|\\b(?:I|we) ${unable} (?:make(?: it to)?|attend|come to|go to|be at)\\b`,
  'gi',
)

/**
 * Who writes `I no longer need it` or `I can't make it to that` gives a reason, and speaks not
 * against what is asked for.
 */
export function withoutReasons(text: string): string {
  return text.replace(reasons, ' ')
}

/** Each group of words that a text is about, as its words. */
function groupsOf(text: string): readonly (readonly string[])[] {
  const groups: string[][] = []
  let group: string[] | null = null
  for (const { text: word, isEnd, isJoined } of wordsOf(text)) {
    if (isEnd) groups.push((group = []))
    group?.push(word)
    if (!isJoined) group = null
  }
  return groups
}

/** What a text is about in which a person speaks: base forms, so that plurals are the same. */
export interface OwnWords {
  readonly message: string
  readonly ends: ReadonlySet<string>
  readonly all: ReadonlySet<string>
  /** The groups of words: `dentist appointment`. */
  readonly groups: readonly (readonly string[])[]
  /** As they were written. */
  readonly texts: readonly string[]
  /** All that was written, of which these words may be a part. */
  readonly whole: readonly string[]
}

export function ownWordsIn(
  message: string,
  texts: Iterable<string>,
  whole?: readonly string[],
): OwnWords {
  const all = [...texts]
  const words = all.flatMap(wordsOf)
  const ends = words.filter(({ isEnd, text }) => isEnd && text.length >= lettersMin)
  const groups = all.flatMap((text) => groupsOf(withoutReasons(text)))
  return {
    message,
    ends: basesOf(ends),
    all: basesOf(words),
    groups,
    texts: all,
    whole: whole ?? all,
  }
}

// These say when, or that it is a thing, and not which.
const vague: ReadonlySet<string> = new Set(
  (
    'mail email message subject event item thing file entry monday tuesday wednesday thursday ' +
    'friday saturday sunday january february march april june july august september october ' +
    'november december morning noon afternoon evening night week month'
  ).split(' '),
)

/** What people call such things, though their names may lack it: `my climbing date`. */
const kindWords: ReadonlySet<string> = new Set(
  'appointment call date email event letter mail meeting message session'.split(' '),
)

/**
 * Of names that others can have written, the groups of words that can mean what is called so: all
 * words of the group are in the name, but for the one that says what kind of thing it is, or
 * loosely for each that could.
 */
export function groupsMeaning(
  name: string,
  { thing, isLoose = false }: { readonly thing: string; readonly isLoose?: boolean },
  { groups }: Pick<OwnWords, 'groups'>,
): readonly (readonly string[])[] {
  const inName = basesOf(wordsOf(name))
  return groups.filter((group) => {
    // Of `tomorrow's lunch` an `s` is left.
    const own = group.filter((word) => word !== thing && word.length > 1)
    const words = isLoose ? own.filter((word) => !kindWords.has(word)) : own
    if (words.every((word) => vague.has(word) || word.length < lettersMin)) return false
    return words.every((word) => basesOfWord(word).some((base) => inName.has(base)))
  })
}

/** Whether the words name what is called so: a word of it is what they are about. */
export function isNamedIn(name: string, { ends }: OwnWords): boolean {
  return wordsOf(name).some(({ text }) => isAmong(ends, text))
}

/** Whether one who searched for this searched for what the words are about, and for no more. */
export function isSearchedFor(query: string, own: OwnWords): boolean {
  const searched = wordsOf(query).filter(({ text }) => !between.has(text))
  return searched.every(({ text }) => isAmong(own.all, text)) && isNamedIn(query, own)
}

/** Whether one of these words, in any form, is among theirs. */
export function saysOneOf(words: readonly string[], { all }: Pick<OwnWords, 'all'>): boolean {
  return words.some((word) => isAmong(all, word))
}

/** The words of a title that say what it is about, as one text. */
export function titleWordsIn(title: string): string {
  const words = wordsOf(title).map(({ text }) => text)
  return words.filter((word) => word.length >= lettersMin && !between.has(word)).join(' ')
}

/** Whether all words of the text are among theirs. */
export function saysAll(text: string, { all }: Pick<OwnWords, 'all'>): boolean {
  const words = wordsOf(text)
  return words.length > 0 && words.every((word) => isAmong(all, word.text))
}

function basesOf(words: readonly Pick<Word, 'text'>[]): ReadonlySet<string> {
  return new Set(words.flatMap(({ text }) => basesOfWord(text)))
}

function isAmong(bases: ReadonlySet<string>, word: string): boolean {
  return basesOfWord(word).some((base) => bases.has(base))
}

function basesOfWord(text: string): readonly string[] {
  return [text, ...formsOf(text).flat()]
}
