// Credentials by their own form and by what stands around them: private keys, JSON Web Tokens,
// headers, connection strings, and the digits of cards behind a key word. Linear.
import { bytesOfBase64, textOfUtf8 } from '#platform/bytes'
import { withoutEnd } from '#record/reading/text-end'
import { spansOf } from './digits.ts'
import { eachMatch, matchesIn } from './matches.ts'
import { isBearerSecret, isMasked } from './named/values.ts'
import { vendorTokens } from './vendors.ts'
import type { TextRange, Finding } from './span.ts'

function secret(start: number, end: number): Finding {
  return { start, end, kind: 'secret' }
}

export function vendorTokensIn(text: string): readonly Finding[] {
  return spansOf(text, vendorTokens, 'secret').flatMap(({ start, end }) => {
    // What ends a sentence is no part of it.
    const token = withoutEnd(text.slice(start, end), /\./)
    return isMasked(token) ? [] : [secret(start, start + token.length)]
  })
}

const privateKey = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

/** A program that only names the form has none. */
const hasBody = /^(?:\s|\\r|\\n|["'`+,\\>|#*-]){0,32}(?:[A-Za-z0-9+/=]{12}|[A-Z][A-Za-z-]{2,16}: )/

/** Whole blocks; one that has no end goes on to the end of the text. */
export function privateKeysIn(text: string): readonly Finding[] {
  if (!text.includes('-----BEGIN')) return []
  const found: Finding[] = []
  let end = 0
  eachMatch(text, privateKey, ({ 0: { length }, index }) => {
    if (index < end || !hasBody.test(text.slice(index + length, index + length + 64))) return
    end = endOfBlock(text, index)
    found.push(secret(index, end))
  })
  return found
}

function endOfBlock(text: string, start: number): number {
  const footer = text.indexOf('-----END', start)
  if (footer === -1) return text.length
  const dashes = text.indexOf('-----', footer + 8)
  return dashes === -1 || dashes - footer > 80 ? footer + 8 : dashes + 5
}

const dotted = /[A-Za-z0-9_.-]+/g

/** Three parts, or five where it is encrypted, of which the first is a header in JSON. */
export function webTokensIn(text: string): readonly Finding[] {
  if (!text.includes('eyJ')) return []
  const found: Finding[] = []
  eachMatch(text, dotted, ({ 0: run, index }) => {
    if (!run.includes('eyJ')) return
    let at = index
    const parts = run.split('.')
    for (let first = 0; first < parts.length; first += 1) {
      const part = parts[first] ?? ''
      const start = part.indexOf('eyJ')
      const size = start === -1 || part.length < start + 6 ? 0 : sizeOf(parts, first)
      if (size > 0) {
        const taken = parts.slice(first, first + size)
        found.push(secret(at + start, at + taken.join('.').length))
        at += taken.join('.').length + 1
        first += size - 1
      } else at += part.length + 1
    }
  })
  return [...found, ...spansOf(text, splitWebToken, 'secret')]
}

const piece = '[A-Za-z0-9_-]+'
const pieces = `${piece}(?:\\s{1,3}${piece}){0,16}\\s{0,3}`
/** With white space in its first two parts, as a line wraps; the third ends where a word does. */
const splitWebToken = new RegExp(
  `(?<![A-Za-z0-9_-])eyJ${pieces}\\.\\s{0,3}eyJ${pieces}\\.\\s{0,3}${piece}`,
  'g',
)

/** How many parts from the first make a token; none where they do not. */
function sizeOf(parts: readonly string[], first: number): 0 | 3 | 5 {
  const [second = '', third = '', fourth = '', fifth = ''] = parts.slice(first + 1, first + 5)
  if (second.startsWith('eyJ') && third !== '') return 3
  return third !== '' && fourth.length >= 16 && fifth.length >= 16 ? 5 : 0
}

const bearer = /(?<![A-Za-z0-9]|\w_)bearer\s{1,8}([A-Za-z0-9\-._~+/]+=*)/gi
const basic = /(?<![A-Za-z0-9_])basic\s+([A-Za-z0-9+/_-]{4,}={0,2})/gi

export function headersIn(text: string): readonly Finding[] {
  if (!/\s/.test(text)) return []
  const found: Finding[] = []
  eachMatch(text, bearer, ({ 0: match, 1: token = '', index }) => {
    if (isBearerSecret(token, match.length === text.trim().length)) {
      found.push(secret(index, index + withoutEnd(match, /\./).length))
    }
  })
  eachMatch(text, basic, ({ 0: match, 1: pair = '', index }) => {
    const decoded = textOfUtf8(bytesOfBase64(pair))
    if (/^[ -~]*:[ -~]*$/.test(decoded)) found.push(secret(index, index + match.length))
  })
  return found
}

const cardNames = 'card|credit|debit|visa|mastercard|amex|ccn?|pan'
const cardNumber = '(?:[ _.-]{0,2}(?:card|number|num|no\\.?|nr\\.?|#|is)){0,4}'
const codeNames = 'cvv2?|cvc2?|csc|security[ _-]code|card[ _-]code'
const pinNames = 'pin(?:[ _-]?code)?'
/** Sent to a person for one login. */
const onceNames =
  'otp|(?:one[ _-]time|verification|authentication|confirmation|login|[2m]fa)[ _-]?(?:pass)?code'
const socialNames = 'ssn|social[ _-]security(?:[ _-](?:number|no\\.?))?'
const quote = `["'\\s]{0,3}`
const loose = `["'\\s:=#.]{1,6}`

function behind(names: string, gap: string, digits: string): RegExp {
  return new RegExp(`(?<![a-z])(?:${names})${gap}(${digits})(?![0-9])`, 'dgi')
}

const cardWords = behind(cardNames, `${cardNumber}${loose}`, '[0-9](?:[\\s-]{0,3}[0-9]){11,18}')
const gives = `${quote}(?:[:=#]|is)${quote}`
const notOfMore = '(?![-/.:][0-9])'
const codeWords = behind(codeNames, `(?:${gives}|[ ])`, `[0-9]{3,4}${notOfMore}`)
const pinWords = behind(pinNames, gives, `[0-9]{3,8}${notOfMore}`)
const onceWords = behind(onceNames, gives, `[0-9]{4,8}${notOfMore}`)
const socialWords = behind(socialNames, loose, '[0-9](?:[\\s-]{0,2}[0-9]){8}')

/** Digits that only the key word before them makes a number of a card or a person. */
export function numbersNamedIn(text: string): readonly Finding[] {
  if (!/[A-Za-z]/.test(text)) return []
  return [
    ...namedBy(text, cardWords, 'card'),
    ...namedBy(text, codeWords, 'card'),
    ...namedBy(text, pinWords, 'card'),
    ...namedBy(text, onceWords, 'secret'),
    ...namedBy(text, socialWords, 'ssn'),
  ]
}

function namedBy(text: string, expression: RegExp, kind: Finding['kind']): Finding[] {
  return matchesIn(text, expression).flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0]
    return end > start ? [{ start, end, kind }] : []
  })
}

