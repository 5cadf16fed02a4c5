// What a person's own words name for this request: the text that an agent is to go by. English
// alone, and in doubt nothing: what is not wanted, what is only to be looked at, and what the
// person pasted name nothing.
import type { ValueKind } from '#schemas/values'
import { lower } from './edges.ts'
import { isValueIn, letters } from './kinds.ts'
import { awayFrom, imperatives, openings, retractedAt, sentenceGap } from '../grounding/moods.ts'
import { withoutReasons } from './own-words.ts'
import { valuesOfText } from './text-candidates.ts'

/** A person's words as far as they are their own, sentence by sentence. */
export interface OwnRequest {
  /** Of each sentence what stands before a word against it, and what stands after. */
  readonly sentences: readonly { readonly meant: string; readonly denied: string }[]
}

const charactersMax = 2_000
const betweenSentences = new RegExp(`${sentenceGap}|\\n+`, 'i')
/** From here on it is someone else's text: quotes, code, what was forwarded, mark-up. */
const pasted = new RegExp(
  '^[ \\t]*(?:>|```|~~~|-{3,}|={3,}|_{3,}|(?:from|to|sent|subject|date)[ \\t]*:' +
    '|on .{1,80} wrote:)|<[a-z!/?]',
  'im',
)
const against = new RegExp(
  '\\b(?:not|no|never|neither|nor|without|avoid|instead|except|excluding|ignore|skip|unless' +
    "|rather|stop|dont|don['’]t)\\b",
  'i',
)

/** What of a text is a person's own; null for one so long that most is likely to be pasted. */
export function ownTextIn(text: string): string | null {
  if (text.length > charactersMax) return null
  const at = text.search(pasted)
  return at === -1 ? text : text.slice(0, at)
}

export function sentencesOf(text: string): readonly string[] {
  return text.split(betweenSentences)
}

export function requestIn(text: string): OwnRequest | null {
  const own = ownTextIn(text)
  if (own === null) return null
  const sentences = sentencesOf(own).map((sentence) => {
    const end = sentence.search(against)
    const meant = end === -1 ? sentence : sentence.slice(0, end)
    return { meant, denied: sentence.slice(meant.length) }
  })
  return { sentences }
}

/** How the words name a text, with its identifier taken out of them. */
export interface Naming {
  /** The sentence that names it, as far as nothing in it speaks against it. */
  readonly sentence: string
  /** All that the person wrote. */
  readonly all: readonly string[]
}

interface Identifier {
  readonly kind: ValueKind
  readonly form: string
  /** As a result shows it. */
  readonly shown: string
}

/** Null where the words do not name it, or name it as what is not wanted. */
export function namingOf({ sentences }: OwnRequest, of: Identifier): Naming | null {
  const { kind, form, shown } = of
  // A title of one word is a word, and no one knows whether it is meant.
  if (kind === 'name' && form.split(' ').filter((word) => /[^\W_]/.test(word)).length < 2) {
    return null
  }
  if (sentences.some(({ denied }) => isValueIn(kind, form, denied))) return null
  const found = sentences.find(({ meant }) => isValueIn(kind, form, meant))
  if (found === undefined) return null
  const all = sentences.map(({ meant, denied }) => without(`${meant}${denied}`, shown))
  return { sentence: without(found.meant, shown), all }
}

function without(text: string, shown: string): string {
  const part = lower(shown.trim())
  if (part === '') return text
  let at = 0
  const kept = lower(text)
    .split(part)
    .map((piece) => {
      const start = at
      at += piece.length + part.length
      return text.slice(start, start + piece.length)
    })
  return kept.join(' ')
}

const goBy = 'do|does|follow|carry|fulfil|fulfill|handle|per|according|accordingly|process|settle'
const acts: Readonly<Partial<Record<ValueKind, string>>> = {
  amount: 'pay|transfer|send|settle|reimburse|refund|wire',
  email: 'send|mail|email|e-mail|write|reply|answer|invite|forward|share|add|contact',
  url: 'open|visit|go|browse|download|fetch|get|click|use',
  path: 'create|copy|move|save|store|put|write|push|use',
}

/** Whether the sentence asks to do what needs such a value, and not only to look. */
export function asksFor(kind: ValueKind, { sentence }: Naming): boolean {
  const words = `${goBy}|${acts[kind] ?? ''}`
  return new RegExp(`(?<![\\w-])(?:${words})(?![\\w-])`, 'i').test(sentence)
}

