// Everything sensitive in one text: detectors over its plain reading, over each encoding of it, and
// over what its encoded runs stand for. Total, and linear in the length of the text.
import type { Redaction } from '#schemas/action/driver'
import type { ValueKind } from '#schemas/values'
import { cardsIn, ibansIn, socialNumbersIn, spansOf } from './digits.ts'
import { isOfThing, phonesIn, phonesNamedIn } from './telephones.ts'
import { emailsIn } from './emails.ts'
import { opaqueTokensIn } from './entropy.ts'
import { keptRanges, opaqueKeptIn } from './kept.ts'
import { assignedIn } from './named/assigned.ts'
import { credentialsIn } from './named/files.ts'
import { columnsIn } from './named/columns.ts'
import { flaggedIn } from './named/flags.ts'
import { manifestsIn } from './named/manifests.ts'
import { pairedIn } from './named/markup.ts'
import {
  headersIn,
  loginsIn,
  numbersNamedIn,
  privateKeysIn,
  vendorTokensIn,
  webTokensIn,
} from './secrets.ts'
import { outsideOf, united, type FoundKind, type TextRange, type Finding } from './span.ts'
import { joinedVendorTokens } from './vendors.ts'
import { plainView, viewWith, type TextView } from './text-view.ts'
import { bytesOfBase64, bytesOfHex, textOfUtf8 } from '#platform/bytes'
import { eachMatch } from './matches.ts'

// The encodings that are taken away before detectors look, one layer of each: percent, HTML
// entities and JSON escapes as views of the whole text; base64 and hexadecimal run by run. Linear.

const percent = /%(?:[0-7][0-9A-Fa-f]|[c-fC-F][0-9A-Fa-f](?:%[89abAB][0-9A-Fa-f]){1,3})/g

/** A form as it is sent: there `+` is a blank. */
const sentForm = /[?&][\w.-]{1,64}=[^\s"'<>&]{0,128}[^\s"'<>&=]\+[^\s"'<>&]{0,128}(?:&|\s|$)/
const percentOrBlank = new RegExp(`${percent.source}|\\+`, 'g')

/** Without percent encoding. */
function percentView(source: string): TextView | null {
  const isForm = source.includes('+') && sentForm.test(source)
  if (!isForm && !source.includes('%')) return null
  return viewWith(source, isForm ? percentOrBlank : percent, (one) => {
    return one === '+' ? ' ' : textOf(bytesOfHex(one.replaceAll('%', '')))
  })
}

const namedEntities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['ast', '*'],
  ['bsol', '\\'],
  ['colon', ':'],
  ['comma', ','],
  ['commat', '@'],
  ['dash', '-'],
  ['dollar', '$'],
  ['equals', '='],
  ['excl', '!'],
  ['gt', '>'],
  ['hyphen', '-'],
  ['lowbar', '_'],
  ['lpar', '('],
  ['lt', '<'],
  ['minus', '-'],
  ['nbsp', ' '],
  ['newline', '\n'],
  ['num', '#'],
  ['percnt', '%'],
  ['period', '.'],
  ['plus', '+'],
  ['quest', '?'],
  ['quot', '"'],
  ['rpar', ')'],
  ['semi', ';'],
  ['shy', ''],
  ['sol', '/'],
  ['tab', '\t'],
  ['zwj', ''],
  ['zwnj', ''],
])

const entities = /&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,7});/g

/** Without entities of HTML: all numbers, and the names of punctuation and white space. */
function entityView(source: string): TextView | null {
  if (!source.includes('&')) return null
  return viewWith(source, entities, (entity) => {
    const name = entity.slice(1, -1)
    if (!name.startsWith('#')) return namedEntities.get(name.toLowerCase()) ?? null
    const isHex = name.charAt(1).toLowerCase() === 'x'
    const point = isHex ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
    return point <= 0x10ffff ? String.fromCodePoint(point) : null
  })
}

const escapes = /\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|["'\\/bfnrt])/g
const escaped: ReadonlyMap<string, string> = new Map([
  ['b', ''],
  ['f', '\n'],
  ['n', '\n'],
  ['r', '\n'],
  ['t', '\t'],
])

/** Without the escapes of JSON and of strings in programs. */
function escapeView(source: string): TextView | null {
  if (!source.includes('\\')) return null
  return viewWith(source, escapes, (escape) => {
    const [, letter = ''] = escape
    if (letter === 'u' || letter === 'x') {
      return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
    }
    return escaped.get(letter) ?? letter
  })
}

/** A run of an encoding, and the text that it stands for. */
interface DecodedRun extends TextRange {
  readonly text: string
}

const encodedMin = 10
const base64 = new RegExp(`[A-Za-z0-9+/_-]{${encodedMin},}={0,2}`, 'g')
const sign = '[A-Za-z0-9+/]'
const wrapped = new RegExp(
  `(?<!${sign})${sign}{60,76}(?:\\r?\\n${sign}{1,76}(?!${sign})){1,4000}={0,2}`,
  'g',
)
const hex = /(?<![0-9A-Za-z])(?:0x)?[0-9A-Fa-f]{12,}(?![0-9A-Za-z])/g
const spacedHex = /(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}[ :]){5,4095}[0-9A-Fa-f]{2}(?![0-9A-Za-z])/g

