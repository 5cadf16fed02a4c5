// Pairs of a name and a value in texts: elements and attributes of XML, calls that define a value,
// and `name: …` above `value: …` as settings have it. Linear.
import { matchesIn } from '../matches.ts'
import type { Finding } from '../span.ts'
import { keyWord, passWord, secretNameOf } from './secret-names.ts'
import { isHeaderSecret, isPlaceholder, isQuotedSecret, isUnquotedSecret } from './values.ts'

const word = `(?:${passWord}|${keyWord}|pass|authorization)`
const start = '[A-Za-z0-9_.:-]{0,48}'

const element = new RegExp(
  [
    `<(?<name>${start}${word})(?:\\s[^<>]{0,256})?>\\s{0,64}(?:<!\\[CDATA\\[)?(?<value>`,
    `[^<>]{1,4096}?)\\s{0,64}(?:\\]\\]>\\s{0,64})?</`,
  ].join(''),
  'dgi',
)
const attribute = '(?:name|key|id|option|property|setting|field)'
const namedElement = new RegExp(
  [
    `<[A-Za-z][\\w.:-]{0,48}\\s[^<>]{0,256}?${attribute}\\s?=\\s?["'](?<name>[^"'<>\\n]`,
    `{1,96})["'][^<>]{0,256}>\\s{0,64}(?:<!\\[CDATA\\[)?(?:<value>)?(?<value>[^<>]{1,40`,
    `96}?)\\s{0,64}(?:\\]\\]>\\s{0,64})?</`,
  ].join(''),
  'dgi',
)
const listed = new RegExp(
  `<key>(?<name>[^<>]{1,96})</key>\\s{0,64}<(?:string|data)>(?<value>[^<>]{1,4096})</`,
  'dgi',
)

const nameWord =
  '(?:name|key|header|field|option|variable|property|setting|parameter(?:key|name)?|k)'
const valueWord = '(?:value|val|content|parametervalue|v)'
const nameValue = `["']?(?<name>[^"'\\s,;<>={}]{1,96})["']?`
const anyValue = [
  `(?:"(?<double>[^"\\n]{1,4096})"|'(?<single>[^'\\n]{1,4096})'|(?<bare>[^\\s"',;<>{}[`,
  `\\]]{1,4096}))`,
].join('')
const is = `["']?\\s{0,4}[:=]\\s{0,4}`
const pair = new RegExp(
  `(?<![a-z_-])${nameWord}${is}${nameValue},?\\s{1,64}["']?${valueWord}${is}${anyValue}`,
  'dgi',
)
const tightPair = new RegExp(
  `(?<![a-z_-])${nameWord}${is}${nameValue},\\s{0,64}["']?${valueWord}${is}${anyValue}`,
  'dgi',
)
const turnedPair = new RegExp(
  `(?<![a-z_-])${valueWord}${is}${anyValue},?\\s{0,64}["']?${nameWord}${is}${nameValue}`,
  'dgi',
)
const call = new RegExp(
  [
    `(?<how>define|setenv|putenv|setProperty|setdefault|addHeader|setHeader|setRequestH`,
    `eader|header|set|append|add|put|with|withEnv|env|param|query|option|(?<![\\w$])\\(|\\[)`,
    `\\s?\\(?\\s{0,4}["'](?<name>[\\w.-]{1,96})["']`,
    `\\s{0,4},\\s{0,32}(?:"(?<double>[^"\\n]{1,4096})"|'(?<single>[^'\\n]{1,4096})')`,
  ].join(''),
  'dg',
)

const signOfMarkup = /<[A-Za-z]/
const signOfValue = /["'\s]?(?:value|val|v|content)["']?\s?[:=]/i

export function pairedIn(text: string): readonly Finding[] {
  return [
    ...(signOfMarkup.test(text)
      ? [element, namedElement, listed].flatMap((form) => found(text, form))
      : []),
    ...(signOfValue.test(text)
      ? [pair, tightPair, turnedPair].flatMap((form) => found(text, form))
      : []),
    ...(/["'],/.test(text) || /["'] ,/.test(text) ? calledIn(text) : []),
  ]
}

interface Part {
  readonly name: string
  readonly from: number
  readonly to: number
}

function partOf({ groups, indices }: RegExpExecArray): Part {
  const at = indices?.groups ?? {}
  const [from, to] = at['value'] ?? at['double'] ?? at['single'] ?? at['bare'] ?? [0, 0]
  return { name: groups?.['name'] ?? '', from, to }
}

function found(text: string, form: RegExp): readonly Finding[] {
  return matchesIn(text, form).flatMap((match) => {
    const { name, from, to } = partOf(match)
    const kind = secretNameOf(name)
    const value = text.slice(from, to)
    if (kind === null || !isQuotedSecret(value, kind) || isLabel(value, name)) return []
    if (match.groups?.['bare'] !== undefined) {
      const given = { value, name: kind, before: '\n', after: text.slice(to, to + 32) }
      if (!isUnquotedSecret(given, name)) return []
    }
    return [{ start: from, end: to, kind: 'secret' as const }]
  })
}

/** What a page calls a field for a person. */
function isLabel(value: string, name: string): boolean {
  const plain = value.replaceAll(/[\s_-]/g, '').toLowerCase()
  return /^[A-Z]/.test(value) && plain === name.replaceAll(/[\s_.:-]/g, '').toLowerCase()
}

const salted = /(?:key|salt|nonce)$/i

/** Names stand in lists as well: there a word behind a name is another name. */
function calledIn(text: string): readonly Finding[] {
  return matchesIn(text, call).flatMap((match) => {
    const { name, from, to } = partOf(match)
    const value = text.slice(from, to)
    const how = match.groups?.['how'] ?? ''
    const isDefined = /^(?:define|setenv|putenv|setProperty)$/.test(how)
    const kind = secretNameOf(name)
    const isSecret =
      (kind !== null &&
        (isDefined ? !isPlaceholder(value) : isScrambled(value, kind === 'header'))) ||
      (isDefined && salted.test(name) && value.length >= 16 && /[^A-Za-z_.]/.test(value))
    return isSecret ? [{ start: from, end: to, kind: 'secret' as const }] : []
  })
}

function isScrambled(value: string, isHeader: boolean): boolean {
  if (isPlaceholder(value)) return false
  if (isHeader) return isHeaderSecret(value)
  return (
    /[0-9]/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/\s/.test(value) &&
    !/^[a-z]+[_-][a-z_-]*[0-9]?$/.test(value)
  )
}
