// The server that a client sees, by the library of MCP, in both versions of the protocol: it reads
// what clients ask and writes what they are answered. It must never decide anything.
import {
  inputRequired,
  isCallToolResult,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  McpServer,
  type CallToolRequestParams,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { AboutServer, ListedTool, McpNotice } from '#gateway/tools/mcp-library'
import type { Passing, ToolAnswer } from '#gateway/tools/mcp-library'
import { Fault } from '#record/fault'
import { JsonObject } from '#schemas/catalog'

/** A call as a client makes it. */
export interface FrontCall {
  readonly name: string
  readonly args: JsonObject
  readonly signal: AbortSignal
  readonly onProgress?: Passing['onProgress']
  /** The intent that it goes on with, as the client says: may be anything. */
  readonly intent?: string
  /** Why it is made, in the words of the client. */
  readonly justification?: string
  /** What its host answered to the link that it was asked to open; null where it was not asked. */
  readonly opened: 'accept' | 'decline' | 'cancel' | null
  readonly can: ClientAbilities
}

export interface ClientAbilities {
  /** Whether it knows tasks, which may take long. */
  readonly tasks: boolean
  /** Whether it opens links for its user. */
  readonly links: boolean
}

export type FrontAnswer =
  | { readonly is: 'answer'; readonly answer: ToolAnswer }
  /** The client is asked to open a link, and to call again. */
  | { readonly is: 'link'; readonly intent: string; readonly url: string; readonly text: string }
  | { readonly is: 'task'; readonly task: JsonObject }

export interface Front {
  /** What a client is shown as the server. */
  about(signal: AbortSignal): Promise<AboutServer>
  /** `goal`: what they are wanted for, in the words of the client. */
  tools(signal: AbortSignal, goal?: string): Promise<readonly ListedTool[]>
  call(call: FrontCall): Promise<FrontAnswer>
  /** Any request that is not about tools. */
  pass(request: McpNotice, passing: Passing): Promise<JsonObject>
  /** Calls it for what clients get unasked, until what it returns is called. */
  listen(listener: (notice: McpNotice) => void): () => void
  /** So long one of its answers may take, in milliseconds. */
  answerMsMax(): number
  /** Requests of the tasks extension; absent where there are no tasks. */
  task?(method: TaskMethod, taskId: string): Promise<JsonObject>
}

export type TaskMethod = 'tasks/get' | 'tasks/update' | 'tasks/cancel'

const tasksExtension = 'io.modelcontextprotocol/tasks'
/** By which a retry says what it goes on with, in the draft SEP-2643. */
const contextKey = 'io.modelcontextprotocol/authorization-context-id'
const justificationKey = 'warrant/justification'
const goalKey = 'warrant/goal'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
const linkKey = 'review'

/** Throws a Fault for what is no answer of a tool. */
export function toolAnswerOf(value: object): ToolAnswer {
  if (isCallToolResult(value)) return value
  throw new Fault('unexpected', 'what the firewall left is no answer of a tool')
}

/** Null for what is no tool of a list. */
export function listedToolOf(value: object): ListedTool | null {
  return isSpecType.Tool(value) ? value : null
}

/** To be thrown to a client: an error with a code of JSON-RPC. */
export function serverError(code: number, text: string, data?: unknown): Error {
  return new ProtocolError(code, text, data)
}

/** To be thrown to a client: what it names is not there. */
export function noSuch(text: string): Error {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text)
}

const passedOn = [
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
] as const

const LinkAnswer = z.object({ action: z.enum(['accept', 'decline', 'cancel']) })
const Capabilities = z.looseObject({
  extensions: z.record(z.string(), z.unknown()).optional(),
  elicitation: z.looseObject({ url: z.unknown() }).partial().optional(),
})
const Envelope = z.looseObject({ [capabilitiesKey]: Capabilities })

type LowServer = McpServer['server']

/** A server for one client, or for one request of 2026. */
export async function serverOf(front: Front): Promise<McpServer> {
  const about = await front.about(AbortSignal.timeout(openMs))
  const { name, version, instructions } = about
  const made = new McpServer(
    { name, version },
    {
      capabilities: capabilitiesOf(about, front),
      inputRequired: { roundTimeoutMs: linkMs },
      ...(instructions !== undefined && { instructions }),
    },
  )
  const { server } = made
  const running = new Set<ServerContext>()
  if (about.capabilities.tools !== undefined) {
    server.setRequestHandler('tools/list', async (_request, { mcpReq: { signal, _meta } }) => {
      return { tools: [...(await front.tools(signal, statedIn(_meta, goalKey)))] }
    })
    server.setRequestHandler('tools/call', async (request, context) => {
      running.add(context)
      try {
        return await calledBy(server, front, { params: request.params, context })
      } finally {
        running.delete(context)
      }
    })
  }
  if (front.task !== undefined) {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'] as const) {
      server.setRequestHandler(method, { params: TaskParams }, async ({ taskId }) => {
        return (await front.task?.(method, taskId)) ?? {}
      })
    }
  }
  const passed = async (method: string, params: McpNotice['params'], context: ServerContext) => {
    const { signal } = context.mcpReq
    const request = { method, ...(params !== undefined && { params }) }
    return withProgress(context, (onProgress) => front.pass(request, { signal, ...onProgress }))
  }
  // What the library would answer by itself is answered by the server behind.
  for (const method of passedOn) {
    server.removeRequestHandler(method)
    if (!mayAsk(about, method)) continue
    server.setRequestHandler(method, { params: AnyParams }, (params, context) => {
      return passed(method, params, context)
    })
  }
  const silence = front.listen((notice) => {
    // What it logs in a call belongs into the answer to that call.
    const call = notice.method === 'notifications/message' ? [...running].at(-1) : undefined
    void noticed(call?.mcpReq.notify ?? ((one) => server.notification(one)), notice)
  })
  // The library has no other way to learn of it.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  server.onclose = silence
  return made
}

