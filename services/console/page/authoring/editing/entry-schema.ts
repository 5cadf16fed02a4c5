// An entry as its JSON Schema describes it: the fields of a form, and what may stand at a place of
// its text.
import { z } from 'zod'

export type EntrySchema = z.core.JSONSchema.JSONSchema

export function jsonSchemaOf(schema: z.ZodType): EntrySchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

/** `json`: what no other kind of field can hold is written as JSON. */
export type FieldKind = 'choice' | 'json' | 'lines' | 'long' | 'number' | 'text' | 'tick'

export interface EntryField {
  readonly name: string
  readonly schema: EntrySchema
  readonly kind: FieldKind
  readonly hint: string
  readonly isNeeded: boolean
  /** Of a choice, each with what it does. */
  readonly options: readonly { readonly value: string; readonly hint: string }[]
  /** What holds where it is absent, as text. */
  readonly usual: string | null
  readonly min: number | undefined
  readonly max: number | undefined
}

type Members = ReadonlyMap<string, unknown>

/** The fields of an entry that has these members; which ones may depend on one of them. */
export function entryFields(schema: EntrySchema, members: Members): readonly EntryField[] {
  const variants = variantsOf(schema)
  const by = deciding(variants)
  const chosen = chosenBy(variants, members)
  const names = namesIn(chosen).filter((name) => name !== by)
  const fields = names.map((name) => fieldOf(chosen, name))
  if (by === null) return fields
  const options = variants.map((one) => {
    const { const: value, description = '' } = propertyOf(one, by)
    return { value: String(value), hint: description }
  })
  return [{ ...fieldOf(chosen, by), kind: 'choice', hint: '', options }, ...fields]
}

/** Without those that only another variant of the entry has. */
export function keptMembers(schema: EntrySchema, members: Members): Members {
  const variants = variantsOf(schema)
  const mine = new Set(namesIn(chosenBy(variants, members)))
  const known = new Set(variants.flatMap(namesIn))
  return new Map([...members].filter(([name]) => mine.has(name) || !known.has(name)))
}

function namesIn({ properties = {} }: EntrySchema): readonly string[] {
  return Object.keys(properties)
}

function chosenBy(variants: readonly EntrySchema[], members: Members): EntrySchema {
  const by = deciding(variants)
  const chosen = variants.find(
    (one) => by !== null && propertyOf(one, by).const === members.get(by),
  )
  return chosen ?? variants[0] ?? {}
}

function variantsOf(schema: EntrySchema): readonly EntrySchema[] {
  return schema.oneOf ?? schema.anyOf ?? [schema]
}

/** The member that has one value in each variant; null where there is one variant alone. */
function deciding(variants: readonly EntrySchema[]): string | null {
  const [first = {}, ...others] = variants
  if (others.length === 0) return null
  const isFixed = (one: EntrySchema, name: string) => propertyOf(one, name).const !== undefined
  return namesIn(first).find((name) => variants.every((one) => isFixed(one, name))) ?? null
}

function propertyOf({ properties = {} }: EntrySchema, name: string): EntrySchema {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  return typeof property === 'object' ? property : {}
}

function fieldOf(schema: EntrySchema, name: string): EntryField {
  const property = propertyOf(schema, name)
  const { description = '', enum: values = [], minimum, maximum } = property
  const usual = property.default
  return {
    name,
    schema: property,
    kind: kindOf(property),
    hint: description,
    isNeeded: usual === undefined && (schema.required ?? []).includes(name),
    options: values.map((value) => ({ value: String(value), hint: '' })),
    usual: typeof usual === 'string' && usual !== '' ? usual : null,
    min: minimum,
    max: maximum,
  }
}

const longCharacters = 1_000

function kindOf({ type, enum: values, const: only, items, maxLength = 0 }: EntrySchema): FieldKind {
  if (values !== undefined) return 'choice'
  if (type === 'boolean' || only === true) return 'tick'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string') return maxLength >= longCharacters ? 'long' : 'text'
  const isOfTexts = typeof items === 'object' && !Array.isArray(items) && items.type === 'string'
  return type === 'array' && isOfTexts ? 'lines' : 'json'
}

/** The names that an object at that place may have, or the values of a text there. */
export function mayStandAt(
  schema: EntrySchema,
  path: readonly (string | number)[],
  isKey: boolean,
): readonly string[] {
  const at = path.reduce<readonly EntrySchema[]>(
    (all, step) => all.flatMap((one) => inside(one, step)),
    variantsOf(schema),
  )
  const found = at.flatMap(({ properties = {}, enum: values = [], const: only }) => {
    if (isKey) return Object.keys(properties)
    return [...values, only].flatMap((value) => (typeof value === 'string' ? [value] : []))
  })
  return [...new Set(found)]
}

function inside({ properties = {}, ...schema }: EntrySchema, step: string | number): EntrySchema[] {
  const known = Object.hasOwn(properties, step) ? properties[step] : undefined
  const next = typeof step === 'number' ? schema.items : (known ?? schema.additionalProperties)
  return typeof next === 'object' && !Array.isArray(next) ? [...variantsOf(next)] : []
}
