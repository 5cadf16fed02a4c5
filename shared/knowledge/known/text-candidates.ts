// All values of a kind that stand in a text which others wrote, or null where anything in it may be
// one that is not read here: a text that people named says a value only where it holds just one.
import type { ValueKind } from '#schemas/values'
import { withoutEnd } from '#record/reading/text-end'
import { amountIn } from './amount.ts'
import { lower } from './edges.ts'
import { showsNothing } from './invisible.ts'
import { kindOfValue, valuesInText } from './kinds.ts'

/** Whether a person who looks at the text sees all of it. */
export function isPlain(text: string): boolean {
  if (/<(?![^\s<>@]+@[^\s<>@]+>)\s*[a-z!/?]|&(?:#|[a-z]+;)|\[\/\/\]:/i.test(text)) return false
  if (/[ \t\u00a0\u2000-\u200a\u3000]{24}|(?:[ \t]*\r?\n){6}/.test(text)) return false
  return Array.from(text).every((character) => {
    return /[\t\n\r]/.test(character) || !showsNothing(character.codePointAt(0) ?? 0)
  })
}

export function valuesOfText(kind: ValueKind, text: string): ReadonlySet<string> | null {
  switch (kind) {
    case 'email':
      return ofShape(kind, text, /@|＠|﹫|[[({<]\s*(?:at|dot)\s*[\])}>]|\bat\s+\S+\s+dot\b/i)
    case 'url':
      return ofShape(kind, text, /:\/\/|www|hxxp|[[({<]\s*(?:\.|dot)\s*[\])}>]|\b\S+\s+dot\s+\S+/i)
    case 'path':
      return pathsOf(text)
    case 'amount':
      return moneyOf(text)
    default:
      return null
  }
}

/** Those that are found by their shape, if nothing of what is left looks like one. */
function ofShape(kind: ValueKind, text: string, likeOne: RegExp): ReadonlySet<string> | null {
  const found = valuesInText(kind, text)
  const rest = found
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, one) => left.replaceAll(one, ' '), text)
  const forms = found.map((one) => kindOfValue(kind).form(one))
  if (likeOne.test(rest) || forms.includes(null)) return null
  return new Set(forms.flatMap((form) => form ?? []))
}

function pathsOf(text: string): ReadonlySet<string> | null {
  if (text.includes('\\')) return null
  const runs = text.split(/[\s"'`()<>]+/).map((run) => withoutEnd(run, /[.,;:!?]/))
  const paths = runs.filter((run) => {
    if (run.includes('://') || /^[0-9]+\/[0-9]+\/[0-9]+$/.test(run)) return false
    return run.includes('/') || /^[\w-]+\.[a-z][a-z0-9]{0,5}$/i.test(run)
  })
  return new Set(paths.flatMap((one) => kindOfValue('path').form(one) ?? []))
}

const currency = '[$€£¥]|USD|EUR|GBP|CHF|JPY|SEK|DKK|NOK|CAD|AUD|dollars?|euros?|pounds?|francs?'
const marks = new RegExp(`(?<![a-z])(?:${currency})(?![a-z])`, 'gi')
const number = '[0-9](?:[0-9.,]*[0-9])?'
const money = new RegExp(
  `(?<![a-z])(?:${currency}) ?(${number})|(?<![\\w.,#/-])(${number}) ?(?:${currency})(?![a-z])`,
  'gi',
)
/** Digits and number words in other writings. */
const strange = new RegExp(
  '[²³¹\\ud835\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f\\u2070-\\u2089\\uff10-\\uff19]' +
    "|[0-9]['’_ \\u00a0][0-9]{3}\\b|\\b(?:hundred|thousand|million)\\b",
  'i',
)

/** Amounts with a currency or cents; where there are none, all plain numbers. */
function moneyOf(text: string): ReadonlySet<string> | null {
  if (strange.test(text)) return null
  const found = [...text.matchAll(money)].map(([, after, before]) => after ?? before ?? '')
  const rest = text.replaceAll(money, ' ')
  if (rest.search(marks) !== -1) return null
  const numbers = rest.split(/[\s()"';:!?]+/).map((run) => withoutEnd(run, /[.,]/))
  const cents = numbers.filter((run) => /^[+-]?[0-9][0-9.,]*[.,][0-9]{2}$/.test(run))
  const plain = numbers.filter((run) => /^[+-]?[0-9][0-9.,]*$/.test(run))
  const all = [...found, ...cents]
  const forms = (all.length > 0 ? all : plain).map((one) => amountIn(one))
  if (forms.includes(null)) return null
  return new Set(forms.flatMap((form) => form ?? []))
}

const payees = new RegExp(
  '\\b(?:payee|beneficiary|account (?:holder|name|owner)|(?:payable|pay|paid|payment) to' +
    '|transfer(?:red)? (?:(?:it|this|the amount) )?to|wire to|remit(?:tance)? to|in favou?r of' +
    '|on behalf of|in the name of)\\b[ \\t:]*([^\\n,;]{0,80})',
  'gi',
)
const accounts = /(?<![\w])[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{2,4}){3,8}(?![\w])|\b[0-9]{8,}\b/g
const companies: ReadonlySet<string> = new Set('ag co company gmbh inc llc ltd the'.split(' '))

/** Whether it speaks of someone to be paid who is not its writer, or of two accounts. */
export function speaksOfAnother(text: string, writer: string): boolean {
  const numbers = (text.match(accounts) ?? []).map((one) => one.replaceAll(/[ -]/g, ''))
  if (new Set(numbers).size > 1) return true
  const own = new Set(wordsOf(writer))
  return [...text.matchAll(payees)].some(([, name = '']) => {
    const words = wordsOf(name.replace(/\.(?:\s.*)?$/s, '')).filter((word) => !companies.has(word))
    return words.length === 0 || words.some((word) => !own.has(word))
  })
}

function wordsOf(text: string): readonly string[] {
  return lower(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
