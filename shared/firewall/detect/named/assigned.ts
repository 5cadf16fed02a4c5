// Values given to names that say they are secret: `password=…`, `"token": "…"`, and what people
// write of them. The names stay. Linear.
import { withoutEnd } from '#record/reading/text-end'
import { matchesIn } from '../matches.ts'
import type { Finding } from '../span.ts'
import { keyWord, passWord, shortPassWord, type SecretName } from './secret-names.ts'
import {
  isCookieSecret,
  isHeaderSecret,
  isMethod,
  isQuotedSecret,
  isSampleWord,
  isLineOfSetting,
  isUnquotedSecret,
  sample,
} from './values.ts'

/** Signs of giving, of programs, settings and makefiles; some write a type before it. */
const signs = [
  '(?:\\s(?:string|str|String)\\s?=|:\\s?(?:string|str|String)\\s?=|=>|:{1,3}=|[?.]=',
  '|:\\*{1,2}(?=[ \\t])|:[ \\t]?[|>][+-]?(?=\\s)|[:=])',
].join('')
/** A line that gives nothing ends behind `=`, and the next one is no value of it. */
const toValue = '(?:[ \\t]{0,40}|(?<!=)\\s{0,4}(?![\\w.-]{1,64}\\s?[:=]))'
/** Forms in which something is given to a name, quoted or not. */
const given = `["'\\\\\`*]{0,3}(?:\\]|\\))?(?:[ \\t]{0,40}|\\s{0,4})${signs}${toValue}`
const quotedValue = [
  `(?:\\\\?"(?:[^"\\\\\\n]|\\\\[^"\\n]){1,4096}|\\\\?'[^'\\n]{1,4096}|\`[^\`\\n]{1,4096})`,
].join('')
const character = '[A-Za-z0-9\\-._~+/]'
const scheme = '(?:[A-Za-z]{2,12}[ \\t]+)?'

interface Form {
  readonly name: SecretName
  readonly expression: RegExp
}

function assigned(name: SecretName, words: string, value: string): Form {
  const expression = `(?:${words})(?:${given})(?<value>${quotedValue}|${value})`
  return { name, expression: new RegExp(expression, name === 'short' ? 'dg' : 'dgi') }
}

const bare = '[^\\s"\'`,;&<>(){}[\\]]{4,}'

const forms: readonly Form[] = [
  assigned('key', keyWord, '[A-Za-z0-9\\-._~+/!@#$%^&*][A-Za-z0-9\\-._~+/!@#$%^&*=]{3,}'),
  assigned('pass', passWord, bare),
  assigned('short', shortPassWord, bare),
  assigned('header', 'authorization', `${scheme}${character}{4,}={0,2}`),
  assigned('cookie', '(?:set-)?cookie', `[^\\s"',<>]{8,4096}`),
]

const spoken = new RegExp(
  `(?:api[ _-]?key|api[ _-]?token|access[ _-]?key)(?:\\s+is)?\\s+["']?(?<value>${character}{8,})`,
  'dgi',
)
const isWord = '(?:(?<=\\s)(?:is|ist|lautet|es|est|è|é|är|er|jest|—|–|-)(?=\\s)|[是为為は:])'
/** In a sentence the value stands alone, and is no word. */
const said = new RegExp(
  [
    `${passWord}(?:\\s{1,3}(?:for|of|für|de|para|to)\\s\\S{1,32})?["']?\\s{0,3}`,
    `${isWord}\\s{0,3}["'\`«„“]?(?<value>[^\\s"'\`,;<>(){}[\\]«»„“”。，；\\\\]{4,128})`,
  ].join(''),
  'dgi',
)

/** Beside its name, without a word or a sign of giving between; or in the cell behind it. */
const apart = `["'\`*]{0,3}[ \\t]{1,4}(?:\\|[ \\t]{0,40})?`
const besidePass = new RegExp(
  `${passWord}${apart}["'\`]?(?<value>[^\\s"'\`,;<>(){}[\\]]{6,64})`,
  'dgi',
)
const besideKey = new RegExp(
  [
    `(?:${keyWord})(?:${apart}|\\s{1,3}(?:is|was)\\s{1,3})`,
    `["'\`]?(?<value>[\\w+/=-]{8,512})(?![\\w:/(-]|\\.\\w)`,
  ].join(''),
  'dgi',
)

