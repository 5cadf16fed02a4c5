// For each kind of value, the form in which two spellings of it are one, and whether it stands in a
// text. A change here changes what intents come to: it needs a new version of the rules.
import type { ValueKind } from '#schemas/values'
import { unreachable } from '#record/fault'
import { amountIn, isAmountIn } from './amount.ts'
import { isIn, lower, type Edges, isDigit, standsAlone } from './edges.ts'
import { wordsBelow } from './pointer.ts'
import { isTimeIn, timeForm } from './times/time-form.ts'
import { isUrlIn, urlIn, urlsOf } from './url.ts'

// Numbers of accounts, cards and telephones: written with or without spaces and hyphens between
// groups, they are one number.

const groupEdges: Edges = { always: '', before: '-./', after: '-./' }
const charactersMax = 64

function groupedForm(text: string): string | null {
  const joined = upper(text.replaceAll(/[ \u00a0-]+/g, ''))
  const isOne = joined.length > 0 && joined.length <= charactersMax
  return isOne && /^[0-9A-Za-z+_.:/@]+$/.test(joined) ? joined : null
}

/** Between two characters of the number there may be one space or hyphen. */
function isGroupedIn(number: string, text: string): boolean {
  const first = number.charAt(0)
  for (let start = 0; start < text.length; start += 1) {
    if (upper(text.charAt(start)) !== first) continue
    const end = endOf(number, text, start)
    if (end === null || isOfLonger(text, { start, end, number })) continue
    if (standsAlone(text, { start, end }, groupEdges)) return true
  }
  return false
}

function endOf(number: string, text: string, start: number): number | null {
  let at = start
  for (let index = 0; index < number.length; index += 1) {
    if (index > 0 && isSeparator(text.charAt(at)) && !isSeparator(number.charAt(index))) at += 1
    if (upper(text.charAt(at)) !== number.charAt(index)) return null
    at += 1
  }
  return at
}

// In groups, a further group of digits belongs to the same number.
function isOfLonger(
  text: string,
  found: { readonly start: number; readonly end: number; readonly number: string },
): boolean {
  const { start, end, number } = found
  if (end - start === number.length) return false
  return (
    (isSeparator(text.charAt(end)) && isDigit(text.charCodeAt(end + 1))) ||
    (isSeparator(text.charAt(start - 1)) && isDigit(text.charCodeAt(start - 2)))
  )
}

function isSeparator(character: string): boolean {
  return character === ' ' || character === '\u00a0' || character === '-'
}

function upper(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
}

export interface KindOfValue {
  /** The form in which values are compared; null for what is no value of the kind. */
  form(text: string): string | null
  /** Whether a value in that form stands in the text by itself. */
  isIn(form: string, text: string): boolean
}

const emailEdges: Edges = { always: '%+@', before: ".!#$&'*/=?^`{|}~-", after: '.-' }
const idEdges: Edges = { always: '$€£¥%°', before: '-.,:/@#+\\~', after: '-.,:/@#+\\~' }
const nameEdges: Edges = { always: '', before: "-.@'’", after: '-.@' }
const pathEdges: Edges = { always: '/\\~', before: '.-:@+', after: '.-+' }

const grouped: KindOfValue = { form: groupedForm, isIn: isGroupedIn }
const amount: KindOfValue = { form: amountIn, isIn: isAmountIn }
const url: KindOfValue = { form: urlIn, isIn: isUrlIn }
const time: KindOfValue = { form: timeForm, isIn: isTimeIn }

const email: KindOfValue = {
  form: (text) => {
    const form = lower(text.trim().normalize('NFC'))
    return /^[^\s@]+@[^\s@]+$/.test(form) ? form : null
  },
  isIn: (form, text) => isIn(form, lower(text.normalize('NFC')), emailEdges),
}

const name: KindOfValue = {
  form: (text) => notEmpty(nameForm(text).trim()),
  isIn: (form, text) => isIn(form, nameForm(text), nameEdges),
}

/** Whether the name stands in the text with neither an owner before it nor anything below it. */
export function isBareIn(form: string, text: string): boolean {
  return isIn(form, nameForm(text), { ...nameEdges, always: '/' })
}

const id = exactWith(idEdges)
const path = exactWith(pathEdges)

function exactWith(edges: Edges): KindOfValue {
  return {
    form: (text) => notEmpty(text.trim().normalize('NFC')),
    isIn: (form, text) => isIn(form, text.normalize('NFC'), edges),
  }
}

export function kindOfValue(kind: ValueKind): KindOfValue {
  switch (kind) {
    case 'account':
      return grouped
    case 'amount':
      return amount
    case 'email':
      return email
    case 'id':
      return id
    case 'name':
      return name
    case 'path':
      return path
    case 'time':
      return time
    case 'url':
      return url
    default:
      return unreachable(kind)
  }
}

/** Equal to the whole text, or in it with no character of its kind beside it. */
export function isValueIn(kind: ValueKind, form: string, text: string): boolean {
  const of = kindOfValue(kind)
  return of.isIn(form, text) || of.form(text) === form
}

/** Whether it is so of anything that a call was given. */
export function isGiven(args: object, isOf: (text: string) => boolean): boolean {
  for (const { text } of wordsBelow({ pointer: '', value: args })) if (isOf(text)) return true
  return false
}

function nameForm(text: string): string {
  return lower(text.normalize('NFC')).replaceAll(/[\t\n\r \u00a0]+/g, ' ')
}

function notEmpty(text: string): string | null {
  return text === '' ? null : text
}

/** Letters and digits. Beyond ASCII all but the blocks of punctuation counts as a letter. */
export const letters = 'A-Za-z0-9\\u00c0-\\u1fff\\u2c00-\\u2fff\\u3040-\\uffff'
const emails = new RegExp(
  `(?<![${letters}._%+-])[${letters}._%+-]+@[${letters}-]+(?:\\.[${letters}-]+)+`,
  'g',
)

/** Each value of the kind in a text; of a kind that has no shape of its own, none. */
export function valuesInText(kind: ValueKind, text: string): string[] {
  if (kind === 'url') return urlsOf(text)
  return kind === 'email' ? (text.match(emails) ?? []) : []
}
