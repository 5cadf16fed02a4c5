// Every value of a kind that a search would find in a text: the text as a whole, and what stands in
// it by itself. What is not listed here is not known; nothing is listed that a search would miss.
import { withoutEnd } from '#record/reading/text-end'
import type { ValueKind } from '#schemas/values'
import { amountsOf } from './amount.ts'
import { kindOfValue, valuesInText } from './kinds.ts'
import { urlFormsIn } from './url.ts'

/** Each in the form in which its kind is compared; some may come twice. */
export function* candidatesIn(kind: ValueKind, text: string): Generator<string> {
  const whole = kindOfValue(kind).form(text)
  if (whole !== null) yield whole
  switch (kind) {
    case 'amount':
      yield* amountsOf(text)
      break
    case 'url':
      yield* urlFormsIn(text)
      break
    case 'email':
      yield* checked(kind, text, emailsIn(text))
      break
    case 'account':
      yield* checked(kind, text, groupsIn(text))
      break
    case 'id':
    case 'path':
      yield* checked(kind, text, tokensIn(text))
      break
    case 'name':
      yield* checked(kind, text, phrasesIn(text))
      break
    case 'time':
      // What a result has as a time makes none known.
      break
  }
}

/** A part of a text that may be a value. */
interface Part {
  readonly start: number
  readonly end: number
}

// Beyond so many characters around it nothing is looked at: what goes on is then not listed.
const around = 64

/** Those that stand by themselves, as a search sees it. */
function* checked(kind: ValueKind, text: string, parts: Iterable<Part>): Generator<string> {
  const of = kindOfValue(kind)
  for (const { start, end } of parts) {
    const found = of.form(text.slice(start, end))
    if (found === null) continue
    const nearby = text.slice(Math.max(0, start - around), end + around)
    if (of.isIn(found, nearby)) yield found
  }
}

function* emailsIn(text: string): Generator<Part> {
  let from = 0
  for (const email of valuesInText('email', text)) {
    const start = text.indexOf(email, from)
    from = start + email.length
    yield { start, end: from }
    // A full stop at its end is of the sentence.
    const bare = withoutEnd(email, /[.-]/)
    if (bare.length < email.length) yield { start, end: start + bare.length }
  }
}

const groupsMax = 10
const charactersMax = 64

/** Groups of letters and digits with one space or hyphen between, in which is a digit. */
function* groupsIn(text: string): Generator<Part> {
  const groups = Array.from(text.matchAll(/[0-9A-Za-z+_.:/@]+/g), ({ 0: group, index }) => {
    const start = index + group.length - group.replace(/^[._:/@]+/, '').length
    return { start, end: index + withoutEnd(group, /[._:/@]/).length }
  })
  for (const [first, { start }] of groups.entries()) {
    let before = start
    for (const { start: from, end } of groups.slice(first, first + groupsMax)) {
      const isNext = from === start || /^[ \u00a0-]$/.test(text.slice(before, from))
      if (!isNext || end - start > charactersMax) break
      before = end
      if (/[0-9]/.test(text.slice(start, end))) yield { start, end }
    }
  }
}

/** What stands between spaces, and between quotes, brackets and commas, with less of its ends. */
function* tokensIn(text: string): Generator<Part> {
  for (const expression of [
    /[^\s"'`<>()[\]{},;|]+/g,
    /[^\s"'`<>()[\]{},;|:=@#]+/g,
    /[\p{L}\p{N}_]+/gu,
  ]) {
    for (const { 0: token, index } of text.matchAll(expression)) {
      yield { start: index, end: index + token.length }
      const bare = withoutEnd(token, /[.!?:*-]/)
      if (bare.length < token.length) yield { start: index, end: index + bare.length }
    }
  }
}

const wordsMax = 5

/** Up to so many words after each other. */
function* phrasesIn(text: string): Generator<Part> {
  const words = Array.from(
    text.matchAll(/[\p{L}\p{N}_][\p{L}\p{N}_.@'’-]*/gu),
    ({ 0: word, index }) => {
      return { start: index, end: index + word.length }
    },
  )
  for (const [first, { start }] of words.entries()) {
    for (const { end, start: from } of words.slice(first, first + wordsMax)) {
      if (from > start && /[\n.!?]/.test(text.slice(Math.max(start, from - 2), from))) break
      yield { start, end }
      const bare = withoutEnd(text.slice(start, end), /[.'’-]/)
      if (start + bare.length < end) yield { start, end: start + bare.length }
    }
  }
}
