// The values in the arguments of a call that may name a thing, and where by the schema: a place
// that it does not name is `*`, so that an agent cannot make up places. What the schema lists,
// dates and truth values name nothing. Pure.
import { lower } from '#knowledge/known/edges'
import { valuesInText } from '#knowledge/known/kinds'
import { schemasOf, schemasBelow } from '#knowledge/known/placed'
import { membersOf } from '#knowledge/known/pointer'
import { pointerToken } from '#record/pointer-token'
import type { JsonObject } from '#schemas/catalog'
import type { ValueKind } from '#schemas/values'

export interface ArgumentValue {
  /** As the schema has the place. */
  readonly arg: string
  /** The last name on the way there. */
  readonly member: string
  readonly kind: ValueKind
  readonly text: string
  readonly isNumber: boolean
  /** It stands in a longer text. */
  readonly inText: boolean
  /** Whether its form alone shows that it names a thing; else a reading call has to show one. */
  readonly isFormed: boolean
}

/** So many values of a call are looked at, and texts no longer than this name a thing. */
const valuesMax = 256
const charactersMax = 256

export function argumentValues(schema: JsonObject, args: unknown): readonly ArgumentValue[] {
  const found: ArgumentValue[] = []
  const visit = (value: unknown, at: Place): void => {
    if (found.length >= valuesMax) return
    if (typeof value === 'string' || typeof value === 'number') {
      if (!isListed(at.schemas)) found.push(...valuesIn(value, at))
      return
    }
    for (const [name, member] of membersOf(value)) visit(member, below(schema, at, name))
  }
  visit(args, { arg: '', member: '', schemas: schemasOf(schema, schema) })
  return found.slice(0, valuesMax)
}

interface Place {
  readonly arg: string
  readonly member: string
  readonly schemas: readonly JsonObject[]
}

function below(root: JsonObject, { arg, member, schemas }: Place, name: string): Place {
  const isNamed = schemas.some(({ properties }) => {
    return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, name)
  })
  return {
    arg: `${arg}/${isNamed ? pointerToken(name) : '*'}`,
    member: isNamed ? name : member,
    schemas: schemasBelow(root, schemas, name),
  }
}

const moments = new Set(['date', 'time', 'date-time', 'duration'])

function isListed(schemas: readonly JsonObject[]): boolean {
  return schemas.some((schema) => {
    const { format, type } = schema
    if (schema['enum'] !== undefined || schema['const'] !== undefined) return true
    return type === 'boolean' || (typeof format === 'string' && moments.has(format))
  })
}

function valuesIn(value: string | number, { arg, member }: Place): readonly ArgumentValue[] {
  const base = { arg, member, inText: false }
  if (typeof value === 'number') {
    return [{ ...base, kind: 'id', text: String(value), isNumber: true, isFormed: false }]
  }
  const text = value.trim()
  const kind = kindOf(text)
  if (kind === 'moment' || text === '') return []
  if (text.length <= charactersMax && !/[\n\r]/.test(text) && (kind !== null || !isProse(text))) {
    const isFormed = kind !== null
    const other = /\s/.test(text) ? 'name' : 'id'
    return [{ ...base, kind: kind ?? other, text, isNumber: false, isFormed }]
  }
  return (['email', 'url'] as const).flatMap((inner) => {
    return valuesInText(inner, value).map((one) => {
      const of = { kind: inner, text: one, isNumber: false, isFormed: true }
      return { ...base, ...of, inText: true }
    })
  })
}

const wordsMax = 8

/** A text that says something, and is no name. */
function isProse(text: string): boolean {
  return /[.!?]\s/.test(text) || text.split(/\s+/).length > wordsMax
}

/** By its form alone; `moment` names nothing. */
function kindOf(text: string): ValueKind | 'moment' | null {
  if (/^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$|^\d\d?:\d\d(?::\d\d)?$/.test(text)) {
    return 'moment'
  }
  if (/^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/.test(text)) return 'email'
  if (/^[a-z][a-z0-9+.-]*:\/\/\S+$|^www\.\S+$/.test(lower(text))) return 'url'
  if (/^[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){3,9}$/.test(text)) return 'account'
  if (/^(?:~|\.{0,2})\/\S|^[A-Za-z]:[\\/]\S/.test(text)) return 'path'
  const isToken = /^[\w#.:@+-]+$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text)
  return isToken ? 'id' : null
}
