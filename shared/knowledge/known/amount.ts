// Amounts: exact decimals in English notation, a point before the fraction and commas between
// groups of three. What may be read in two ways is no amount.
import { withoutEnd } from '#record/reading/text-end'
import { isDigit, isWord } from './edges.ts'

const decimal = /^(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?$/
const written = /^([+-]?)(?:[A-Z]{3} ?|[$€£¥] ?)?([0-9][0-9.,]*)(?: ?[A-Z]{3}| ?[$€£¥])?$/
const digitsMax = 64

/** The one spelling of the amount: no sign for plus, no zeros at its ends. */
export function amountIn(text: string): string | null {
  const [, sign = '', digits = ''] = written.exec(text.trim()) ?? []
  const amount = exact(digits)
  return amount === null || sign !== '-' || amount === '0' ? amount : `-${amount}`
}

function exact(digits: string): string | null {
  if (digits.length > digitsMax || !decimal.test(digits)) return null
  const [whole = '', fraction = ''] = digits.replaceAll(',', '').split('.')
  const ends = withoutEnd(fraction, /0/)
  const begins = whole.replace(/^0+(?=[0-9])/, '')
  return ends === '' ? begins : `${begins}.${ends}`
}

// A date, a time, a version or a range is one run of these, and no amount.
const runs = /[0-9](?:[0-9.,:/_'-]*[0-9])?/g

export function isAmountIn(amount: string, text: string): boolean {
  for (const found of amountsOf(text)) if (found === amount) return true
  return false
}

/** Each amount in a text, in its one spelling. */
export function* amountsOf(text: string): Generator<string> {
  for (const { amount } of amountsSaid(text)) yield amount
}

/** Where each stands, with the digits that are written there. */
export function* amountsSaid(text: string): Generator<{
  readonly amount: string
  readonly run: string
  readonly index: number
}> {
  for (const { 0: run, index } of text.matchAll(runs)) {
    const found = exact(run)
    if (found === null || !isFree(text, index, index + run.length)) continue
    const isMinus = text.charAt(index - 1) === '-'
    yield { amount: isMinus && found !== '0' ? `-${found}` : found, run, index }
  }
}

function isFree(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 4), start)
  const after = text.slice(end, end + 4)
  return isFreeBefore(before) && isFreeAfter(after)
}

function isFreeBefore(before: string): boolean {
  const last = before.charAt(before.length - 1)
  if (last === '' || /[A-Z]{3}$/.test(before)) return !/[A-Za-z0-9_][A-Z]{3}$/.test(before)
  if (last === '-') return !isWord(before.charCodeAt(before.length - 2))
  return !'.,#%/'.includes(last) && !isWord(last.charCodeAt(0))
}

function isFreeAfter(after: string): boolean {
  if (after === '' || /^[A-Z]{3}(?![A-Za-z0-9_])/.test(after)) return true
  const [first = '', second = ''] = after
  if (first === '-') return !isWord(second.charCodeAt(0))
  return first !== '%' && !isDigit(first.charCodeAt(0)) && !isWord(first.charCodeAt(0))
}
