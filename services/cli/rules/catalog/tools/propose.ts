// Proposes capabilities from a list of tools, for a person to review: it prints what would be added
// and why, or writes it into the catalog.json of a seed folder. It opens no log and signs nothing.
import { mixesAlphabets } from '#record/quote'
import { counted } from '#present/wording'
import { exitCodes } from '#schemas/faults/exit'
import { jsonLines } from '#present/json-lines'
import { toned, type Line } from '#cli/terminal/line'
import { print, printJson, write } from '#cli/terminal/terminal'
import { SafetyClass } from '#schemas/rules/terms'
import { usage } from '#cli/terminal/failure'
import { catalogIn, writeCatalogFile, writtenIn } from '../catalog-in.ts'
import { toolChangeLines, comparedTools } from './changed.ts'
import { toolsOfMcp, type HintReading } from './from-mcp.ts'
import {
  type ProposedTool,
  importedFrom,
  shortDescription,
  writtenTexts,
  unreadTool,
  usableSchema,
} from './proposed.ts'
import { z } from 'zod'
import { firstProblem } from '#record/problem'
import { isJsonObject } from '#record/json-object'
import { JsonObject, type JsonValue } from '#schemas/catalog'
import { edgeOperation } from './edge-operation.ts'
import { argumentsOfOperation } from './openapi-arguments.ts'
import { referenceTarget } from './openapi-references.ts'
import { byName, worse, type GuessedClass } from './safety-class.ts'

// The operations of an OpenAPI 3 document as tools. What of a path cannot be read is refused by
// itself, and never left out.

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

function toolOf({ operation: written, ...rest }: Described<JsonValue>): ProposedTool {
  const { method, path, item, root } = rest
  const target = isJsonObject(written) ? referenceTarget(root, written) : { found: written }
  if ('lost' in target) return unreadPath(path, `${method}: ${target.lost}`)
  const operation: JsonValue = target.found
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

const readingMethods: ReadonlySet<string> = new Set(['get', 'head', 'options', 'query'])

function ofMethod(method: string): GuessedClass {
  const why = `it is ${method.toUpperCase()}`
  if (readingMethods.has(method)) return { safetyClass: 'READ', why }
  const isKnown = methods.includes(method) && method !== 'delete'
  return { safetyClass: isKnown ? 'WRITE' : 'DESTRUCTIVE', why }
}

export interface ProposeOptions {
  /** The seed folder whose catalog.json gets what it lacks. */
  readonly into?: string
  readonly json?: boolean
  /** It changes nothing: what `into` lacks is shown. */
  readonly dryRun?: boolean
  /** Of tools, by their ids: the class that a person gives them. */
  readonly class?: Readonly<Record<string, unknown>>
}

/** Null where the file is not a list of tools. */
export function toolsIn(value: unknown, reading: HintReading): readonly ProposedTool[] | null {
  return toolsOfMcp(value, reading) ?? toolsOfOpenApi(value)
}

export async function proposeTools(
  file: string,
  found: readonly ProposedTool[],
  { into, json = false, dryRun = false, class: classes = {} }: ProposeOptions,
): Promise<number> {
  const tools = withClasses(
    found.filter(({ refused }) => refused === undefined),
    classes,
  )
  const refused = found.filter((one) => one.refused !== undefined)
  const there = into === undefined ? null : await catalogIn(into)
  const here = there?.file.capabilities ?? []
  const known = new Set(here.map(({ id }) => id))
  const added = tools.filter(({ capability }) => !known.has(capability.id))
  const left = tools.length - added.length
  const { changed } = comparedTools(here, tools)
  const capabilities = added.map(({ capability }) => capability)
  const target = dryRun ? null : there
  if (target !== null && added.length + changed.length > 0) {
    const suspended = new Set(changed.map(({ capability }) => capability))
    const written = writtenIn(target.written, 'capabilities')
    const kept = written.map((one) => suspendedIn(one, suspended))
    const merged = { ...target.written, capabilities: [...kept, ...capabilities] }
    await writeCatalogFile(target.path, merged)
  }
  if (json)
    await printJson({
      added: added.map(shownTool),
      left,
      changed,
      refused: refused.map(({ capability: { id }, refused: why }) => ({ id, why })),
      into: target?.path ?? null,
    })
  else {
    await print(proposalLines(added, { file, left, path: target?.path ?? null }))
    await print(refusedLines(refused))
    await print(changed.flatMap(toolChangeLines))
    if (changed.length > 0 && target !== null)
      await print(['These are suspended there: look, then take that away.'])
    if (target === null) await write(`${jsonLines({ capabilities })}\n`)
  }
  return exitCodes.yes
}

/** A name that a person may take for another one, with its letters as numbers. */
export function oddName(id: string): readonly string[] {
  if (!mixesAlphabets(id)) return []
  const letters = id.replaceAll(/[^ -~]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
  return [`its name mixes letters of several alphabets: ${letters}`]
}

function refusedLines(refused: readonly ProposedTool[]): readonly Line[] {
  return refused.map(({ capability: { id }, refused: why = '' }) => {
    return toned('warn', `  ${id}  refused: ${why}`)
  })
}

const shownTool = ({ capability, notes }: ProposedTool) => ({ capability, notes })

/** What a person says goes before every guess. */
export function withClasses(
  tools: readonly ProposedTool[],
  classes: Readonly<Record<string, unknown>>,
): readonly ProposedTool[] {
  const given = new Map(Object.entries(classes).map(([id, text]) => [id, classIn(id, text)]))
  const ids = new Set(tools.map(({ capability }) => capability.id))
  for (const id of given.keys()) if (!ids.has(id)) throw usage(`no tool is called \`${id}\``)
  return tools.map((tool) => {
    const safetyClass = given.get(tool.capability.id)
    if (safetyClass === undefined) return tool
    const notes = [`${safetyClass}: as you say`, ...tool.notes.slice(1)]
    return { ...tool, capability: { ...tool.capability, safetyClass }, notes }
  })
}

function classIn(id: string, text: unknown): SafetyClass {
  const parsed = SafetyClass.safeParse(text)
  if (parsed.success) return parsed.data
  throw usage(`the class of \`${id}\` is one of ${SafetyClass.options.join(', ')}`)
}

function suspendedIn(written: unknown, ids: ReadonlySet<string>): unknown {
  if (typeof written !== 'object' || written === null) return written
  const id: unknown = Object.getOwnPropertyDescriptor(written, 'id')?.value
  return typeof id === 'string' && ids.has(id) ? { ...written, suspended: true } : written
}

function proposalLines(
  added: readonly ProposedTool[],
  {
    file,
    left,
    path,
  }: { readonly file: string; readonly left: number; readonly path: string | null },
): readonly Line[] {
  const where = path === null ? 'a proposal; nothing was written' : `written into ${path}`
  return [
    `${counted(added.length, 'tool')} of ${file}: ${where}`,
    ...added.map(({ capability: { id, safetyClass }, notes }) => {
      const odd = oddName(id)
      const line = `  ${id}  ${[...notes, ...odd].join('; ')}`
      return safetyClass === 'READ' && odd.length === 0 ? line : toned('warn', line)
    }),
    ...(left > 0 ? [toned('dim', `  left alone, since the catalog has them: ${left}`)] : []),
    'Review each class, and say which are about personal data (`sensitivity`) and what they act on',
    '(`concepts`). A tool without concepts needs no graph.',
  ]
}