/** Every run of base64 or hexadecimal digits that stands for a text. */
function decodedRuns(source: string): readonly DecodedRun[] {
  if (source.length < encodedMin) return []
  const found: DecodedRun[] = []
  for (const expression of [hex, spacedHex]) {
    eachMatch(source, expression, ({ 0: run, index }) => {
      const written = run.replaceAll(/^0x|[ :]/g, '')
      const text = written.length % 2 === 0 ? textOf(bytesOfHex(written)) : null
      if (text !== null) found.push({ start: index, end: index + run.length, text })
    })
  }
  eachMatch(source, wrapped, ({ 0: run, index }) => {
    const text = textOf(bytesOfBase64(run))
    if (text !== null) found.push({ start: index, end: index + run.length, text })
  })
  eachMatch(source, base64, ({ 0: run, index }) => {
    for (const one of base64In(run, index)) found.push(one)
  })
  return found
}

// Prose has neither capitals nor digits in a word, and what is encoded nearly always has.
const mixed = /[A-Z0-9]/

function base64In(run: string, index: number): readonly DecodedRun[] {
  if (!mixed.test(run)) return []
  const whole = textFrom(run)
  if (whole !== null) return [{ start: index, end: index + run.length, text: whole }]
  if (!/[/_-]/.test(run)) return []
  // A path or a name may stand before it.
  const found: DecodedRun[] = []
  eachMatch(run, /[A-Za-z0-9+]{10,}={0,2}/g, ({ 0: part, index: into }) => {
    const text = mixed.test(part) ? textFrom(part) : null
    const start = index + into
    if (text !== null) found.push({ start, end: start + part.length, text })
  })
  return found
}

/** Most words do not begin as an encoded text does, and need not be taken apart. */
function textFrom(run: string): string | null {
  const [first = 0] = bytesOfBase64(run.slice(0, 4))
  const isFirstOfText = first < 0x80 ? first >= 0x20 || first === 9 || first === 10 : first >= 0xc2
  return isFirstOfText ? textOf(bytesOfBase64(run)) : null
}

// eslint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/

/** The text that the bytes are, or null where they are none. */
function textOf(bytes: Uint8Array): string | null {
  const text = textOfUtf8(bytes)
  // The last one stands for bytes that are no UTF-8.
  return unprintable.test(text) ? null : text
}

/** The kinds of findings that stay visible where a kind of value is revealed. */
const shown: ReadonlyMap<ValueKind, readonly FoundKind[]> = new Map([
  ['account', ['iban', 'phone']],
  ['email', ['email']],
  ['id', ['opaque']],
])

/** Of persons and their accounts: what stays where secrets alone are taken out. */
const personal: readonly FoundKind[] = ['card', 'email', 'iban', 'phone', 'ssn']

export function kindsShown(
  reveal: readonly ValueKind[],
  redaction: Redaction = 'all',
): ReadonlySet<FoundKind> {
  const revealed = reveal.flatMap((kind) => shown.get(kind) ?? [])
  return new Set(redaction === 'all' ? revealed : [...revealed, ...personal])
}

// Less than this is in nothing that is sensitive. In a word of letters, or of letters and digits,
// nothing shorter than `pinis123` or ten signs of base64 is.
const lengthMin = 4
const plainWord = /^(?:[A-Za-z_-]{0,9}|[A-Za-z0-9_-]{0,7})$/

/** The parts of the text to take out, in order and apart. */
export function findingsIn(text: string, visible: ReadonlySet<FoundKind>): readonly TextRange[] {
  if (text.length < lengthMin || plainWord.test(text)) return []
  try {
    return united(allIn(text).filter(({ kind }) => !visible.has(kind)))
  } catch {
    // The engine's expressions have run out of stack: what was not looked at is not shown.
    return [{ start: 0, end: text.length }]
  }
}

const digitsOfPhoneMin = 10

/** Whether the value that data has under a name is all digits which that name makes a number. */
export function isNamedNumber(
  label: string,
  value: string | number,
  visible: ReadonlySet<FoundKind>,
): boolean {
  const written = String(value)
  return numbersOf(label, written).some(({ kind }) => {
    // How many there are of something is a number as well.
    const isCount =
      kind === 'phone' && typeof value === 'number' && written.length < digitsOfPhoneMin
    return !visible.has(kind) && !isCount
  })
}

