// The arguments of an operation of an OpenAPI document: its parameters by their names, and the body
// of its request as `body`. None is left out without being named.
import { z } from 'zod'
import { firstProblem } from '#record/problem'
import { isJsonObject } from '#record/json-object'
import { JsonObject, type JsonValue } from '#schemas/catalog'
import {
  asJsonSchema,
  definitions,
  referenceTarget,
  schemaReading,
  type SchemaReading,
} from './openapi-references.ts'

export interface OperationArguments {
  readonly schema: JsonObject
  readonly notes: readonly string[]
  /** What of its schemas was passed over. */
  readonly passedOver: ReadonlySet<string>
  /** What cannot be an argument and would be missed, or cannot be read. */
  readonly refused?: string
}

interface Written {
  readonly root: JsonObject
  readonly path: string
  /** Parameters of all operations of the path, and those of this one, which go before them. */
  readonly shared: JsonValue | undefined
  readonly own: JsonValue | undefined
  readonly requestBody: JsonValue | undefined
}

export function argumentsOfOperation({
  root,
  path,
  shared,
  own,
  requestBody,
}: Written): OperationArguments {
  const found = new Arguments(root)
  const declared = new Map([...found.declaredIn(shared), ...found.declaredIn(own)])
  found.placeAll(path, declared)
  if (requestBody !== undefined) found.placeBody(requestBody)
  return found.made()
}

const Parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
})
const Body = z.looseObject({
  required: z.boolean().default(false),
  content: JsonObject.default({}),
})

interface Declared {
  readonly name: string
  readonly place: string
  readonly isRequired: boolean
  readonly written: JsonObject
}

const inAddress: ReadonlySet<string> = new Set(['path', 'query', 'querystring'])
const inHead: ReadonlySet<string> = new Set(['header', 'cookie'])
/** Of answers, bodies, security and the connection: OpenAPI has other words for them, or none. */
const ofProtocol: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'authorization',
  'host',
  'content-length',
])
const ofProgram = 'is set by the program that calls it'

class Arguments {
  readonly #reading: SchemaReading
  readonly #properties = new Map<string, JsonValue>()
  readonly #places = new Map<string, string>()
  readonly #required = new Set<string>()
  readonly #notes: string[] = []
  readonly #refused: string[] = []

  constructor(root: JsonObject) {
    this.#reading = schemaReading(root)
  }

