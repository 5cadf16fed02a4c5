// What the two halves of a pair are called where a name and its value stand beside each other:
// `{"name": …, "value": …}` in data, in settings, and as elements and attributes of XML.

/** A `_` may be written, or be another sign, or be left out. */
const nameWords = [
  'name key header header_name field option option_name variable property setting parameter',
  'parameter_key parameter_name attribute env id label param title k',
]
const valueWords = [
  'value val values option_value parameter_value secret_value string_value current_value',
  'plain_text content text default default_value v',
]

function wordsOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '))
}

function setOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(wordsOf(lines).map((word) => word.replaceAll('_', '')))
}

const names = setOf(nameWords)
const values = setOf(valueWords)

function plainOf(key: string): string {
  return key.length > 32 ? '' : key.replaceAll(/[\s_-]/g, '').toLowerCase()
}

export function isNameOfPair(key: string): boolean {
  return names.has(plainOf(key))
}

export function isValueOfPair(key: string): boolean {
  return values.has(plainOf(key))
}

function formOf(lines: readonly string[]): string {
  const words = wordsOf(lines).map((word) => word.replaceAll('_', '[_-]?'))
  return `(?:${words.join('|')})`
}

/** The same in expressions, without regard to case. */
export const nameOfPair = formOf(nameWords)
export const valueOfPair = formOf(valueWords)

/** What says of a field of a form that its value is a password. */
export function isTypeOfPair(key: string, type: string): boolean {
  return plainOf(key) === 'type' && /^(?:password|passwd|passphrase|pwd)$/i.test(type)
}