/** What all digits of a value are by its name, with their places in it. */
function numbersOf(label: string, written: string): readonly Finding[] {
  if (written.length > 32 || !/^\+?[(0-9][0-9 ().-]*$/.test(written)) return []
  const [text, before] = [`${label}: ${written}`, label.length + 2]
  return [...numbersNamedIn(text), ...phonesNamedIn(text)].flatMap(({ start, end, kind }) => {
    return start === before ? [{ start: 0, end: end - before, kind }] : []
  })
}

/** Of columns in it that are called so. */
function inColumns(text: string): readonly Finding[] {
  const { secrets, digits } = columnsIn(text)
  const numbers = digits.flatMap(({ start, end, label }) => {
    return numbersOf(label, text.slice(start, end)).map((one) => {
      return { ...one, start: start + one.start, end: start + one.end }
    })
  })
  return [...secrets, ...numbers]
}

function allIn(text: string): readonly Finding[] {
  const view = plainView(text)
  if (view === null) return layersOf(text)
  return layersOf(view.text).map((span) => view.origin(span))
}

function layersOf(text: string): readonly Finding[] {
  const runs = decodedRuns(text)
  const views = [percentView, entityView, escapeView].map((viewOf) => viewOf(text))
  return [
    plainlyIn(text, runs),
    splitIn(text),
    runs.flatMap((run) => insideOf(run)),
    views.flatMap((view) => (view === null ? [] : through(view))),
  ].flat()
}

/** What an encoded run stands for is replaced with the run. */
function insideOf({ start, end, text }: DecodedRun): readonly Finding[] {
  const kinds = new Set(plainlyIn(plainView(text)?.text ?? text, []).map(({ kind }) => kind))
  // By chance alone a text that is encoded again looks like a token.
  kinds.delete('opaque')
  return [...kinds].map((kind) => ({ start, end, kind }))
}

function through(view: TextView): readonly Finding[] {
  const plain = plainView(view.text)
  const text = plain === null ? view.text : plain.text
  return plainlyIn(text, decodedRuns(text)).map((span) => {
    return view.origin(plain === null ? span : plain.origin(span))
  })
}

const digits = /[0-9]/
const long = /[A-Za-z0-9_./+-]{13}/

/** Without looking for encodings. `runs` are those that stand for texts: no tokens themselves. */
function plainlyIn(text: string, runs: readonly DecodedRun[]): readonly Finding[] {
  const { spans: logins, hosts } = loginsIn(text)
  const isLong = long.test(text)
  return [
    privateKeysIn(text),
    assignedIn(text),
    flaggedIn(text),
    pairedIn(text),
    credentialsIn(text),
    manifestsIn(text),
    inColumns(text),
    headersIn(text),
    isLong ? vendorTokensIn(text) : [],
    isLong ? webTokensIn(text) : [],
    logins,
    // The host of a connection string follows an `@` and is no address.
    outsideOf(emailsIn(text), hosts),
    digits.test(text) ? numbersIn(text, isLong ? runs : null) : [],
  ].flat()
}

/** Tokens are looked for where `runs` are given. */
function numbersIn(text: string, runs: readonly DecodedRun[] | null): readonly Finding[] {
  const named = [...numbersNamedIn(text), ...phonesNamedIn(text)]
  const { cards, others } = cardsIn(text)
  const ibans = ibansIn(text)
  const socials = socialNumbersIn(text).filter((one) => !isOfThing(text, one))
  const phones = phonesIn(text)
  const tokens = runs === null ? [] : opaqueTokensIn(text)
  // Nearly always nothing was found, and what is to stay need not be looked for.
  if ([cards, ibans, socials, phones, tokens].every((found) => found.length === 0)) return named
  const kept = keptRanges(text)
  const numbers = united([kept, outsideOf(others, united(cards))].flat())
  return [
    named,
    outsideOf(cards, kept),
    outsideOf(ibans, kept),
    outsideOf(socials, kept),
    outsideOf(phones, numbers),
    outsideOf(tokens, united([kept, opaqueKeptIn(text), runs ?? []].flat())),
  ].flat()
}

const gaps = [/\s+/g, /[\s-]+/g]
const hasGap = /[\s-]/
/** No token whose form shows how it goes on is shorter. */
const tokenMin = 13

/** Tokens with white space or hyphens in them, where their form shows how they go on. */
function splitIn(text: string): readonly Finding[] {
  if (text.length < tokenMin || !hasGap.test(text)) return []
  return gaps.flatMap((gap) => {
    const joined = text.replaceAll(gap, '')
    if (joined.length === text.length || joined.search(joinedVendorTokens) === -1) return []
    const view = viewWith(text, gap, () => '')
    if (view === null) return []
    const split = spansOf(view.text, joinedVendorTokens, 'secret')
      .map((span) => view.origin(span))
      .filter((span) => isOneToken(text, span))
    // One that stands there as it is does not go on in the next word.
    return split.length === 0 ? split : outsideOf(split, united(vendorTokensIn(text)))
  })
}

function isOneToken(text: string, { start, end }: TextRange): boolean {
  const token = text.slice(start, end)
  return (
    !/[A-Za-z0-9]/.test(text.charAt(start - 1)) &&
    /[\s-]/.test(token) &&
    /[0-9]/.test(token) &&
    !/[\s-]{4}/.test(token)
  )
}