  made(): OperationArguments {
    const $defs = definitions(this.#reading)
    const { passedOver, lost } = this.#reading
    const [refused] = [...this.#refused, ...[...lost].map((one) => `its schema: ${one}`)]
    const schema = {
      type: 'object',
      properties: Object.fromEntries(this.#properties),
      required: [...this.#required],
      additionalProperties: false,
      ...(Object.keys($defs).length > 0 && { $defs }),
    }
    return { schema, notes: this.#notes, passedOver, ...(refused !== undefined && { refused }) }
  }

  /** Of one list, by place and name. */
  declaredIn(list: JsonValue | undefined): ReadonlyMap<string, Declared> {
    const declared = new Map<string, Declared>()
    if (list === undefined) return declared
    if (!Array.isArray(list)) this.#refused.push('its `parameters` are not a list')
    for (const [index, value] of (Array.isArray(list) ? list : []).entries()) {
      const one = this.#declared(value, `parameters/${index}`)
      if (one === null) continue
      const key = `${one.place} ${one.name}`
      const other = declared.get(key)
      if (other !== undefined && JSON.stringify(other) !== JSON.stringify(one)) {
        this.#refused.push(`\`${one.name}\` is declared twice for its ${one.place}`)
      }
      declared.set(key, one)
    }
    return declared
  }

  #declared(value: JsonValue, at: string): Declared | null {
    const written = this.#followed(value, at)
    if (written === null) return null
    const parameter = Parameter.safeParse(written)
    if (!parameter.success) {
      const { at: below, message } = firstProblem(parameter.error.issues)
      this.#refused.push(`its ${at}${below === '' ? '' : `/${below}`}: ${message}`)
      return null
    }
    const { name, in: place, required } = parameter.data
    return { name, place, isRequired: required || place === 'path', written }
  }

  /** What may be a reference; null where it cannot be read. */
  #followed(value: JsonValue, at: string): JsonObject | null {
    const meant = isJsonObject(value) ? referenceTarget(this.#reading.root, value) : null
    if (meant !== null && 'found' in meant) return meant.found
    this.#refused.push(meant === null ? `its ${at} is not an object` : `its ${at}: ${meant.lost}`)
    return null
  }

  placeAll(path: string, declared: ReadonlyMap<string, Declared>): void {
    const all = [...declared.values()]
    for (const one of all) if (inAddress.has(one.place)) this.#place(one)
    for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g)) {
      if (declared.has(`path ${name}`)) continue
      const schema = { type: 'string' }
      this.#place({ name, place: 'path', isRequired: true, written: { schema } })
      this.#notes.push(`\`${name}\` of its path is not declared: it is taken as a text`)
    }
    for (const one of all) if (!inAddress.has(one.place)) this.#placeOther(one)
  }

  #place({ name, place, isRequired, written }: Declared): void {
    const other = this.#places.get(name)
    if (other !== undefined && other !== place) {
      this.#refused.push(`\`${name}\` is a parameter of its ${other} and of its ${place}`)
      return
    }
    this.#places.set(name, place)
    const schema = this.#schemaOf(written, name)
    if (schema === undefined) this.#notes.push(`\`${name}\` has no schema: it may be anything`)
    this.#properties.set(name, asJsonSchema(this.#reading, schema ?? {}))
    if (isRequired) this.#required.add(name)
  }

  /** A driver may send what is in the head of a request; an address alone says which call it is. */
  #placeOther(one: Declared): void {
    const { name, place, isRequired } = one
    if (place === 'header' && ofProtocol.has(name.toLowerCase())) {
      this.#notes.push(`its header \`${name}\` ${ofProgram}`)
      return
    }
    const other = this.#places.get(name)
    if (inHead.has(place) && other === undefined) {
      this.#place(one)
      this.#notes.push(`\`${name}\` is a ${place}: a driver names it in its \`headers\``)
      return
    }
    const why =
      other === undefined ? 'OpenAPI 3 has no such place' : `its ${other} has one of that name`
    const what = `its ${place} \`${name}\` cannot be an argument: ${why}`
    if (isRequired) this.#refused.push(what)
    else this.#notes.push(what)
  }

  /** Of a parameter, by itself or of the one form of its content; undefined where there is none. */
  #schemaOf(written: JsonObject, name: string): JsonValue | undefined {
    if (written['schema'] !== undefined) return written['schema']
    const { content } = written
    return isJsonObject(content) ? this.#schemaIn(content, `\`${name}\``) : undefined
  }

  placeBody(value: JsonValue): void {
    const written = this.#followed(value, 'body')
    const body = written === null ? null : Body.safeParse(written)
    if (body === null) return
    if (!body.success) {
      const { at, message } = firstProblem(body.error.issues)
      this.#refused.push(`its body cannot be read: ${at}: ${message}`)
      return
    }
    const { content, required: isRequired } = body.data
    const schema = this.#schemaIn(content, 'its body')
    const form = schema === undefined ? {} : { schema }
    this.#place({ name: 'body', place: 'body', isRequired, written: form })
  }

  /** As JSON where it may be that. */
  #schemaIn(content: JsonObject, whose: string): JsonValue | undefined {
    const forms = Object.entries(content).map(([type, media]) => {
      return { type, schema: this.#schemaOfMedia(media, `${whose} as ${type}`) }
    })
    const taken = forms.find(({ type }) => type.includes('json')) ?? forms[0]
    if (taken === undefined) return undefined
    const text = JSON.stringify(taken.schema)
    const others = forms.filter(({ schema }) => JSON.stringify(schema) !== text)
    if (others.length > 0) {
      const types = others.map(({ type }) => `\`${type}\``).join(', ')
      this.#notes.push(`${whose} is taken as \`${taken.type}\`, not as ${types}`)
    }
    return taken.schema
  }

  #schemaOfMedia(media: JsonValue, whose: string): JsonValue | undefined {
    const written = this.#followed(media, whose)
    if (written === null) return undefined
    const { schema, itemSchema } = written
    if (itemSchema === undefined) return schema
    const items = { type: 'array', items: itemSchema }
    return schema === undefined ? items : { allOf: [schema, items] }
  }
}
