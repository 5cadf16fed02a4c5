// Everything sensitive in one text: detectors over its plain reading, over each encoding of it, and
// over what its encoded runs stand for. Total, and linear in the length of the text.
import type { Redaction } from '#schemas/action/driver'
import type { ValueKind } from '#schemas/values'
import { cardsIn, ibansIn, socialNumbersIn, spansOf } from './digits.ts'
import { phonesIn, phonesNamedIn } from './telephones.ts'
import { decodedRuns, entityView, escapeView, percentView, type DecodedRun } from './decoded.ts'
import { emailsIn } from './emails.ts'
import { opaqueTokensIn } from './entropy.ts'
import { keptRanges, opaqueKeptIn } from './kept.ts'
import { assignedIn } from './named/assigned.ts'
import { credentialsIn } from './named/files.ts'
import { flaggedIn } from './named/flags.ts'
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
  const socials = socialNumbersIn(text)
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
    return spansOf(view.text, joinedVendorTokens, 'secret')
      .map((span) => view.origin(span))
      .filter((span) => isOneToken(text, span))
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
