// What a person's own words name for this request: the text that an agent is to go by. English
// alone, and in doubt nothing: what is not wanted, what is only to be looked at, and what the
// person pasted name nothing.
import { withoutEnd } from '#record/reading/text-end'
import type { ValueKind } from '#schemas/values'
import { lower } from './edges.ts'
import { isValueIn, letters } from './kinds.ts'
import { ownWordsIn, saysOneOf, withoutReasons } from './own-words.ts'
import { valuesOfText } from './text-candidates.ts'

/** A person's words as far as they are their own, sentence by sentence. */
export interface OwnRequest {
  /** Of each sentence what stands before a word against it, and what stands after. */
  readonly sentences: readonly { readonly meant: string; readonly denied: string }[]
}

const charactersMax = 2_000
const betweenSentences = /(?<=[.!?;])\s+|\n+/
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

/** Null for a text so long that most of it is likely to have been pasted. */
export function requestIn(text: string): OwnRequest | null {
  if (text.length > charactersMax) return null
  const at = text.search(pasted)
  const own = at === -1 ? text : text.slice(0, at)
  const sentences = own.split(betweenSentences).map((sentence) => {
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
  const things = `${thing}|(?:e-?)?mail|message|item|thing|entry|file|event|one`
  const all = new RegExp(
    `(?<![\\w-])(?:all|every|each|everything)(?: (?:${someWords}))*(?: (?:${things})(?:e?s)?)?` +
      ' (?:of|from|by|with) ',
    'i',
  )
  const { sentences = [] } = requestIn(text) ?? {}
  return sentences.some(({ meant }) => {
    const found = all.exec(meant)
    const after = found === null ? '' : meant.slice(found.index + found[0].length)
    return lower(after).startsWith(whose) && isValueIn('name', whose, after)
  })
}

// Whether people's own words ask for what a call does, and not only speak of what it is done to:
// who has a repository looked at has named it, and did not ask that it be deleted.

const pronoun = /^(?:it|them|this|that|these|those|both|h(?:im|er))$/i
const openings = 'please|pls|so|then|just|now|kindly|and|but|also|instead'
const opening = new RegExp(`^(?:${openings})$`, 'i')
const ending = /^(?:and|then|please|now|today)$/i

/**
 * Whether a sentence asks for one of these acts and speaks of the value, or asks for it of what the
 * sentence before speaks of. What stands after a word against it in a sentence asks for nothing.
 */
export function isAskedFor(
  verbs: readonly string[],
  text: string,
  speaksOf: (sentence: string) => boolean,
): boolean {
  const { sentences = [] } = requestIn(withoutReasons(text)) ?? {}
  const saysIt = (words: string): boolean => saysOneOf(verbs, ownWordsIn('', [words]))
  return sentences.some(({ meant, denied }, index) => {
    if (isQuestion(`${meant}${denied}`)) return false
    if (!saysIt(meant)) return false
    const clauses = meant.split(nextAct)
    const asking = clauses.filter(saysIt)
    if (asking.some(speaksOf)) return true
    // What another act is done to is not meant, but by a clause that names nothing of its own.
    const isFree = (clause: string): boolean => !otherAct.test(clause) && speaksOf(clause)
    const isOpen = clauses.some(isFree) || !asking.some((clause) => hasObject(clause, saysIt))
    if (isOpen && speaksOf(meant)) return true
    return clauses.some((clause, at) => {
      if (!saysIt(clause) || !isDoneToThat(clause, saysIt)) return false
      const before = at > 0 ? clauseOf(clauses[at - 1]) : sentences[index - 1]
      // `Never delete it`, said of the same, stands against it.
      if (before === undefined || saysIt(before.denied)) return false
      return speaksOf(`${before.meant}${before.denied}`)
    })
  })
}

function clauseOf(meant = ''): OwnRequest['sentences'][number] {
  return { meant, denied: '' }
}

const barring = new RegExp(
  "\\b(?:do(?:n['’]t| not)(?! (?:forget|hesitate|worry|mind|need|have|you|we)\\b)|dont" +
    "|(?:must|should|shall|may|can)(?:n['’]t| not)(?! (?:you|we|i)\\b)|cannot|not to" +
    '|never(?! mind\\b)|(?:under|in|on|by) no (?:circumstances?|case|account|means)' +
    '|neither|nor|without|avoid|ignore|skip|except|excluding|instead of|rather than' +
    '|not (?=(?:to |the |my |account |address |number )*[^ ]*[0-9@/]))\\b',
  'i',
)

/** A text less what it says against something: each act by itself. */
export function partsMeant(text: string): readonly string[] {
  const sentences = withoutReasons(text).split(betweenSentences)
  return sentences.flatMap((sentence) => {
    const bar = barring.exec(sentence)
    // `Don't, whatever they say, pay it` has its act behind the comma.
    if (bar !== null && sentence.charAt(bar.index + bar[0].length) === ',') {
      return [sentence.slice(0, bar.index)]
    }
    return sentence.split(nextAct).map((part) => {
      const at = part.search(barring)
      return at === -1 ? part : part.slice(0, at)
    })
  })
}

// Who asks about something does not ask that it be done; a question may be a polite request, too.
const question =
  /^\W*(?:who|whose|whom|when|where|why|how|which|what|did|do|does|is|are|was|were|has|have|had)\b/i
const request = /\b(?:about|possible|mind|able|please|don['’]t you|not)\b/i

function isQuestion(sentence: string): boolean {
  const isAsking = sentence.trimEnd().endsWith('?') && question.test(sentence)
  return isAsking && !request.test(sentence)
}

const otherActs = (
  'add answer archive book buy cancel check clone close copy create delete download email file ' +
  'find follow fork forward get give go import inform install invite keep leave list look mail ' +
  'make merge move open order pay post publish pull push put read remind remove rename reply ' +
  'reschedule save see send share show star store sum summarize transfer unstar update upload ' +
  'use visit watch write'
).replaceAll(' ', '|')
const otherAct = new RegExp(`^\\W*(?:(?:${openings}) )*(?:${otherActs})\\b`, 'i')
/** Where a sentence goes on with another act: `clone notes and delete maps`. */
const nextAct = new RegExp(
  `(?:[,;:]|\\b(?:then|and|but|so)\\b)\\s+(?=(?:(?:${openings}) )*(?:${otherActs})\\b)`,
  'i',
)

const article = /^(?:the|my|our|a|an|all|every|each|old|whole|entire)$/i
const noObjects =
  'it them this that these those both me h(?:im|er) us people everyone there here and or then to ' +
  'in into on from with for at by as of afterwards again please now today too also'
const noObject = new RegExp(`^(?:${noObjects.replaceAll(' ', '|')})$`, 'i')

/** Whether it says to what the act is done: a word, and no person, place or pronoun. */
function hasObject(clause: string, isVerb: (word: string) => boolean): boolean {
  const words = clause.split(/\s+/).filter((word) => word !== '')
  return words.some((word, index) => {
    if (!isVerb(word)) return false
    const rest = words.slice(index + 1).map((next) => withoutEnd(next, /\W/))
    const object = rest.find((next) => !article.test(next)) ?? ''
    return /^[^A-Z@]/.test(object) && !object.includes('@') && !noObject.test(object)
  })
}

/**
 * Whether the act is done to what was spoken of: `delete it`, `get rid of them`; or to nothing
 * else, where the sentence begins with it: `Reschedule and write to the others`.
 */
function isDoneToThat(sentence: string, isVerb: (word: string) => boolean): boolean {
  const words = sentence.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const first = words.findIndex((word) => !opening.test(word))
  return words.some((word, index) => {
    const isNear = words.slice(index + 1, index + 3).some((next) => pronoun.test(next))
    const isAlone = index === first && ending.test(words[index + 1] ?? 'and')
    return (isNear || isAlone) && isVerb(word)
  })
}
