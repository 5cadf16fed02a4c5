// What is secret in a text that goes out: what looks like a key, and what a result shows under the
// name of a secret, as `Bank password: …`. It may go out where people's own words hold it, or speak
// of that secret by its name.
import type { KnownArgument } from '#schemas/values'
import { valuesMax } from './known-value.ts'
import { partsMeant } from './naming.ts'
import { ownWordsIn, saysAll } from './own-words.ts'
import { nodesAt, tokensOf, wordsBelow } from './pointer.ts'
import type { Leaf, SaidParts } from './said-parts.ts'
import { urlsOf } from './url.ts'
import type { Secret, ValueWanted } from './values-wanted.ts'

const charactersMin = 4
const lineMax = 256
const secretsMax = 256

const naming = new RegExp(
  '(?:pass[ _-]?(?:word|code|phrase)|passport|(?<![a-z])(?:pwd?|pin|cvv|cvc|otp|ssn)(?![a-z])' +
    '|secret|token|(?:api|private|access|license|recovery)[ _-]?(?:key|code)|one[ _-]?time' +
    '|(?:card|security|identity|id|tax|insurance|licen[cs]e)[ _-]?(?:number|no\\b|code))',
  'i',
)

/** What results show under the name of a secret: as a line `name: value`, or as a member. */
export function secretsShown<Source extends SaidParts>(
  sources: readonly Source[],
): readonly Secret<Source>[] {
  const found: Secret<Source>[] = []
  for (const source of sources) {
    if (source.tool === null) continue
    for (const leaf of [...source.trusted, ...source.untrusted]) {
      for (const { text, called } of namedIn(leaf)) {
        if (found.length >= secretsMax) return found
        found.push({ text, called, place: { source, leaf } })
      }
    }
  }
  return found
}

function namedIn({ pointer, text }: Leaf): readonly { text: string; called: string }[] {
  const member = pointer.slice(pointer.lastIndexOf('/') + 1)
  const whole = naming.test(member) && isValue(text) ? [{ text: text.trim(), called: member }] : []
  const lines = text.split(/\r?\n/).flatMap((line) => {
    if (line.length > lineMax) return []
    const [, called = '', value = ''] = /^[\s*>#-]*([^:=]{2,48}?)\s*[:=]\s*(\S.*)$/.exec(line) ?? []
    const bare = value.trim().replaceAll(/^["'`]|["'`.,;]$/g, '')
    return naming.test(called) && isValue(bare) ? [{ text: bare, called: called.trim() }] : []
  })
  return [...whole, ...lines]
}

/** A secret is one word, or groups of digits. */
function isValue(text: string): boolean {
  const bare = text.trim()
  return bare.length >= charactersMin && (!/\s/.test(bare) || /^[0-9][0-9 -]*$/.test(bare))
}

const keys = new RegExp(
  '-----BEGIN [A-Z ]*PRIVATE KEY' +
    '|(?<![A-Za-z0-9])' +
    '(?:gh[oprsu]_|github_pat_|glpat-|sk[-_]|xox[abprs]-|AKIA|AIza|eyJ)[\\w.-]{12,}' +
    '|(?<![A-Za-z0-9])[A-Za-z0-9+]{20,}={0,2}(?![A-Za-z0-9])',
  'g',
)
const keyBegins = /^(?:gh[oprsu]_|github_pat_|glpat-|sk[-_]|xox[abprs]-|AKIA|AIza|eyJ|-----)/

/** What a field of a form is called that takes a secret. */
const field = new RegExp(
  '^(?=[\\w-]{2,48}$).*(?:pass[_-]?(?:word|code|phrase|port)' +
    '|(?<![a-z])(?:pass|pwd?|pin|cvv|cvc|otp|ssn|iban)(?![a-z])|secret|token' +
    '|(?:private|api|access)[_-]?key|(?<![a-z])(?:bank|credit|debit)(?![a-z])|one[_-]?time)',
  'i',
)

/** What in a text looks like a key, in no address. */
function keysIn(text: string): readonly string[] {
  const rest = urlsOf(text).reduce((left, one) => left.replaceAll(one, ' '), text)
  return (rest.match(keys) ?? []).filter((one) => {
    if (keyBegins.test(one) || /^[0-9a-f]{32,}$/i.test(one)) return true
    return [/[a-z]/, /[A-Z]/, /[0-9]/].every((each) => each.test(one))
  })
}

/** The secrets in a text. */
function secretsGoing<Source>(
  text: string,
  shown: readonly Secret<Source>[],
): readonly Secret<Source>[] {
  const held = shown.filter((secret) => text.includes(secret.text))
  // A form that asks for one is no better for what is filled in.
  if (held.length === 0 && field.test(text)) return [{ text, called: text, place: null }]
  const rest = held.reduce((left, secret) => left.replaceAll(secret.text, ' '), text)
  return [...held, ...keysIn(rest).map((one) => ({ text: one, called: null, place: null }))]
}

/** Whether a person's words let it out: they hold it, or speak of it by its name. */
export function letsOut<Source>({ text, called }: Secret<Source>, said: string): boolean {
  const meant = partsMeant(said)
  if (meant.some((part) => part.includes(text))) return true
  if (called === null) return false
  const words = ownWordsIn('', meant)
  return saysAll(called.replaceAll(/[_-]|\b(?:number|no|field)\b\.?/gi, ' '), words)
}

/** What is secret in the arguments that go out. */
export function secretsOf<Source>(
  known: readonly KnownArgument[],
  args: unknown,
  shown: () => readonly Secret<Source>[],
): readonly ValueWanted<Source>[] {
  const going = known.filter(({ secret }) => secret === true)
  const found = new Map<string, ValueWanted<Source>>()
  for (const { arg, unknown = 'ask' } of going) {
    for (const node of nodesAt(args, tokensOf(arg))) {
      for (const { pointer, text: whole } of wordsBelow(node)) {
        for (const secret of secretsGoing(whole, shown())) {
          const { text } = secret
          if (found.has(text) || found.size > valuesMax) continue
          const base = { arg: pointer, kind: 'id', text, form: text, unknown } as const
          found.set(text, { ...base, secret, thing: undefined, also: {} })
        }
      }
    }
  }
  return [...found.values()]
}
