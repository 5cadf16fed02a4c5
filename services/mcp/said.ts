// What a server of tools says beside the answers of its tools, as clients get it: built again from
// the members that MCP has, redacted, and with nothing that only the proxy may say. A method that
// is not here is not passed on.
import { z } from 'zod'
import type { AboutServer, ListedTool, McpNotice, Passing } from '#gateway/tools/mcp-library'
import { toolFailureIn } from '#gateway/tools/mcp-sessions'
import { contentBlock, described, resource, resourceContents } from '#firewall/content'
import { resourceTemplate } from '#firewall/content'
import { rebuilt, type ContentBounds, type Shape } from '#firewall/rebuilt'
import { redactText } from '#firewall/redact'
import { jsonOf } from '#record/canonical'
import { Fault } from '#record/fault'
import { JsonObject } from '#schemas/catalog'
import { listedToolOf, serverError } from './protocol.ts'

const bounds: ContentBounds = { constraints: {}, reveal: [] }

type Members = Readonly<Record<string, Shape>>

const result = (members: Members): Shape => ({ members: { ...members, _meta: 'meta' } })
const listing = (name: string, of: Shape): Shape => {
  return result({ [name]: { list: of }, nextCursor: 'text' })
}
const nothing = result({})

const prompt: Shape = {
  members: {
    ...described,
    arguments: {
      list: { members: { name: 'text', title: 'text', description: 'text', required: 'flag' } },
    },
  },
}

const results: ReadonlyMap<string, Shape> = new Map([
  ['resources/list', listing('resources', resource)],
  ['resources/templates/list', listing('resourceTemplates', resourceTemplate)],
  ['resources/read', result({ contents: { list: resourceContents } })],
  ['resources/subscribe', nothing],
  ['resources/unsubscribe', nothing],
  ['prompts/list', listing('prompts', prompt)],
  [
    'prompts/get',
    result({
      description: 'text',
      messages: { list: { members: { role: 'text', content: contentBlock } } },
    }),
  ],
  [
    'completion/complete',
    result({
      completion: { members: { values: { list: 'text' }, total: 'number', hasMore: 'flag' } },
    }),
  ],
  ['logging/setLevel', nothing],
])

/** Of what a client asked for by that method. */
export function resultShown(method: string, said: JsonObject): JsonObject {
  const shape = results.get(method)
  const shown = shape === undefined ? null : rebuilt(shape, jsonOf(said), bounds)
  return JsonObject.parse(shown?.value ?? {})
}

const notices: ReadonlyMap<string, Shape> = new Map([
  ['notifications/message', result({ level: 'text', logger: 'text', data: 'json' })],
  ['notifications/resources/updated', result({ uri: 'text' })],
  ['notifications/resources/list_changed', nothing],
  ['notifications/prompts/list_changed', nothing],
  ['notifications/tools/list_changed', nothing],
])

/** Null of what is not passed on. */
export function noticeShown({ method, params = {} }: McpNotice): McpNotice | null {
  const shape = notices.get(method)
  const shown = shape === undefined ? null : rebuilt(shape, jsonOf(params), bounds)
  return shown === null ? null : { method, params: JsonObject.parse(shown.value) }
}

export type SaidProgress = Parameters<NonNullable<Passing['onProgress']>>[0]

const progressShape: Shape = { members: { progress: 'number', total: 'number', message: 'text' } }

/** Null of one that does not say how far it is. */
export function progressShown(said: SaidProgress): SaidProgress | null {
  const shown = rebuilt(progressShape, jsonOf(said), bounds)
  const { progress, total, message } = JsonObject.parse(shown?.value ?? {})
  if (typeof progress !== 'number') return null
  return {
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  }
}

const tool: Shape = {
  members: {
    ...described,
    inputSchema: 'schema',
    outputSchema: 'schema',
    annotations: {
      members: {
        title: 'text',
        readOnlyHint: 'flag',
        destructiveHint: 'flag',
        idempotentHint: 'flag',
        openWorldHint: 'flag',
      },
    },
    execution: { members: { taskSupport: 'text' } },
  },
}

/**
 * A tool that the catalog has. What a person approved of it, by its digest, stays as it was
 * approved. Null where what is left is no tool.
 */
export function toolShown(listed: ListedTool, isApproved: boolean): ListedTool | null {
  const { name, description, inputSchema } = listed
  const shown = rebuilt(tool, jsonOf(listed), bounds)
  return listedToolOf({
    ...JsonObject.parse(shown?.value ?? {}),
    name,
    ...(isApproved && { inputSchema, ...(description !== undefined && { description }) }),
  })
}

/** What it says of itself, and of what it can that which is passed on. */
export function aboutShown(about: AboutServer): AboutServer {
  const { name, version, instructions, capabilities } = about
  const { tools, resources, prompts, completions, logging } = capabilities
  return {
    name: redactText(name),
    version: redactText(version),
    ...(instructions !== undefined && { instructions: redactText(instructions) }),
    capabilities: {
      ...(tools && { tools: changing(tools) }),
      ...(resources && {
        resources: {
          ...changing(resources),
          ...(resources.subscribe !== undefined && { subscribe: resources.subscribe }),
        },
      }),
      ...(prompts && { prompts: changing(prompts) }),
      ...(completions && { completions: {} }),
      ...(logging && { logging: {} }),
    },
  }
}

function changing({ listChanged }: { readonly listChanged?: boolean | undefined }) {
  return listChanged === undefined ? {} : { listChanged }
}

/** A client can be asked to open a link by this, and would take it for the proxy's. */
const asksForLink = -32_042
const internalError = -32_603

const AboutResource = z.looseObject({ data: z.looseObject({ uri: z.string() }) })

/**
 * What a client gets of an error: of the server its code and its words redacted, and the address
 * that the client asked for, where the error is about it.
 */
export async function errorShown(error: unknown, asked?: unknown): Promise<Error> {
  if (error instanceof Fault) return serverError(internalError, redactText(error.message))
  const { code, detail } = await toolFailureIn(error, 'unknown')
  const { rpc, text } = detail
  if (typeof rpc !== 'number' || typeof text !== 'string') {
    const words = typeof text === 'string' ? `; it wrote last: ${redactText(text)}` : ''
    return serverError(internalError, `the server of tools did not answer (${code})${words}`)
  }
  const uri = AboutResource.safeParse(error).data?.data.uri
  const data = uri !== undefined && uri === asked ? { uri } : undefined
  return serverError(rpc === asksForLink ? internalError : rpc, redactText(text), data)
}
