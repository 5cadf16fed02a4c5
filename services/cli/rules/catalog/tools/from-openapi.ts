// The operations of an OpenAPI 3 document as tools. What of a path cannot be read is refused by
// itself, and never left out.
import { z } from 'zod'
import { firstProblem } from '#record/problem'
import { isJsonObject } from '#record/json-object'
import { JsonObject, type JsonValue } from '#schemas/catalog'
import { edgeOperation } from './edge-operation.ts'
import { argumentsOfOperation } from './openapi-arguments.ts'
import { referenceTarget } from './openapi-references.ts'
import {
  importedFrom,
  shortDescription,
  writtenTexts,
  unreadTool,
  usableSchema,
  type ProposedTool,
} from './proposed.ts'
import { byName, worse, type GuessedClass } from './safety-class.ts'

const methods = ['get', 'head', 'options', 'query', 'post', 'put', 'patch', 'delete', 'trace']
/** What else a path may have. */
const ofPath = ['$ref', 'summary', 'description', 'servers', 'parameters', 'additionalOperations']

const Document = z.looseObject({ openapi: z.string().regex(/^3\./), paths: JsonObject })
const Operation = z.looseObject({ operationId: z.string().optional() })

/** Null where it is not such a document. */
export function toolsOfOpenApi(value: unknown): readonly ProposedTool[] | null {
  const parsed = Document.safeParse(value)
  if (!parsed.success) return null
  const root = JsonObject.parse(value)
  const ids = new Set<string>()
  const { paths } = parsed.data
  const own = Object.entries(paths).filter(([path]) => !path.startsWith('x-'))
  return own.flatMap(([path, written]) => {
    const item = isJsonObject(written)
      ? referenceTarget(root, written)
      : { lost: 'it is not an object' }
    if ('lost' in item) return [unreadPath(path, item.lost)]
    const { found, strange } = operationsOf(item.found)
    const tools = found.map(([method, operation]) => {
      const described = { root, path, method, operation, item: item.found }
      const tool = toolOf(described)
      return tool.edge === undefined ? tool : withOwnId(tool, ids)
    })
    return [...tools, ...strange.map((why) => unreadPath(path, why))]
  })
}

interface Operations {
  readonly found: readonly (readonly [method: string, operation: JsonValue])[]
  /** What may be meant as an operation, and is not one. */
  readonly strange: readonly string[]
}

function operationsOf(item: JsonObject): Operations {
  const more = item['additionalOperations'] ?? {}
  const usual = methods.flatMap((method): readonly (readonly [string, JsonValue])[] => {
    const operation = item[method]
    return operation === undefined ? [] : [[method, operation]]
  })
  const strange = Object.keys(item).filter((key) => {
    const isKnown = methods.includes(key) || ofPath.includes(key) || key.startsWith('x-')
    return !isKnown && isJsonObject(item[key])
  })
  return {
    found: [...usual, ...Object.entries(isJsonObject(more) ? more : {})],
    strange: [
      ...strange.map((key) => `\`${key}\` is neither a method of OpenAPI 3 nor known of a path`),
      ...(isJsonObject(more) ? [] : ['`additionalOperations` is not an object']),
    ],
  }
}

function toolOf({ operation, ...rest }: Described<JsonValue>): ProposedTool {
  const { method, path, item, root } = rest
  const read = Operation.safeParse(operation)
  if (!read.success || !isJsonObject(operation)) {
    const { at, message } = firstProblem(read.error?.issues ?? [])
    return unreadPath(path, `${method}${at === '' ? '' : `/${at}`}: ${message}`)
  }
  const servers = [operation['servers'], item['servers'], root['servers']]
  const described = { ...rest, operation, operationId: read.data.operationId }
  return { ...proposedBy(described), edge: edgeOperation({ method, path, servers }) }
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
  return unreadTool('openapi', path, `it cannot be read: ${why}`)
}

interface Described<Operation> {
  readonly root: JsonObject
  readonly path: string
  /** The path with its references followed. */
  readonly item: JsonObject
  readonly method: string
  readonly operation: Operation
}

function proposedBy({
  operationId,
  ...described
}: Described<JsonObject> & { readonly operationId: string | undefined }): ProposedTool {
  const { root, path, item, method, operation } = described
  const { texts, notes: odd } = writtenTexts(operation, ['summary', 'description'])
  const { summary, description } = texts
  const plainPath = path.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')
  const id = operationId ?? `${method.toLowerCase()}_${plainPath}`
  const classOf = ofMethod(method.toLowerCase())
  const { safetyClass, why } = worse(
    classOf,
    byName(`${operationId ?? ''} ${path}`, classOf.safetyClass === 'READ'),
  )
  const { requestBody, parameters: own } = operation
  const args = argumentsOfOperation({ root, path, shared: item['parameters'], own, requestBody })
  const usable = usableSchema(args.schema, args.passedOver)
  const { argsSchema } = usable
  const refused = args.refused ?? usable.refused
  const calls = `${method.toUpperCase()} ${path}`
  const live = {
    name: id,
    description: [summary, description].filter((text) => text !== undefined).join('\n\n'),
    inputSchema: args.schema,
    calls,
  }
  return {
    capability: {
      id,
      description: shortDescription(summary ?? description ?? calls),
      safetyClass,
      ...(argsSchema !== undefined && refused === undefined && { argsSchema }),
      imported: importedFrom('openapi', live),
    },
    live,
    notes: [`${safetyClass}: ${why}`, ...odd, ...args.notes, ...usable.notes],
    ...(refused !== undefined && { refused }),
  }
}

const reading: ReadonlySet<string> = new Set(['get', 'head', 'options', 'query'])

function ofMethod(method: string): GuessedClass {
  const why = `it is ${method.toUpperCase()}`
  if (reading.has(method)) return { safetyClass: 'READ', why }
  const isKnown = methods.includes(method) && method !== 'delete'
  return { safetyClass: isKnown ? 'WRITE' : 'DESTRUCTIVE', why }
}
