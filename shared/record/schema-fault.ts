// What of a schema a value does not meet, as data: the keyword as JSON Schema names it, where, and
// what it expects. No text of the library that found it ever gets into a fact.
import type { z } from 'zod'
import { pointerToken } from './pointer-token.ts'

export interface SchemaFault {
  /** A JSON pointer into the value; empty for all of it. */
  readonly path: string
  readonly keyword: string
  readonly expected: { readonly [name: string]: z.util.JSONType }
}

type Issue = z.core.$ZodIssue
type Met = Omit<SchemaFault, 'path'>

const nameCharactersMax = 64

/** The first of the issues. `value` is what was parsed: what is not there is `required`. */
export function schemaFault(issues: readonly Issue[], value: unknown): SchemaFault {
  const [issue] = issues
  if (issue === undefined) return { path: '', keyword: 'schema', expected: {} }
  const path = pointerTo(issue.path)
  return at(value, issue.path) === undefined && issue.code !== 'unrecognized_keys'
    ? { path, keyword: 'required', expected: {} }
    : { path, ...met(issue) }
}

function met(issue: Issue): Met {
  switch (issue.code) {
    case 'invalid_type':
      return { keyword: 'type', expected: { type: typeOf(issue.expected) } }
    case 'too_small':
      return {
        keyword: boundOf('min', issue.origin, issue.inclusive),
        expected: { limit: Number(issue.minimum) },
      }
    case 'too_big':
      return {
        keyword: boundOf('max', issue.origin, issue.inclusive),
        expected: { limit: Number(issue.maximum) },
      }
    case 'invalid_format':
      return issue.format === 'regex'
        ? { keyword: 'pattern', expected: { pattern: patternOf(issue.pattern ?? '') } }
        : { keyword: 'format', expected: { format: issue.format } }
    case 'not_multiple_of':
      return { keyword: 'multipleOf', expected: { multipleOf: issue.divisor } }
    case 'unrecognized_keys':
      return { keyword: 'additionalProperties', expected: { additionalProperty: stranger(issue) } }
    case 'invalid_value':
      return { keyword: 'enum', expected: { allowedValues: issue.values.map(String) } }
    case 'custom':
      return customMet(issue.params ?? {})
    case 'invalid_key':
      return { keyword: 'propertyNames', expected: {} }
    case 'invalid_union':
      return { keyword: 'anyOf', expected: {} }
    case 'invalid_element':
      return { keyword: 'items', expected: {} }
    default:
      return { keyword: 'schema', expected: {} }
  }
}

// From the one who wrote the value: cut, since cutting may halve a surrogate pair, which no fact
// holds.
function stranger({ keys }: { readonly keys: readonly string[] }): string {
  return (keys[0] ?? '').slice(0, nameCharactersMax).toWellFormed()
}

/** A check of our own names its keyword, and its limit or type. */
function customMet(params: Readonly<Record<string, unknown>>): Met {
  const { keyword, limit, type } = params
  if (typeof keyword !== 'string') return { keyword: 'schema', expected: {} }
  if (typeof type === 'string') return { keyword, expected: { type } }
  return { keyword, expected: typeof limit === 'number' ? { limit } : {} }
}

function boundOf(side: 'min' | 'max', origin: string, inclusive: boolean | undefined): string {
  if (origin === 'string') return `${side}Length`
  if (origin === 'array') return `${side}Items`
  const bound = side === 'min' ? 'minimum' : 'maximum'
  if (inclusive !== false) return bound
  return side === 'min' ? 'exclusiveMinimum' : 'exclusiveMaximum'
}

// JSON Schema writes it without slashes and flags.
function patternOf(pattern: string): string {
  return pattern.replace(/^\/(.*)\/[a-z]*$/su, '$1')
}

function typeOf(expected: string): string {
  if (expected === 'int') return 'integer'
  return expected === 'record' ? 'object' : expected
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${pointerToken(String(key))}`).join('')
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Object.getOwnPropertyDescriptor(found, key)?.value
  }
  return found
}