/** Whether the words say which value of the kind it is to be: then no text says it. */
export function saysWhich(kind: ValueKind, { all }: Naming): boolean {
  return all.some((text) => valuesOfText(kind, text)?.size !== 0)
}

/** Whether the text speaks of the persons, months and days of which the sentence does. */
export function isWithin({ sentence }: Naming, text: string): boolean {
  const said = sentence.trim()
  const dates = said.match(/\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b/g) ?? []
  const capitals = [...said.matchAll(new RegExp(`(?<![${letters}])[A-Z][${letters}]+`, 'g'))]
  // The first word of a sentence has a capital in any case.
  const names = capitals.flatMap(({ 0: word, index }) => (index === 0 ? [] : lower(word)))
  return [...dates, ...names].every((one) => lower(text).includes(one))
}

const someWords = 'of|the|my|those|these|old|older|new|read|unread|recent|other'

/** Whether the words mean all that is someone's: `every mail from ann@x.com`, `all of bob`. */
export function meansAllOf(whose: string, thing: string, text: string): boolean {
  const things = `${thing}|(?:e-?)?mail|message|newsletter|item|thing|entry|file|event|one`
  const all = new RegExp(
    `(?<![\\w-])(?:all|every|each|everything)(?: (?:${someWords}))*(?: (?:${things})(?:e?s)?)?` +
      "(?: (?:that |which )?I (?:have |[’']ve )?(?:starred|got|received|kept))?" +
      ' (?:of|from|by|with) (?:the (?:owner|user|account|sender) )?',
    'i',
  )
  const { sentences = [] } = requestIn(text) ?? {}
  return sentences.some(({ meant, denied }) => {
    // Which of them is excepted is not seen here.
    if (/^(?:except|excluding|without)\b/i.test(denied)) return false
    const found = all.exec(meant)
    const after = found === null ? '' : meant.slice(found.index + found[0].length)
    const bare = lower(after).replace(/^["'“‘]/, '')
    return bare.startsWith(whose) && isValueIn('name', whose, after)
  })
}

const theirs = new RegExp(
  '\\b(?:all|every|each|everything|any)(?: (?:one|bit))?(?: of)? ' +
    '(?:it|them|those|these|theirs?|h(?:is|er)|its)\\b|\\b(?:their|its) (?:[a-z]+ )?' +
    '(?:e-?mails|mails|messages|newsletters|ads|spam)\\b',
  'i',
)

/** Whether words mean all of theirs, of whom the same sentence or the one before it speaks. */
export function meansAllTheirs(name: string, words: string, whole: readonly string[]): boolean {
  const { sentences = [] } = requestIn(words) ?? {}
  const all = whole.map((text) => sentencesOf(ownTextIn(text) ?? ''))
  return sentences.some(({ meant }) => {
    if (!theirs.test(meant)) return false
    return all.some((each) => {
      const at = each.findIndex((one) => one.includes(meant.trim()))
      const near = at === -1 ? [] : each.slice(Math.max(0, at - 1), at + 1)
      return near.some((one) => isValueIn('name', name, one))
    })
  })
}

const [around, toward] = [/\b(?:in|inside|under|below|of|from)\b/i, /\b(?:to|into|onto|over)\b/i]

interface PathSought {
  readonly kind: ValueKind
  readonly form: string
  readonly also: { readonly within?: true | undefined }
}

/**
 * Whether a sentence names a path only as the place in which something lies, or to which it goes:
 * who has `a.txt in /desk` deleted speaks not of the desk.
 */
export function isOnlyAround({ kind, form, also }: PathSought, sentence: string): boolean {
  if (kind !== 'path') return false
  const parts = sentence.split(form)
  const before = also.within === true ? toward : around
  const place = new RegExp(`${before.source}\\s+(?:the |my )?(?:folder |directory )?["'\`]?$`, 'i')
  return parts.length > 1 && parts.slice(0, -1).every((part) => place.test(part))
}

/** Words after which stands what is left out of all. */
export const excepting = 'skip|excluding|(?:apart|aside) from|save for|other than|minus'
/** A word with what an address, a number or a path has. */
const valued = '[^ ]*[0-9@/]'
const barring = new RegExp(
  "\\b(?:do(?:n['’]t| not)(?! (?:forget|hesitate|worry|mind|need|have|you|we)\\b)|dont" +
    "|(?:must|should|shall|may|can)(?:n['’]t| not)(?! (?:you|we|i)\\b)|cannot|not to" +
    '|(?:must|should|shall|may|is to|are to) (?:h[e]ar|know|learn|get|see|receive) nothing' +
    "|can['’]t(?! (?:you|we|i|find|come|make|attend|join|help)\\b)" +
    '|never(?! mind\\b)|(?:under|in|on|by) no (?:circumstances?|case|account|means)' +
    `|neither|nor|without|avoid|ignore|except|${excepting}|not counting|instead of|rather than` +
    "|needs? not|needn['’]t|does(?:n['’]t| not) (?:need|have) to|stays? (?:at home|away|out)" +
    `|${awayFrom}|leave(?= (?:[^ ,;:]+ ){1,6}(?:alone|untouched|as (?:it|they) (?:is|are))\\b)` +
    '|(?:leave|keep)(?= (?:[^ ]+ ){0,4}out\\b(?! (?:what|where|who|if|whether|how)\\b))' +
    // `all of them but x` bars x; `all of them, but pay x` does not.
    '|but(?<=\\b(?:all|any|each|every)(?:one|body|thing)?\\b.{0,120} but)' +
    `(?= (?:for )?(?:the |my )?${valued})` +
    `|not (?=(?:to |the |my |one |account |address |number )*${valued}))\\b`,
  'i',
)

/** What bars that of which a clause speaks first: `Ann (ann@x.com) must not know`. */
const barsSubject =
  /^(?:(?:must|should|shall|may|can|need|does|is|are|stays?)|cannot|never|not to)/i
const clauseBegins = /^.*(?:[,;:]|\b(?:and|but|so|that|then|because|while)\b)\s*/is
const asksFirst = new RegExp(
  `^(?:(?:${openings}|i|we|you|it|this|that|there|let|can|could|would|will)\\b` +
    `|i['’]|(?:${imperatives})\\b)`,
  'i',
)

const ofThat =
  '(?:it|them|this|that|these|those|h(?:im|er))' +
  '(?=\\s*(?:[.,;:!?)]|$|(?:please|now|yet|and|but|at all|for now|alone|be|untouched)\\b))'
/** What was spoken of is to be left as it is: `stay away from it`. */
const leavesIt = new RegExp(
  `\\b(?:(?:${awayFrom}|do(?:n['’]t| not) touch) ${ofThat}|leave ${ofThat} (?:alone|untouched))`,
  'i',
)

const opener = new RegExp(`\\b(?:${openings})\\b`, 'gi')

/** A text less what it says against something, or takes back: each act by itself. */
export function partsMeant(text: string): readonly string[] {
  const parts: (readonly string[])[] = []
  for (const sentence of sentencesOf(withoutReasons(text))) {
    const at = retractedAt(sentence)
    // What stands before it in the sentence is taken back, or the sentence before.
    if (at !== -1 && !/\p{L}/u.test(sentence.slice(0, at))) parts.pop()
    const left = at === -1 ? sentence.search(leavesIt) : -1
    if (left === -1) {
      parts.push(partsUnbarred(at === -1 ? sentence : sentence.slice(at)))
      continue
    }
    const before = partsUnbarred(sentence.slice(0, left))
    if (!before.some((part) => /\p{L}/u.test(part.replaceAll(opener, '')))) parts.pop()
    parts.push(before.slice(0, -1), partsUnbarred(sentence.slice(left)))
  }
  return parts.flat()
}

function partsUnbarred(sentence: string): readonly string[] {
  const bar = barring.exec(sentence)
  // `Don't, whatever they say, pay it` has its act behind the comma.
  if (bar !== null && sentence.charAt(bar.index + bar[0].length) === ',') {
    return [sentence.slice(0, bar.index)]
  }
  return partsOfActs(sentence).map((part) => {
    const at = part.search(barring)
    return at === -1 ? part : meantBefore(part, at)
  })
}

function meantBefore(part: string, at: number): string {
  const before = part.slice(0, at)
  const clause = clauseBegins.exec(before)?.[0] ?? ''
  const isOfSubject =
    barsSubject.test(part.slice(at)) && !asksFirst.test(before.slice(clause.length))
  return isOfSubject ? clause : before
}

/** Where a sentence goes on with another act: `clone notes and delete maps`. */
const nextAct = new RegExp(
  `(?:[,;:]|\\b(?:then|and|but|so)\\b)\\s+(?=(?:(?:${openings}) )*(?:${imperatives})\\b)`,
  'i',
)

/** A sentence as what it says of each act. */
export function partsOfActs(sentence: string): readonly string[] {
  return sentence.split(nextAct)
}
