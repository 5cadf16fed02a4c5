// What a person's own words name for this request: the text that an agent is to go by. English
// alone, and in doubt nothing: what is not wanted, what is only to be looked at, and what the
// person pasted name nothing.
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
  const sentences = own.split(/(?<=[.!?;])\s+|\n+/).map((sentence) => {
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

// Whether people's own words ask for what a call does, and not only speak of what it is done to:
// who has a repository looked at has named it, and did not ask that it be deleted.

const pronoun = /^(?:it|them|this|that|these|those|both)$/i

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
  return sentences.some(({ meant }, index) => {
    const words = ownWordsIn('', [meant])
    if (!saysOneOf(verbs, words)) return false
    if (speaksOf(meant)) return true
    const before = sentences[index - 1]
    if (before === undefined || !isDoneToThat(verbs, meant)) return false
    // `Never delete it`, said of the same, stands against it.
    if (saysOneOf(verbs, ownWordsIn('', [before.denied]))) return false
    return speaksOf(`${before.meant}${before.denied}`)
  })
}

/** Whether the act is done to what was spoken of: `delete it`, `get rid of them`. */
function isDoneToThat(verbs: readonly string[], sentence: string): boolean {
  const words = sentence.split(/[^\p{L}\p{N}]+/u)
  return words.some((word, index) => {
    const isNear = words.slice(index + 1, index + 3).some((next) => pronoun.test(next))
    return isNear && saysOneOf(verbs, ownWordsIn('', [word]))
  })
}