const AnyParams = z.looseObject({}).optional()
const TaskParams = z.looseObject({ taskId: z.string().max(1_024) })
const openMs = 60_000
/** So long a person may take to open a link. */
const linkMs = 600_000

function mayAsk({ capabilities }: AboutServer, method: (typeof passedOn)[number]): boolean {
  const { resources, prompts, completions, logging } = capabilities
  const [area] = method.split('/')
  const by = { resources, prompts, completion: completions, logging }
  return new Map<string, unknown>(Object.entries(by)).get(area ?? '') !== undefined
}

function capabilitiesOf({ capabilities }: AboutServer, front: Front): ServerCapabilities {
  const { tools, resources, prompts, completions, logging } = capabilities
  return {
    ...(tools && { tools }),
    ...(resources && { resources }),
    ...(prompts && { prompts }),
    ...(completions && { completions }),
    ...(logging && { logging }),
    ...(front.task !== undefined && { extensions: { [tasksExtension]: {} } }),
  }
}

async function noticed(
  send: ServerContext['mcpReq']['notify'],
  { method, params }: McpNotice,
): Promise<void> {
  try {
    await send({ method, ...(params !== undefined && { params: { ...params } }) })
  } catch {
    // Of another version of the protocol, or to a client that is gone: it gets nothing.
  }
}

interface Called {
  readonly params: CallToolRequestParams
  readonly context: ServerContext
}

async function calledBy(server: LowServer, front: Front, { params, context }: Called) {
  const { mcpReq } = context
  const state = mcpReq.requestState()
  const echoed = state ?? mcpReq._meta?.[contextKey]
  const opened = LinkAnswer.safeParse(mcpReq.inputResponses?.[linkKey])
  const justification = statedIn(mcpReq._meta, justificationKey)
  const answer = await withProgress(context, (onProgress) =>
    front.call({
      name: params.name,
      args: JsonObject.parse(params.arguments ?? {}),
      signal: mcpReq.signal,
      ...onProgress,
      ...(typeof echoed === 'string' && { intent: echoed }),
      ...(justification !== undefined && { justification }),
      opened: opened.success ? opened.data.action : null,
      can: abilitiesIn(server, context),
    }),
  )
  switch (answer.is) {
    case 'answer':
      return { ...answer.answer }
    case 'link': {
      const { intent, url, text: message } = answer
      return inputRequired({
        inputRequests: { [linkKey]: inputRequired.elicitUrl({ message, url }) },
        requestState: intent,
      })
    }
    case 'task':
      return { ...answer.task, resultType: 'task', content: [] }
  }
}

const statedCharactersMax = 8_000

/** What a client says beside its request; thrown to it where it is no text, or too long. */
function statedIn(meta: object | undefined, key: string): string | undefined {
  const said: unknown = Object.entries(meta ?? {}).find(([name]) => name === key)?.[1]
  if (said === undefined) return undefined
  if (typeof said === 'string' && said.length <= statedCharactersMax) return said
  throw noSuch(`\`_meta\` takes a text of at most ${statedCharactersMax} characters as \`${key}\``)
}

/** A request of 2026 says what its client can; before, the client reported it once. */
function abilitiesIn(server: LowServer, { mcpReq }: ServerContext): ClientAbilities {
  const said = Envelope.safeParse(mcpReq.envelope).data?.[capabilitiesKey]
  // There is no other way to read what a client of 2025 reported.
  // oxlint-disable-next-line typescript/no-deprecated
  const can = said ?? Capabilities.safeParse(server.getClientCapabilities()).data
  return {
    tasks: Object.hasOwn(can?.extensions ?? {}, tasksExtension),
    links: can?.elicitation?.url !== undefined,
  }
}

/** Where the client asks for it, it gets how far the call is; all of it before the answer. */
async function withProgress<T>(
  { mcpReq }: ServerContext,
  call: (passing: Pick<Passing, 'onProgress'>) => Promise<T>,
): Promise<T> {
  const token = mcpReq._meta?.progressToken
  if (token === undefined) return call({})
  let sent: Promise<unknown> = Promise.resolve()
  const onProgress: Passing['onProgress'] = (progress) => {
    const params = { ...progress, progressToken: token }
    const one = mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
    sent = Promise.all([sent, one])
  }
  try {
    return await call({ onProgress })
  } finally {
    await sent
  }
}
