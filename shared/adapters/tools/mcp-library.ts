// The one file that knows the library of the Model Context Protocol: a session with a server over
// the pipes of a program or over HTTP. It must never start a program or open a connection itself.
import {
  Client,
  ProtocolError,
  ReadBuffer,
  SdkHttpError,
  serializeMessage,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type FetchLike,
  type JSONRPCMessage,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client'
import type { JsonObject } from '#schemas/catalog'
import type { RunningProgram } from './processes.ts'

/** What a server lists as a tool of its own. */
export type ListedTool = Tool

export type McpChannel =
  | { readonly kind: 'program'; readonly program: RunningProgram }
  | { readonly kind: 'http'; readonly url: string; readonly fetch: FetchLike }

export type GuardedFetch = FetchLike

export interface McpSession {
  /** Resolves when the program has; null where the server is not one. */
  readonly ended: Promise<unknown> | null
  call(tool: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult>
  /** All tools, however many pages they are on. */
  list(signal: AbortSignal): Promise<readonly ListedTool[]>
  close(): Promise<void>
}

/** The largest message of a server; what is larger ends its session. */
export const messageBytesMax = 64 * 1024 * 1024
const pagesMax = 1_000
/** So long a server has to answer to a question of a version that it may not know. */
const probeMs = 5_000
/** The signal of a call is its deadline; the library wants one of its own. */
const timeoutMs = 2 ** 31 - 1

/** `legacy`: without asking whether the server knows the version of 2026. */
export async function openToolSession(
  channel: McpChannel,
  { legacy, signal }: { readonly legacy: boolean; readonly signal: AbortSignal },
): Promise<McpSession> {
  const client = new Client(
    { name: 'warrant', version: '1' },
    {
      capabilities: {},
      listMaxPages: pagesMax,
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: legacy ? 'legacy' : 'auto', probe: { timeoutMs: probeMs } },
    },
  )
  try {
    await client.connect(transportOf(channel), { signal, timeout: timeoutMs })
  } catch (error) {
    await client.close().catch(() => {})
    throw error
  }
  return {
    ended: channel.kind === 'program' ? channel.program.ended : null,
    call: async (name, args, callSignal) => {
      return client.callTool({ name, arguments: args }, { signal: callSignal, timeout: timeoutMs })
    },
    list: async (listSignal) => {
      const options = { signal: listSignal, timeout: timeoutMs, cacheMode: 'refresh' as const }
      return (await client.listTools(undefined, options)).tools
    },
    close: async () => client.close(),
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
    fetch: channel.fetch,
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
  const buffer = new ReadBuffer({ maxBufferSize: messageBytesMax })
  const transport: Transport = {
    start: async () => {
      program.output.on('data', read)
      // What it writes there is for its operator; unread, it would stop the program.
      program.errors.resume()
      void program.ended.then(() => transport.onclose?.())
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
  const read = (chunk: Buffer): void => {
    try {
      buffer.append(chunk)
      for (let left = true; left;) left = deliver(buffer, transport)
    } catch (error) {
      if (error instanceof Error) transport.onerror?.(error)
      void program.stop()
    }
  }
  return transport
}

/** Whether there was a message. A line that is not one is reported and passed over. */
function deliver(buffer: ReadBuffer, transport: Transport): boolean {
  try {
    const message = buffer.readMessage()
    if (message !== null) transport.onmessage?.(message)
    return message !== null
  } catch (error) {
    if (error instanceof Error) transport.onerror?.(error)
    return true
  }
}
