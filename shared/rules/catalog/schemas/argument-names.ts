// Which names in the arguments a schema does not know, and which it does: a name that is mistyped
// is missing under its right one, and who sees only that looks in the wrong place.
import { nearest } from '#record/quote'
import { tokenName } from '#record/pointer-token'
import type { JsonObject } from '#schemas/catalog'

export interface ArgumentNames {
  /** Given, and not of the schema. */
  readonly unknown: readonly string[]
  /** Of the schema, and not given: what the unknown ones may have been meant as comes first. */
  readonly known: readonly string[]
}

/** Where the schema says all that it knows of one object. */
const plainPath = /^#(?:\/(?:properties|\$defs|definitions)\/[^/]+|\/items)*\/\w+$/
const elsewhere = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas']

/** Null where all names are known, or where other parts of the schema may know them. */
export function argumentNames(
  schema: JsonObject,
  args: unknown,
  fault: { readonly schemaPath: string; readonly instancePath: string },
): ArgumentNames | null {
  if (!plainPath.test(fault.schemaPath)) return null
  const parts = fault.schemaPath.split('/').slice(1, -1)
  const of = partAt(schema, parts.map(decodeURIComponent))
  const given = partAt(args, fault.instancePath.split('/').slice(1))
  if (!isObject(of) || !isObject(given)) return null
  if (elsewhere.some((name) => Object.hasOwn(of, name))) return null
  const { properties, patternProperties } = of
  if (patternProperties !== undefined || !isObject(properties)) return null
  const unknown = namesOf(given).filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length === 0) return null
  const left = namesOf(properties).filter((name) => !Object.hasOwn(given, name))
  const near = unknown.flatMap((name) => nearest(left, name))
  return { unknown, known: [...new Set([...near, ...left])] }
}

type Names = Readonly<Record<string, unknown>>

function namesOf(object: Names): readonly string[] {
  return Object.keys(object).toSorted()
}

function isObject(value: unknown): value is Names {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function partAt(whole: unknown, tokens: readonly string[]): unknown {
  let part = whole
  for (const name of tokens.map(tokenName)) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined
    part = Reflect.get(part, name)
  }
  return part
}
