// Whether what is given to a name that says it is secret is one: not where it is a placeholder, a
// type, a sentence, or an expression of a program.
import { withoutEnd } from '#record/reading/text-end'
import type { SecretName } from './secret-names.ts'

const types = [
  'string|number|integer|boolean|bool|null|nil|none|undefined|true|false|any|unknown|void|never',
  'object|optional|required|str|int|text|bytes|buffer|char|varchar|include|omit|same-origin|file',
  'default|option|value|hidden|masked|redacted|disabled|enabled|yes|no|not|this|self|new|await',
  'async|typeof|function|return|async|process|document|window|module|require|import|void',
  'incorrect|invalid|wrong|expired|missing|unset|set|empty|weak|strong|changed|unchanged|updated',
  'absent|present|provided|rejected|accepted|verified|protected|encrypted|hashed|blank|mismatch',
].join('|')
const typeWord = new RegExp(`^(?:${types})$`, 'i')

const masked: readonly RegExp[] = [
  /^[\w.~-]{0,24}?([xX*])\1{5,}[xX*._-]*[A-Z]?$/,
  /^[\w.~-]{0,24}?([a-z0-9X])\1{11,}(?:[._=-]|([A-Za-z0-9])\2{3,})*$/,
  /(?:^|[_-])(?:your|put|insert|replace|placeholder|redacted|goes)[_-].{0,64}$|[_-]here(?:[_-]|$)/i,
]

/** A token of which all but its beginning is put out, or which asks for another in its place. */
export function isMasked(token: string): boolean {
  return masked.some((form) => form.test(token))
}

