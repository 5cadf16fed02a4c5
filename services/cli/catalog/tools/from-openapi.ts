// The operations of an OpenAPI 3 document as tools: parameters by their names, and the body of the
// request as `body`.
import { z } from 'zod'
import { firstProblem } from '#core/kernel/problem'
import { JsonObject, type JsonValue } from '#schemas/catalog'
import { edgeOperation } from './edge-operation.ts'
import { importedFrom, shortDescription, usableSchema, type ProposedTool } from './proposed.ts'
import { byName, worse, type GuessedClass } from './safety-class.ts'

const methods = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete', 'trace'] as const
type Method = (typeof methods)[number]

const Document = z.looseObject({
  openapi: z.string().regex(/^3\./),
  paths: z.record(z.string(), JsonObject),
})
const Operation = z.looseObject({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  parameters: z.array(JsonObject).default([]),
  requestBody: JsonObject.optional(),
})
const Parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  schema: JsonObject.default({}),
})
const Body = z.looseObject({
  required: z.boolean().default(false),
  content: z.record(z.string(), z.looseObject({ schema: JsonObject.optional() })),
})

/** Null where it is not such a document. */
export function toolsOfOpenApi(value: unknown): readonly ProposedTool[] | null {
  const parsed = Document.safeParse(value)
  if (!parsed.success) return null
  const root = JsonObject.parse(value)
  const ids = new Set<string>()
  // Read once: of a large document this is most of it.
  const schemas = resolved(root, { $ref: '#/components/schemas' })
  return Object.entries(parsed.data.paths).flatMap(([path, written]) => {
    // What stands beside a reference goes before what it names.
    const item = { ...resolved(root, written), ...written }
    const named = written['$ref']
    if (typeof named === 'string' && resolvedAt(root, named) === null) {
      return [
        unreadPath(path, `\`$ref\` ${JSON.stringify(named)} leads to nothing in the document`),
      ]
    }
    return methods.flatMap((method) => {
      if (item[method] === undefined) return []
      const operation = Operation.safeParse(item[method])
      if (!operation.success) {
        const { at, message } = firstProblem(operation.error.issues)
        return [unreadPath(path, `${method}${at === '' ? '' : `/${at}`}: ${message}`)]
      }
      const shared = z.array(JsonObject).catch([]).parse(item['parameters'])
      const servers = [operation.data['servers'], item['servers'], root['servers']]
      const described = { root, schemas, path, method, operation: operation.data, shared }
      const tool = { ...proposedBy(described), edge: edgeOperation({ method, path, servers }) }
      return [withOwnId(tool, ids)]
    })
  })
}

/** Two operations of one name would be one capability: the later one gets another. */
function withOwnId(tool: ProposedTool, ids: Set<string>): ProposedTool {
  const { id } = tool.capability
  let own = id
  for (let number = 2; ids.has(own); number += 1) own = `${id}_${number}`
  ids.add(own)
  if (own === id) return tool
  const note = `another operation is called \`${id}\``
  return { ...tool, capability: { ...tool.capability, id: own }, notes: [...tool.notes, note] }
}

/** A path that cannot be read costs only its own operations. */
function unreadPath(path: string, why: string): ProposedTool {
  const live = { name: path, description: '', inputSchema: {} }
  const imported = importedFrom('openapi', live)
  const capability = { id: path, description: '', safetyClass: 'DESTRUCTIVE' as const, imported }
  return { capability, live, notes: [], refused: `it cannot be read: ${why}` }
}

interface Described {
  readonly root: JsonObject
  readonly schemas: JsonObject
  readonly path: string
  readonly method: Method
  readonly operation: z.infer<typeof Operation>
  /** Parameters of all operations of the path. */
  readonly shared: readonly JsonObject[]
}

function proposedBy(described: Described): ProposedTool {
  const { path, method, operation } = described
  const { operationId, summary, description } = operation
  const id =
    operationId ?? `${method}_${path.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')}`
  const classOf = ofMethod(method)
  const { safetyClass, why } = worse(
    classOf,
    byName(`${operationId ?? ''} ${path}`, classOf.safetyClass === 'READ'),
  )
  const { schema: inputSchema, lacking } = argumentsOf(described)
  const { argsSchema, notes, refused: unkept } = usableSchema(inputSchema)
  const refused = lacking ?? unkept
  const said = summary ?? description
  const live = {
    name: id,
    description: [summary, description].filter((text) => text !== undefined).join('\n\n'),
    inputSchema,
    calls: `${method.toUpperCase()} ${path}`,
  }
  return {
    capability: {
      id,
      description: shortDescription(said ?? `${method.toUpperCase()} ${path}`),
      safetyClass,
      ...(argsSchema !== undefined && { argsSchema }),
      imported: importedFrom('openapi', live),
    },
    live,
    notes: [`${safetyClass}: ${why}`, ...notes],
    ...(refused !== undefined && { refused }),
  }
}