/** What stands between `://` and the last `@` of its authority, and how far that one reaches. */
export function loginsIn(text: string): {
  readonly spans: readonly Finding[]
  readonly hosts: readonly TextRange[]
} {
  const spans: Finding[] = []
  const hosts: TextRange[] = []
  let run = { end: -1, at: -1 }
  for (let mark = text.indexOf('://'); mark !== -1; mark = text.indexOf('://', mark + 3)) {
    const start = mark + 3
    if (!/[A-Za-z0-9]/.test(text.charAt(mark - 1))) continue
    if (start > run.end) run = runFrom(text, start)
    const authority = authorityFrom(text, start, run.end)
    const colon = text.indexOf(':', start)
    if (colon === -1 || colon >= authority) continue
    const into = text.slice(start, authority).lastIndexOf('@')
    const at = into === -1 ? -1 : start + into
    const login = at > colon ? at : beyond(text, { colon, authority, run })
    if (
      login === -1 ||
      login === colon + 1 ||
      isExample(text.slice(start, login), text.slice(login + 1, login + 64))
    ) {
      continue
    }
    spans.push(secret(start, login))
    hosts.push({ start, end: run.end })
  }
  return { spans, hosts }
}

/** What pages write in place of a login, and what every installation has at first. */
function isExample(login: string, host: string): boolean {
  if (login.length >= 64) return false
  const [, user, password] = /^([^:]*):(.*)$/s.exec(login) ?? []
  const isDefault = user === password && /^[a-z]+$/.test(user ?? '')
  return wordsOfLogin.test(login) || variableOfLogin.test(login) || (isDefault && here.test(host))
}

const wordsOfLogin = /^[\w.-]*:(?:pass(?:wd)?|pwd|pw|foo|bar|\*+|x{3,})$/i
const variable = [
  '(?:\\$\\{?\\w+\\}?|\\$\\{\\{?[\\w. -]+\\}?\\}|<[\\w -]+>|#?\\{\\{?[\\w. ]*\\}?\\}|%\\w+%',
  '|%[a-z])',
].join('')
const variableOfLogin = new RegExp(`^(?:${variable}|[\\w.-]*):${variable}$`)
const here = /^(?:localhost|127\.|0\.0\.0\.0|\[::1\]|[\w.-]{0,48}\.?example(?:\.|$))/

interface Run {
  /** Where white space or a quote ends it. */
  readonly end: number
  /** The last `@` in it, or -1. */
  readonly at: number
}

function runFrom(text: string, start: number): Run {
  runEnd.lastIndex = start
  const end = runEnd.exec(text)?.index ?? text.length
  const at = text.slice(start, end).lastIndexOf('@')
  return { end, at: at === -1 ? -1 : start + at }
}

const runEnd = /[\s"'`<>]/g
const authorityEnd = /[/?#]/g

function authorityFrom(text: string, start: number, end: number): number {
  authorityEnd.lastIndex = start
  return Math.min(authorityEnd.exec(text)?.index ?? end, end)
}

/** A password may hold what ends an authority; a port does not go on. */
function beyond(
  text: string,
  { colon, authority, run }: { colon: number; authority: number; run: Run },
): number {
  const isPort = /^[0-9]{0,5}$/.test(text.slice(colon + 1, Math.min(authority, colon + 7)))
  return isPort || run.at < authority ? -1 : run.at
}