const nextOfAddress = /&[\w.[\]-]{1,64}=/
const signOfGiving = /[:=]/
const signOfSpeaking = /\s[A-Za-z0-9\-._~+/]{8}/
const signOfWord = new RegExp(passWord, 'i')
const wordOfKey = /(?:key(?:[ _-]?id)?|token|secret|credentials?)["'`*]{0,3}[ \t\n]/i
const signOfKey = new RegExp(`(?:${keyWord})["'\`*]{0,3}\\s[^\\n]{0,64}[0-9]`, 'i')

/** The values given to names that say they are secret; the names stay. */
export function assignedIn(text: string): readonly Finding[] {
  return [
    // Nearly every text has neither: then no name is looked for.
    ...(signOfGiving.test(text) ? forms.flatMap((form) => givenIn(text, form)) : []),
    ...(signOfSpeaking.test(text) ? spokenIn(text, spoken) : []),
    ...(signOfWord.test(text) ? [...spokenIn(text, said), ...besideIn(text, besidePass)] : []),
    ...(wordOfKey.test(text) && signOfKey.test(text) ? besideIn(text, besideKey) : []),
  ]
}

function givenIn(text: string, { name, expression }: Form): readonly Finding[] {
  return matchesIn(text, expression).flatMap(({ index, indices }) => {
    const [start, last] = indices?.groups?.['value'] ?? [0, 0]
    // In an address what follows is another value.
    const next = text.slice(start, last).search(nextOfAddress)
    const end = next === -1 ? last : start + next
    if (end - start < 4 || isOfAddress(text, index) || isOfTypes(text, { at: index, start }))
      return []
    const opening = /^\\?["'`]/.exec(text.slice(start, start + 2))?.[0] ?? ''
    const from = start + opening.length
    const value = text.slice(from, end)
    const found =
      opening === ''
        ? isGivenBare(text, { name, at: index, start, end })
        : value.length >= 4 &&
          isQuotedSecret(value, name) &&
          (!isSampleWord(value) || isInTag(text, index)) &&
          // A part of it is put together.
          !(opening.endsWith('`') && value.includes('${')) &&
          !isBadge(text, index) &&
          !closes(text, { at: index, start, quote: opening.slice(-1) })
    return found ? [{ start: from, end, kind: 'secret' as const }] : []
  })
}

/** Whether the quote before a value ends what began before the name: `'password: ' + value`. */
function closes(
  text: string,
  { at, start, quote }: { readonly at: number; readonly start: number; readonly quote: string },
): boolean {
  if (text.slice(at, start).includes(quote)) return false
  const line = text.slice(Math.max(text.lastIndexOf('\n', at) + 1, at - lineLengthMax), at)
  return line.split(quote).length % 2 === 0
}

const lineLengthMax = 512

interface Bare {
  readonly name: SecretName
  /** Where the key word begins. */
  readonly at: number
  readonly start: number
  readonly end: number
}

const nameLengthMax = 64
const surroundings = { before: 16, after: 80 }

function isGivenBare(text: string, { name, at, start, end }: Bare): boolean {
  // Behind a value in escaped quotes stands the sign that escapes them.
  const value = withoutEnd(text.slice(start, end), /\\/)
  if (name === 'header') return !/^[([.]/.test(text.charAt(end)) && isHeaderSecret(value)
  if (name === 'cookie') return isCookieSecret(value)
  const begins = nameStart(text, at)
  const wholeName = /^[\p{L}\p{N}_.-]*/u.exec(text.slice(begins, start))?.[0] ?? ''
  const before = text.slice(Math.max(0, begins - surroundings.before), begins)
  const after = text.slice(end, end + surroundings.after)
  if (isBadge(text, begins)) return false
  if (name === 'key' && value.length < keyLengthMin && !isShortKey(value, before, after))
    return false
  return isUnquotedSecret({ value, name, before, after }, wholeName)
}

const keyLengthMin = 8

/** A short one is a setting by itself: letters and digits, and no type of a program. */
function isShortKey(value: string, before: string, after: string): boolean {
  if (!isLineOfSetting(before, after) || sample.test(value) || value.includes('*')) return false
  return /[A-Za-z]{2}/.test(value) && /[0-9]/.test(value) && !typeOfProgram.test(value)
}

const typeOfProgram = /^(?:u?int|float|double|utf|str|char|vec|bytes|x|v|h)[0-9]+(?:_t)?$/i

function nameStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < nameLengthMax && /[\w.$-]/.test(text.charAt(start - 1)))
    start -= 1
  return start
}

/** A picture of a project's state has a token in its address that shows the picture alone. */
function isBadge(text: string, at: number): boolean {
  return /(?:badge|\.svg)[^\s"']{0,40}\?[^\s"']{0,40}$/i.test(text.slice(Math.max(0, at - 96), at))
}

/** Names of resources have words with colons between them. */
function isOfAddress(text: string, at: number): boolean {
  return /(?<![a-z])(?:arn|urn):[^\s"'<>]*$/i.test(text.slice(Math.max(0, at - 160), at))
}

/** Attributes are settings, and no sample of a program. */
function isInTag(text: string, at: number): boolean {
  return /<[A-Za-z][^<>]*$/.test(text.slice(Math.max(0, at - 512), at))
}

/** The name of a type in quotes: `"AWS::ApiGateway::ApiKey"`. */
function isOfTypes(text: string, { at, start }: Pick<Bare, 'at' | 'start'>): boolean {
  return (
    /["'][\w:]*::\w*$/.test(text.slice(Math.max(0, at - 96), at)) &&
    /["']/.test(text.slice(at, start))
  )
}

const scrambled = /[0-9]|[^\w.,:;!?'’-]/
const closing = /[.,:;!?…]/
/** Words with a number behind them, as titles are written. */
const slug = /^[a-z]+(?:-[a-z]+)+(?:-[0-9]{1,4})?$/

function spokenIn(text: string, expression: RegExp): readonly Finding[] {
  return matchesIn(text, expression).flatMap(({ indices }) => {
    const [start, end] = indices?.groups?.['value'] ?? [0, 0]
    const [written = ''] = text.slice(start, end).split(nextOfAddress)
    const value = withoutEnd(written, closing)
    const isSecret =
      value.length >= 4 &&
      scrambled.test(value) &&
      /\p{L}|^[0-9]{4,}$/u.test(value) &&
      !isMethod(value) &&
      !slug.test(value) &&
      isQuotedSecret(value, 'pass') &&
      !/^[([.]/.test(text.slice(end, end + 1)) &&
      !/[A-Za-z_$]\w*(?:\.\w+)+$/.test(value)
    return isSecret ? [{ start, end: start + value.length, kind: 'secret' as const }] : []
  })
}

/** Words of a text or of a program, with a number in or behind them. */
const word = new RegExp(
  [
    '^[A-Za-z][a-z]*$|^[0-9]+[A-Za-z]{0,3}$|^[A-Z]{1,5}[0-9]+$',
    '^[A-Za-z]?[a-z]+(?:[0-9]?[A-Z][a-z]+)+[0-9]?$|^[A-Z][a-z]+[0-9]$|^[a-z]{1,5}[0-9]{1,2}$',
    '^(?:option|column|version|prompt|policy|question|example|section|chapter|attempt)s?[0-9]$',
  ].join('|'),
)

/** Only a sign of chance shows that it is no next word. */
function besideIn(text: string, form: RegExp): readonly Finding[] {
  return matchesIn(text, form).flatMap(({ index, indices }) => {
    const [start, end] = indices?.groups?.['value'] ?? [0, 0]
    const value = withoutEnd(text.slice(start, end), closing)
    const isKey = form === besideKey
    const others = value.replaceAll(/[A-Za-z0-9]/g, '')
    const isChance = isKey
      ? isByChance(value, /\s(?:is|was)\s|[|`]/i.test(text.slice(index, start)))
      : /[A-Za-z]/.test(value) &&
        /[0-9]/.test(value) &&
        !/[=:]/.test(value) &&
        !/[/-].*[/-]/.test(value)
    const isSecret =
      isChance &&
      others.length <= value.length / 3 &&
      !word.test(value) &&
      !isMethod(value) &&
      !slug.test(value) &&
      isQuotedSecret(value, isKey ? 'key' : 'pass')
    return isSecret ? [{ start, end: start + value.length, kind: 'secret' as const }] : []
  })
}

/** Of letters and digits in turns; names of things have signs between their words. */
function isByChance(value: string, isStated: boolean): boolean {
  const digits = value.replaceAll(/[^0-9]/g, '').length
  if (digits < 2 || !/[A-Za-z]/.test(value)) return false
  return isStated || (value.length >= 12 && digits >= 3 && !/[-_]/.test(value))
}
