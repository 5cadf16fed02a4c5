// What a schema asks for, in English, from the keyword of JSON Schema and what it expects: the one
// place for these phrases, whether a message, a request or the arguments of a call are judged.
import { quoted } from '#record/quote'
import type { SchemaFault } from '#record/schema-fault'
import type { IdentifierCause } from '#schemas/vlp'

export type SchemaExpectation = Readonly<Record<string, unknown>>

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** A phrase that follows what it is about: `must be a string`, `is missing`. */
export function expectedText(keyword: string, expected: SchemaExpectation = {}): string {
  const { limit, format, pattern, multipleOf, allowedValue } = expected
  switch (keyword) {
    case 'schema':
      return 'cannot be checked: the schema cannot be used'
    case 'depth':
      return 'cannot be checked: it is nested too deeply'
    case 'type':
      return `must be ${typesText(expected['type'])}`
    case 'required':
      return nameIn(expected, 'missingProperty', (name) => `must have ${name}`) ?? 'is missing'
    case 'additionalProperties':
      return nameIn(expected, 'additionalProperty', mustNotHave) ?? 'is unknown'
    case 'unevaluatedProperties':
      return nameIn(expected, 'unevaluatedProperty', mustNotHave) ?? 'is unknown'
    case 'propertyNames':
      return nameIn(expected, 'propertyName', mustNotHave) ?? 'has a name that is not allowed'
    case 'enum':
      return `must be one of ${valuesText(expected['allowedValues'])}`
    case 'const':
      return `must be ${plain(allowedValue)}`
    case 'format':
      return `must be in the format ${plain(format)}`
    case 'pattern':
      return `must match ${quoted(plain(pattern))}`
    case 'multipleOf':
      return `must be a multiple of ${plain(multipleOf)}`
    case 'uniqueItems':
      return 'must not have equal items'
    default:
      return boundText(keyword, plain(limit))
  }
}

/** What is wrong with an intent, wherever it is carried. */
export function requestText({ path, keyword, expected }: SchemaFault): string {
  const at = path.replace(/^\/payload\/intent/, '')
  const name = expected['additionalProperty']
  if (at === '' && typeof name === 'string') return `unknown field ${quoted(name)} in the intent`
  const where = at === '' ? 'the intent' : `${quoted(at)} of the intent`
  return `${where} ${expectedText(keyword, expected)}`
}

function boundText(keyword: string, limit: string): string {
  switch (keyword) {
    case 'minimum':
      return `must not be below ${limit}`
    case 'maximum':
      return `must not be above ${limit}`
    case 'exclusiveMinimum':
      return `must be above ${limit}`
    case 'exclusiveMaximum':
      return `must be below ${limit}`
    case 'minLength':
      return `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minItems':
      return `must have at least ${limit} items`
    case 'maxItems':
      return `must have at most ${limit} items`
    case 'minProperties':
      return `must have at least ${limit} properties`
    case 'maxProperties':
      return `must have at most ${limit} properties`
    default:
      return `does not meet ${quoted(keyword)}`
  }
}

function mustNotHave(name: string): string {
  return `must not have ${name}`
}

function nameIn(
  expected: SchemaExpectation,
  key: string,
  say: (name: string) => string,
): string | null {
  const name = expected[key]
  return typeof name === 'string' ? say(quoted(name)) : null
}

function typesText(type: unknown): string {
  const types = (Array.isArray(type) ? type : [type]).map((one: unknown) => {
    const name = plain(one)
    return Object.hasOwn(typeNames, name) ? (typeNames[name] ?? name) : name
  })
  const last = types.pop() ?? ''
  return types.length === 0 ? last : `${types.join(', ')} or ${last}`
}

function valuesText(values: unknown): string {
  return Array.isArray(values) ? values.map(plain).join(', ') : plain(values)
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What is wrong with the identifier that a message came under. */
export function identifierText(cause: IdentifierCause): string {
  return cause === 'clock_ahead'
    ? 'the ULID it came under is more than a minute ahead of the time of the log'
    : 'the ULID it came under is more than a day old by the time of the log'
}
