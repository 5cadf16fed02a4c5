// Pairs of a name and a value in texts: in XML, in calls that define a value, as `name: …` above
// `value: …` and as `NAME: value: …`, which settings have. Linear.
import { matchesIn } from '../matches.ts'
import type { Finding } from '../span.ts'
import { elementsIn } from './elements.ts'
import { nameOfPair, valueOfPair } from './pair-names.ts'
import { secretNameOf } from './secret-names.ts'
import {
  isHeaderSecret,
  isLabelOf,
  isPlaceholder,
  isQuotedSecret,
  isUnquotedSecret,
} from './values.ts'

const nameValue = `["']?(?<name>[^"'\\s,;<>={}]{1,96})["']?`
const anyValue = [
  `(?:"(?<double>[^"\\n]{1,4096})"|'(?<single>[^'\\n]{1,4096})'|(?<bare>[^\\s"',;<>{}[`,
  `\\]]{1,4096}))`,
].join('')
const is = `["']?\\s{0,4}[:=]\\s{0,4}`
/** Other settings of it, in lines between the two. */
const between = [
  `(?:["']?(?!${nameOfPair}["']?\\s{0,4}[:=])[\\w-]{1,32}["']?\\s{0,4}[:=]`,
  '[^\\n{}]{0,128}\\n\\s{1,64}){0,3}?',
].join('')
const pair = new RegExp(
  [
    `(?<![a-z_-])${nameOfPair}${is}${nameValue},?\\s{1,64}${between}`,
    `["']?${valueOfPair}${is}${anyValue}`,
  ].join(''),
  'dgi',
)
const tightPair = new RegExp(
  `(?<![a-z_-])${nameOfPair}${is}${nameValue},\\s{0,64}["']?${valueOfPair}${is}${anyValue}`,
  'dgi',
)
const turnedPair = new RegExp(
  `(?<![a-z_-])${valueOfPair}${is}${anyValue},?\\s{0,64}["']?${nameOfPair}${is}${nameValue}`,
  'dgi',
)
/** The value inside of what is called so: `DB_PASSWORD: value: …`. */
const nested = new RegExp(
  [
    `(?<![\\w.-])(?<name>[\\w.-]{1,96})(?:["']?\\s{0,4}[:=]\\s{0,4}\\{?|["']\\s{0,4}\\{)\\s{1,64}`,
    `${between}["']?${valueOfPair}${is}${anyValue}`,
  ].join(''),
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
const signOfValue = new RegExp(`${valueOfPair}["']?\\s{0,4}[:=]`, 'i')

export function pairedIn(text: string): readonly Finding[] {
  return [
    ...(signOfMarkup.test(text) ? elementsIn(text) : []),
    ...(signOfValue.test(text)
      ? [pair, tightPair, turnedPair, nested].flatMap((form) => found(text, form))
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
    if (kind === null || !isQuotedSecret(value, kind)) return []
    if (isLabelOf(value, name)) return []
    if (match.groups?.['bare'] !== undefined) {
      const given = { value, name: kind, before: '\n', after: text.slice(to, to + 32) }
      if (!isUnquotedSecret(given, name)) return []
    }
    return [{ start: from, end: to, kind: 'secret' as const }]
  })
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
    !/^[a-z]+[_-][a-z_-]*[0-9]?$/.test(value) &&
    // The path of a member.
    !/^[A-Za-z_$][\w$]*(?:\[[0-9]{1,4}\])?(?:\.[A-Za-z_$][\w$]*(?:\[[0-9]{1,4}\])?)+$/.test(value)
  )
}
