// The one file that knows the library of the Model Context Protocol: a session with a server over
// the pipes of a program or over HTTP. It must never start a program or open a connection itself.
import { setImmediate } from 'node:timers/promises'
import {
  Client,
  isCallToolResult,
  ProtocolError,
  parseJSONRPCMessage,
  SdkHttpError,
  serializeMessage,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type FetchLike,
  type JSONRPCMessage,
  type ListChangedHandlers,
  type Progress,
  type ServerCapabilities,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { JsonObject } from '#schemas/catalog'
import type { RunningProgram } from '#system/processes'
import { answeredValue, exactAnswers } from './exact-answer.ts'
import { LineBuffer } from './line-buffer.ts'
import type { Secrets } from './secrets.ts'

/** What a server lists as a tool of its own. */
export type ListedTool = Tool

export type McpChannel =
  | { readonly kind: 'program'; readonly program: RunningProgram }
  | { readonly kind: 'http'; readonly url: string; readonly fetch: FetchLike }

export type GuardedFetch = FetchLike

/** What a server answered, as it said it. */
export type ToolAnswer = CallToolResult

/** What a server says of itself. */
export interface AboutServer {
  readonly name: string
  readonly version: string
  readonly capabilities: ServerCapabilities
  readonly instructions?: string
}

/**
 * The library holds no answer against an output schema: digits may have become text in it, and its
 * patterns are the server's own. Who shows an answer holds it against the schema.
 */
const unheld = {
  getValidator: () => () => ({
    valid: true as const,
    get data(): never {
      throw new Error('no one looks at it')
    },
    errorMessage: undefined,
  }),
}

export interface McpNotice {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface Passing {
  readonly signal: AbortSignal
  /** Takes what the server says of how far it is; without it, it is not asked to. */
  readonly onProgress?: (progress: Progress) => void
}

export interface McpSession {
  /** Resolves when the program has; null where the server is not one. */
  readonly ended: Promise<unknown> | null
  /** Whether the server gave it a name, which it may forget. */
  readonly isNamed: boolean
  readonly about: AboutServer
  call(tool: string, args: JsonObject, passing: Passing): Promise<CallToolResult>
  /** Any other request, as it is; an error of the server is thrown with its code and words. */
  request(method: string, params: McpNotice['params'], passing: Passing): Promise<JsonObject>
  /** All tools, however many pages they are on. */
  list(signal: AbortSignal): Promise<readonly ListedTool[]>
  close(): Promise<void>
}

const pagesMax = 1_000
/** So long a server has to answer to a question of a version that it may not know. */
const probeMs = 5_000
/** The signal of a call is its deadline; the library wants one of its own. */
const timeoutMs = 2 ** 31 - 1

export interface ToolSessionOptions {
  /** Without asking whether the server knows the version of 2026. */
  readonly legacy: boolean
  readonly signal: AbortSignal
  /** Takes what the server says unasked. */
  readonly onNotice?: (notice: McpNotice) => void
  /** They are taken out of all that the server says: it may repeat what it was sent. */
  readonly secrets: Pick<Secrets, 'holdsNone' | 'scrub' | 'scrubValue'>
}

export async function openToolSession(
  channel: McpChannel,
  { legacy, signal, onNotice, secrets }: ToolSessionOptions,
): Promise<McpSession> {
  const client = new Client(
    { name: 'warrant', version: '1' },
    {
      capabilities: {},
      listMaxPages: pagesMax,
      jsonSchemaValidator: unheld,
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: legacy ? 'legacy' : 'auto', probe: { timeoutMs: probeMs } },
      ...(onNotice && { listChanged: listsChanged(onNotice) }),
    },
  )
  if (onNotice !== undefined) {
    client.fallbackNotificationHandler = async ({ method, params }) => {
      onNotice({ method, ...(params !== undefined && { params: scrubbed(params, secrets) }) })
    }
  }
  const transport = transportOf(channel)
  try {
    await client.connect(transport, { signal, timeout: timeoutMs })
  } catch (error) {
    await client.close().catch(() => {})
    throw error
  }
  return {
    ended: channel.kind === 'program' ? channel.program.ended : null,
    isNamed: transport.sessionId !== undefined,
    about: aboutOf(client),
    call: async (name, args, passing) => {
      const options = optionsOf(passing, secrets)
      // Of what the library would hold against the output schema, the digits may have become text.
      const named = { name, inputSchema: { type: 'object' as const } }
      const unchecked = channel.kind === 'program' ? { toolDefinition: named } : {}
      const said = await client.callTool({ name, arguments: args }, { ...options, ...unchecked })
      if (secrets.holdsNone()) return said
      const answer = scrubbed(said, secrets)
      if (isCallToolResult(answer)) return answer
      throw new ToolFailure('result_invalid', 'unknown')
    },
    request: async (method, params, passing) => {
      const request = { method, ...(params !== undefined && { params: { ...params } }) }
      try {
        const options = optionsOf(passing, secrets)
        return scrubbed(await client.request(request, z.looseObject({}), options), secrets)
      } catch (error) {
        if (!(error instanceof ProtocolError) || secrets.holdsNone()) throw error
        throw new ProtocolError(error.code, secrets.scrub(error.message))
      }
    },
    list: async (listSignal) => {
      const options = { signal: listSignal, timeout: timeoutMs, cacheMode: 'refresh' as const }
      return (await client.listTools(undefined, options)).tools
    },
    close: async () => client.close(),
  }
}

function scrubbed(said: object, { scrubValue }: ToolSessionOptions['secrets']): JsonObject {
  return JsonObject.parse(scrubValue(JsonObject.parse(said)))
}

function aboutOf(client: Client): AboutServer {
  const { name = 'server', version = '' } = client.getServerVersion() ?? {}
  const instructions = client.getInstructions()
  const capabilities = client.getServerCapabilities() ?? {}
  return { name, version, capabilities, ...(instructions !== undefined && { instructions }) }
}

function optionsOf({ signal, onProgress }: Passing, { scrub }: ToolSessionOptions['secrets']) {
  const onprogress = ({ message, ...progress }: Progress): void => {
    const said = message === undefined ? {} : { message: scrub(message) }
    onProgress?.({ ...progress, ...said })
  }
  return { signal, timeout: timeoutMs, ...(onProgress && { onprogress }) }
}

/** Of a server of 2026 these have to be asked for. */
function listsChanged(onNotice: (notice: McpNotice) => void): ListChangedHandlers {
  const passing = (method: string) => ({
    autoRefresh: false,
    debounceMs: 0,
    onChanged: () => onNotice({ method }),
  })
  return {
    tools: passing('notifications/tools/list_changed'),
    prompts: passing('notifications/prompts/list_changed'),
    resources: passing('notifications/resources/list_changed'),
  }
}

/** The code and the words of an error that the server answered with; null for any other. */
export function answeredError(
  error: unknown,
): { readonly code: number; readonly text: string } | null {
  return error instanceof ProtocolError ? { code: error.code, text: error.message } : null
}

/** The status that the server refused a request with; null for any other error. */
export function httpStatusOf(error: unknown): number | null {
  return error instanceof SdkHttpError ? error.status : null
}

function transportOf(channel: McpChannel): Transport {
  if (channel.kind === 'program') return pipesOf(channel.program)
  return new StreamableHTTPClientTransport(new URL(channel.url), {
    fetch: exactAnswers(channel.fetch),
    // A stream that was cut is not taken up again: the call has failed by then.
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  })
}

/** One message a line, as MCP has it over pipes. */
function pipesOf(program: RunningProgram): Transport {
  const buffer = new LineBuffer()
  let isReading = false
  let reading: Promise<void> = Promise.resolve()
  const transport: Transport = {
    start: async () => {
      program.output.on('data', read)
      // What it writes there is for its operator; unread, it would stop the program.
      program.errors.resume()
      // What it wrote last is read before it is gone.
      void program.ended.then(() => reading).then(() => transport.onclose?.())
    },
    send: async (message: JSONRPCMessage) => {
      const line = serializeMessage(message)
      await new Promise<void>((resolve, reject) => {
        program.input.write(line, (error) => (error ? reject(error) : resolve()))
      })
    },
    close: async () => {
      await program.stop()
      transport.onclose?.()
    },
  }
  const stopFor = (error: unknown): void => {
    if (error instanceof Error) transport.onerror?.(error)
    void program.stop()
  }
  const readAll = async (): Promise<void> => {
    isReading = true
    // The library looks at what was notified a turn later, and at an answer at once: how far a call
    // is would be lost where both came together.
    while (deliver(buffer, transport)) await setImmediate()
    isReading = false
  }
  const read = (chunk: Buffer): void => {
    try {
      buffer.append(chunk)
      if (!isReading) reading = readAll().catch(stopFor)
    } catch (error) {
      stopFor(error)
    }
  }
  return transport
}

/** Whether there was a message. A line that is not one is reported and passed over. */
function deliver(buffer: LineBuffer, transport: Transport): boolean {
  try {
    const line = buffer.next()
    if (line !== null && line.trim() !== '') {
      transport.onmessage?.(parseJSONRPCMessage(answeredValue(line)))
    }
    return line !== null
  } catch (error) {
    // The call would wait for ever for an answer that is passed over.
    if (error instanceof ToolFailure) throw error
    if (error instanceof Error) transport.onerror?.(error)
    return true
  }
}