const placeholders: readonly RegExp[] = [
  // Of templates, shells and documents.
  /^(?:\$[A-Za-z_({0-9@*#?]|\$\$|<|%[A-Za-z_(]|\{|#\{|@[A-Za-z_{]|:[A-Za-z_]|\[|&[a-z]|\\)/,
  /^(?:&(?:#|[A-Za-z_:]+(?:$|[;<>(]))|pass:\$)/,
  /^(?:[*x•.#?_-]+|\.\.\..*|.*\.\.\.|.*…)$/i,
  /^(?:your|insert|replace|enter|put|todo|change|some)[-_ ]/i,
  /^(?:my|your|some|the)[A-Z][A-Za-z]*$/,
  // A call.
  /^[a-z][\w.-]{0,32}\([^()]*\)$/i,
  // A file, or where something is to be read.
  /^(?:\.{0,2}|~)\/[\w.-]+(?:\/[\w.-]+)*$/,
  /^[a-z][a-z0-9+.-]{1,12}:\/\//i,
  /^(?:env|file|vault|ref|arn|urn|op|secret|secretref|ssm):/i,
  /^0x[0-9a-f]{1,4}$/i,
  // Words of scripts that have no spaces between them.
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{P}]{5,}$/u,
]

/** What programs and pages of help give in place of a password. */
export function isSampleWord(value: string): boolean {
  return /^(?:pass(?:word|wd|phrase)?|pwd|foo|bar|foobar|test|example|dummy|placeholder)$/i.test(
    value,
  )
}

/** What a page calls a field for a person. */
export function isLabelOf(value: string, name: string): boolean {
  const plain = value.replaceAll(/[\s_-]/g, '').toLowerCase()
  return /^[A-Z]/.test(value) && plain === name.replaceAll(/[\s_.:-]/g, '').toLowerCase()
}

const number = String.raw`[0-9]+(?:\.[0-9x*]+){0,2}(?:[-+][0-9A-Za-z.+-]{1,32})?`
/** Packages are called `password`, `cookie` and `token`, too, and are given versions. */
const version = new RegExp(
  String.raw`^(?:(?:[~^]|[<>]=?[ ]?|v)${number}|[0-9]+\.[0-9]+\.${number})(?:[ ]|$)`,
)

export function isVersion(value: unknown): boolean {
  return typeof value === 'string' && value.length < 64 && version.test(value)
}

/** What stands behind a word in a text that is set or in another script. */
const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]'
const decoration = new RegExp(
  `(?<=^[!-~]{1,96}?)(?:[!*~_]+|[^!-~\\p{L}\\p{N}]+|${unspaced}+)$`,
  'u',
)

export function isPlaceholder(value: string): boolean {
  const written = value.trim()
  const plain = written.length > 96 ? written : written.replace(decoration, '')
  if (plain === '' || typeWord.test(plain) || isVersion(plain) || isMasked(plain)) return true
  return placeholders.some((form) => form.test(plain) || form.test(written))
}

const secretWord =
  /pass(?:word|wd|phrase|code|wort)?|pwd|token|secret|key|cred|auth|contrase|kennwort/i
const words = /^[\p{L}\p{P}]+(?:\s+[\p{L}\p{P}]+)+$/u
const lowerWords = /^[a-z]+(?:[-._ /][a-z]+)*$/
const upperWords = /^[A-Z]+(?:[-_ ][A-Z]+)+$/

/** Of a value in quotes, or which is a text by itself. */
export function isQuotedSecret(value: string, name: SecretName): boolean {
  if (isPlaceholder(value)) return false
  if (name === 'header') return isHeaderSecret(value.trim())
  if (name === 'cookie') return isCookieSecret(value.trim())
  if (name === 'short') return isScrambled(value)
  // A sentence about a secret, for a person.
  if (/\s/.test(value.trim()) && words.test(value) && secretWord.test(value)) return false
  if (/[?!:]$/.test(value) && /\s/.test(value) && words.test(value)) return false
  // What it is called elsewhere.
  if (/^[A-Z]+(?:_[A-Z0-9]+)+$/.test(value) && secretWord.test(value)) return false
  if (name === 'pass') return true
  if (words.test(value)) return false
  // What grammars and lists call what they find, or what examples are called.
  if (lowerWords.test(value) || upperWords.test(value)) return false
  return !isNameOfSecret(value) && !sample.test(value)
}

/** As programs and settings call what is secret: `nextToken`, `_callApiKey`. */
export function isNameOfSecret(value: string): boolean {
  return /^[A-Za-z_$]+$/.test(value) && secretWord.test(value) && /[a-z][A-Z]/.test(value)
}

/** Colours, digits in their order, and words with a number behind them. */
export const sample = new RegExp(
  [
    '^(?:#[0-9a-f]{3}(?:[0-9a-f]{3})?|0?123456(?:7(?:8(?:90?)?)?)?',
    '|[a-z_-]{0,16}(?:token|secret|key|credentials?)[_-]?[0-9]{1,2})$',
  ].join(''),
  'i',
)

/** Of signs that people choose against guessing. */
function isScrambled(value: string): boolean {
  const plain = value.replace(/[*_]{1,2}$/, '')
  return !/\s/.test(plain) && /^[!-~]*[0-9!#$%&*+=?@^~][!-~]*$/.test(plain)
}

const schemeAlone = new RegExp(
  [
    String.raw`^(?:basic|bearer|digest|negotiate|ntlm|token|aws4-hmac-sha256|dpop|signature|oau`,
    String.raw`th|hoba|mutual)\.?$`,
  ].join(''),
  'i',
)

export interface Unquoted {
  readonly value: string
  readonly name: SecretName
  /** What stands before the name and behind the value, some signs of each. */
  readonly before: string
  readonly after: string
}

const call = /^(?:[([]|\?\.|\s?=>)/
const dotted = /^[A-Za-z_$]?[\w$]*(?:[?!]?\.#?[A-Za-z_$][\w$]*)+\.?$/
/** The last part of what belongs to a module or an object, in words. */
const member = /\.(?:[A-Z]?[a-z]{2,})(?:[A-Z][a-z]+)*$/
const operators = /&&|\|\||[=!<>]=|\+\+|=>|::|->/
/** Words with a number in or behind one: `Uint8Array`, `base64Encoded`. */
const named = /^[A-Za-z]?[a-z]+[0-9]{1,2}[A-Z][A-Za-z]+$|^[A-Z][A-Za-z]*[a-z][0-9]{0,2}[A-Z][a-z]+$/
const identifier = /^[A-Za-z_$][\w$]*$/
const handler = /^(?:on|handle)(?:[A-Z][a-z]+)+$/
const handling = /^on(?:[A-Z][a-z]+)+$/
const partOfList = /^\s*[,;)}\]:?|&+]/
const lineStart =
  /(?:^|\n)[ \t]*(?:[-*][ \t]+|(?:export|set|setx|env|ENV|ARG|local|declare)[ \t]+)?["']?$/
const lineEnd = /^["']?[ \t]*(?:#[^\n]*|\/\/[^\n]*)?(?:\r?\n|$)/

/** A name of nothing else than a key of a program's user. */
const keyAlone = /(?:api[_-]?(?:key|token)|access[_-]?key)$/i

/** Whether nothing else stands in the line. */
export function isLineOfSetting(before: string, after: string): boolean {
  return lineStart.test(before) && lineEnd.test(after)
}

/** A long token may have some of these signs in it. */
function isOperation(value: string): boolean {
  const isToken = value.length >= tokenMin && /^[^&|<>]*(?:[0-9][^&|<>]*){3}$/.test(value)
  return !isToken && operators.test(value)
}

const tokenMin = 24

/** Of a value without quotes: programs have expressions there, and people sentences. */
export function isUnquotedSecret(given: Unquoted, wholeName: string): boolean {
  const { value, name, before, after } = given
  if (isPlaceholder(value) || call.test(after) || isOperation(withoutEnd(value, /=/))) return false
  const isConstant = /^[A-Z][A-Z0-9_]*$/.test(wholeName)
  const digits = value.replaceAll(/[^0-9]/g, '').length
  const isExpression = digits < 3 || member.test(value) || secretWord.test(value)
  if (dotted.test(value) && !isConstant && isExpression) return false
  const isLine = isLineOfSetting(before, after)
  // What is called when something happens, by its own name or by that of the member.
  if (handler.test(value) || (digits === 0 && handling.test(wholeName))) return false
  if (digits === 0 && /^[\p{L}_$.,:;!?'/-]+$/u.test(value)) {
    // A word: only where a file has it as a setting by itself.
    if (!isLine || secretWord.test(value)) return isConstant && isLine
    if (name !== 'key' || isConstant || /[a-z][A-Z]/.test(value)) return true
    return keyAlone.test(wholeName) && /^[a-z]{8,}$/i.test(value)
  }
  // A type or a variable of a program, in words.
  if (name === 'key' && digits < 3 && named.test(value) && !isLine) return false
  if (name === 'key' && isMethod(value)) return false
  // A variable that is called by what it holds.
  const isVariable = identifier.test(value) && secretWord.test(value) && digits < 2
  return !(isVariable && !isLine && (partOfList.test(after) || lineEnd.test(after)))
}

/** What stands behind `Authorization:`. */
export function isHeaderSecret(value: string): boolean {
  const rest = value.replace(/^[A-Za-z0-9-]{2,16}[ \t]+/, '')
  if (schemeAlone.test(value) || isPlaceholder(rest) || dotted.test(rest)) return false
  if (rest === value) return /[0-9]/.test(value) && !named.test(value)
  return !/^[A-Za-z]+(?:\s|$)/.test(rest) || (!schemeWord.test(rest) && isSchemed(value, rest))
}

/** What stands behind `Cookie:`: names with their values, of which one is long or has digits. */
export function isCookieSecret(value: string): boolean {
  if (isPlaceholder(value)) return false
  return /^[\w!#$%&*+.^|~-]{1,64}=(?:[^\s;]*[0-9][^\s;]{3}|[^\s;]{3,}[0-9]|[^\s;]{20})/.test(value)
}

/** A word behind a scheme is a token only where no sentence goes on. */
function isSchemed(value: string, rest: string): boolean {
  return /^(?:basic|bearer|digest|token|apikey)\s/i.test(value) && !/\s/.test(rest)
}

const schemeWord =
  /^(?:tokens?|auth|authentication|authorization|schemes?|headers?|format|credentials?|realm|key)$/i

/** Whether what follows `Bearer` is a token, and no word of a sentence. */
export function isBearerSecret(value: string, isWhole: boolean): boolean {
  if (isPlaceholder(value) || schemeWord.test(value)) return false
  if (/[0-9]/.test(value)) return value.length >= 6 || /[A-Za-z]/.test(value)
  return isWhole ? value.length >= 6 : value.length >= 20 && /[a-z][A-Z]/.test(value)
}

/** Names of encodings and of methods have digits, too. */
export function isMethod(value: string): boolean {
  return methods.test(value)
}

const methods =
  /^(?:base(?:32|58|64)|utf-?\d|sha-?\d|md[45]|bcrypt|argon2|pbkdf2|x-?509|oauth-?2|i18n|rfc\d)/i
