// The members of an input one by one, as options, parameters and arguments are made from them, and
// how texts of an address or a command line become an input.
import { z } from 'zod'
import type { Operation } from './operation.ts'

const Described = z.object({
  type: z.enum(['string', 'integer', 'boolean', 'array']),
  description: z.string(),
  default: z.union([z.string(), z.number()]).optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ enum: z.array(z.string()).optional() }).optional(),
})

export interface Field {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean' | 'array'
  readonly says: string
  /** Among which it is; null for any. */
  readonly choices: readonly string[] | null
  /** What is taken where none is given; null for nothing. */
  readonly unless: string | number | null
  /** Whether the path has it. */
  readonly isInPath: boolean
  /** As JSON Schema has it. */
  readonly schema: object
}

type Asked = Pick<Operation, 'input' | 'path'>

/** A schema is made of an input once: each request and each command asks for its members. */
const fieldsOf = new WeakMap<Asked, readonly Field[]>()

export function inputFields(of: Asked): readonly Field[] {
  const fields = fieldsOf.get(of) ?? readFields(of)
  fieldsOf.set(of, fields)
  return fields
}

function readFields({ input, path }: Asked): readonly Field[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => {
    const { type, description, enum: among, items, ...rest } = Described.parse(schema)
    const isObject = typeof schema === 'object'
    return {
      name,
      type,
      says: description,
      choices: among ?? items?.enum ?? null,
      unless: rest.default ?? null,
      isInPath: path.includes(`{${name}}`),
      schema: isObject ? schema : {},
    }
  })
}

/** What stands in braces in a path; null where it is of a list. */
export function argumentOf(of: Asked): Field | null {
  return inputFields(of).find(({ isInPath }) => isInPath) ?? null
}

export type Texts = Readonly<Record<string, string | readonly string[]>>

/** Texts as their members have them; what is not of its type stays a text, and is refused so. */
export function valuesIn(of: Operation, texts: Texts): Readonly<Record<string, unknown>> {
  const fields = new Map(inputFields(of).map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, valueOf(fields.get(name), text)] as const),
  )
}

function valueOf(field: Field | undefined, text: string | readonly string[]): unknown {
  const list = typeof text === 'string' ? [text] : text
  if (field?.type === 'array') return list.flatMap((one) => one.split(','))
  const [first = ''] = list
  if (list.length > 1) return list
  if (field?.type === 'integer' && /^(0|[1-9][0-9]{0,14})$/.test(first)) return Number(first)
  if (field?.type === 'boolean' && /^(true|false)$/.test(first)) return first === 'true'
  return first
}

const Scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** The path with its members, and the others as its query; what is absent or false is left out. */
export function addressFor(of: Operation, given: Readonly<Record<string, unknown>>): string {
  const fields = inputFields(of)
  let path: string = of.path
  const query = new URLSearchParams()
  for (const { name, isInPath } of fields) {
    const value = given[name]
    if (value === undefined || value === false) continue
    const text = Array.isArray(value) ? value.join(',') : Scalar.parse(value)
    if (isInPath) path = path.replace(`{${name}}`, encodeURIComponent(text))
    else query.set(name, text)
  }
  const asked = query.toString()
  return asked === '' ? path : `${path}?${asked}`
}