function ofMethod(method: Method): GuessedClass {
  const why = `it is ${method.toUpperCase()}`
  if (method === 'delete') return { safetyClass: 'DESTRUCTIVE', why }
  const reads = method === 'get' || method === 'head' || method === 'options'
  return { safetyClass: reads ? 'READ' : 'WRITE', why }
}

function argumentsOf({ root, schemas, operation, shared }: Described): DescribedArguments {
  const properties: Record<string, JsonValue> = {}
  const required: string[] = []
  const used = new Set<string>()
  const places = new Map<string, string>()
  let lacking: string | undefined
  for (const written of [...shared, ...operation.parameters]) {
    const named = written['$ref']
    if (typeof named === 'string' && resolvedAt(root, named) === null) {
      lacking ??= `its parameter \`$ref\` ${JSON.stringify(named)} leads to nothing in the document`
    }
    const parameter = Parameter.safeParse(resolved(root, written))
    // Headers and cookies are the business of the program that calls the server.
    if (!parameter.success || !['path', 'query'].includes(parameter.data.in)) continue
    const { name, schema, in: place } = parameter.data
    if ((places.get(name) ?? place) !== place) {
      lacking ??= `\`${name}\` is a parameter of its path and of its query`
    }
    places.set(name, place)
    properties[name] = asJsonSchema(schema, used)
    const isRequired = parameter.data.required || place === 'path'
    if (isRequired && !required.includes(name)) required.push(name)
  }
  const bodyAt = operation.requestBody?.['$ref']
  if (typeof bodyAt === 'string' && resolvedAt(root, bodyAt) === null) {
    lacking ??= `its body \`$ref\` ${JSON.stringify(bodyAt)} leads to nothing in the document`
  }
  const body = bodyOf(root, operation.requestBody)
  if (body !== null) {
    properties['body'] = asJsonSchema(body.schema, used)
    if (body.required) required.push('body')
  }
  const $defs = definitions(schemas, used)
  const schema = {
    type: 'object',
    properties,
    required,
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 && { $defs }),
  }
  return { schema, ...(lacking !== undefined && { lacking }) }
}

interface DescribedArguments {
  readonly schema: JsonObject
  /** What of it is not in the document, or stands in it twice. */
  readonly lacking?: string
}

function bodyOf(root: JsonObject, written: JsonObject | undefined) {
  if (written === undefined) return null
  const body = Body.safeParse(resolved(root, written))
  if (!body.success) return null
  const types = Object.entries(body.data.content)
  const [, json] = types.find(([type]) => type.includes('json')) ?? types[0] ?? []
  return { schema: json?.schema ?? {}, required: body.data.required }
}

/** What a reference within the document names. */
function resolved(root: JsonObject, written: JsonObject): JsonObject {
  const { $ref } = written
  return typeof $ref === 'string' ? (resolvedAt(root, $ref) ?? {}) : written
}

/** Null where the document has nothing there, as in another file. */
function resolvedAt(root: JsonObject, reference: string): JsonObject | null {
  if (!reference.startsWith('#/')) return null
  let here: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return null
    here = Object.getOwnPropertyDescriptor(here, key)?.value
  }
  return JsonObject.safeParse(here).data ?? null
}

const schemasAt = '#/components/schemas/'

/** References into the components become definitions; what 3.0 wrote its own way is rewritten. */
function asJsonSchema(value: JsonValue, used: Set<string>): JsonValue {
  if (Array.isArray(value)) return value.map((each) => asJsonSchema(each, used))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
    .filter(([key]) => !extensions.has(key) && !key.startsWith('x-'))
    .map(([key, member]) => [key, memberOf(key, member, used)] as const)
  return withNull(Object.fromEntries(members))
}

/** Words of OpenAPI that JSON Schema does not have. */
const extensions: ReadonlySet<string> = new Set(['discriminator', 'xml', 'externalDocs', 'example'])

function memberOf(key: string, member: JsonValue, used: Set<string>): JsonValue {
  if (key !== '$ref' || typeof member !== 'string' || !member.startsWith(schemasAt)) {
    return asJsonSchema(member, used)
  }
  const name = member.slice(schemasAt.length)
  used.add(name)
  return `#/$defs/${name}`
}

function withNull(schema: Record<string, JsonValue>): JsonValue {
  const { nullable, ...rest } = schema
  if (typeof rest['exclusiveMinimum'] === 'boolean') delete rest['exclusiveMinimum']
  if (typeof rest['exclusiveMaximum'] === 'boolean') delete rest['exclusiveMaximum']
  if (typeof nullable !== 'boolean') return schema['nullable'] === undefined ? rest : schema
  return nullable && typeof rest['type'] === 'string'
    ? { ...rest, type: [rest['type'], 'null'] }
    : rest
}

/** Those that are named, and those that these name. */
function definitions(schemas: JsonObject, used: Set<string>): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = {}
  // A set that grows is walked to its end.
  for (const name of used) found[name] = asJsonSchema(schemas[name] ?? {}, used)
  return found
}
