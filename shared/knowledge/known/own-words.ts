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
    'for from get give had has have here how i if in including into is it its just last later ' +
    'let like make me might mine month more most must my named need needs next now of off on ' +
    'once one only onto or order ordered our out over own pay per please purchased put really ' +
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
    if (at === 0 || !/^(?:[-'’]| +)$/.test(gap)) isLast = true
    const isNumber = /^[0-9]+$/.test(word)
    const isEnd = isLast && !isNumber && !isDenied && !between.has(word)
    isLast = between.has(word) || against.has(word) || (isLast && isNumber)
    return { text: word, isEnd }
  })
}

/** What a text is about in which a person speaks: base forms, so that plurals are the same. */
export interface OwnWords {
  readonly message: string
  readonly ends: ReadonlySet<string>
  readonly all: ReadonlySet<string>
}

export function ownWordsIn(message: string, texts: Iterable<string>): OwnWords {
  const words = [...texts].flatMap(wordsOf)
  const ends = words.filter(({ isEnd, text }) => isEnd && text.length >= lettersMin)
  return { message, ends: basesOf(ends), all: basesOf(words) }
}

/** Whether the words name what is called so: a word of it is what they are about. */
export function isNamedIn(name: string, { ends }: OwnWords): boolean {
  return wordsOf(name).some((word) => isAmong(ends, word))
}

/** Whether one who searched for this searched for what the words are about, and for no more. */
export function isSearchedFor(query: string, own: OwnWords): boolean {
  const searched = wordsOf(query).filter(({ text }) => !between.has(text))
  return searched.every((word) => isAmong(own.all, word)) && isNamedIn(query, own)
}

function basesOf(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.flatMap(({ text }) => basesOfWord(text)))
}

function isAmong(bases: ReadonlySet<string>, { text }: Word): boolean {
  return basesOfWord(text).some((base) => bases.has(base))
}

function basesOfWord(text: string): readonly string[] {
  return [text, ...formsOf(text).flat()]
}
