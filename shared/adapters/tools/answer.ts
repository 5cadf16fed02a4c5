// Reads the body of an answer over HTTP: up to a limit, as JSON, text, lines or events.
import type { IncomingMessage } from 'node:http'
import { ToolFailure } from '#core/drivers/tool-failure'
import type { DriverResult, ToolCall } from '#ports/tools'
import type { JsonValue } from '#schemas/catalog'
import type { Happened } from '#schemas/action/tool-failure'
import { abortFailure } from '#adapters/egress/aborting'
import { bytesMaxOf, failureReadBytesMax, tooLarge } from './outcome.ts'
import type { Secrets } from './secrets.ts'
import { eventParts, lineParts, valueOrRows, type PartReader } from './streams.ts'

interface Reading {
  readonly call: ToolCall
  readonly signal: AbortSignal
  readonly secrets: Secrets
  readonly method: string
  /** Where the answer cannot be used. */
  readonly happened: Happened
}

export async function resultOf(answer: IncomingMessage, reading: Reading): Promise<DriverResult> {
  const { call, secrets, happened } = reading
  const bytesMax = bytesMaxOf(call)
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new ToolFailure('result_invalid', happened)
  const announced = reading.method === 'HEAD' ? 0 : Number(answer.headers['content-length'] ?? 0)
  if (announced > bytesMax) throw tooLarge(call, happened)
  const type = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const streamed = readerOf(type)
  // Text may be passed on line by line, and is one text in the end.
  const reader = streamed ?? (call.onPart !== undefined && isText(type) ? lineParts() : null)
  const parts: JsonValue[] = []
  const take = (found: readonly JsonValue[]): void => {
    if (streamed !== null) parts.push(...found)
    for (const part of found) call.onPart?.(secrets.scrubValue(part))
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of bodyChunks(answer, reading)) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(call, happened)
    if (streamed === null) chunks.push(chunk)
    if (reader !== null) take(reader.push(chunk))
  }
  if (reader !== null) take(reader.end())
  if (streamed !== null) return { value: parts, bytes }
  const value = valueOrRows(Buffer.concat(chunks))
  if (value === undefined) throw new ToolFailure('result_invalid', happened)
  return { value, bytes }
}

function readerOf(type: string): PartReader | null {
  if (type === 'text/event-stream') return eventParts()
  const ndjson = ['application/x-ndjson', 'application/ndjson', 'application/jsonl']
  return ndjson.includes(type) ? lineParts() : null
}

function isText(type: string): boolean {
  return type.startsWith('text/')
}

/** The body as it comes; what cuts it off is a failure that does not know what happened. */
export async function* bodyChunks(
  answer: IncomingMessage,
  { signal }: { readonly signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const abort = (): void => void answer.destroy()
  signal.addEventListener('abort', abort)
  try {
    if (signal.aborted) abort()
    const body: AsyncIterable<unknown> = answer
    for await (const chunk of body) {
      if (Buffer.isBuffer(chunk)) yield chunk
    }
  } catch (error) {
    if (error instanceof ToolFailure) throw error
    if (signal.aborted) throw abortFailure(signal, 'unknown')
    throw new ToolFailure('connection_lost', 'unknown')
  } finally {
    signal.removeEventListener('abort', abort)
  }
  if (signal.aborted) throw abortFailure(signal, 'unknown')
  if (!answer.complete) throw new ToolFailure('connection_lost', 'unknown')
}

/** What the body of an error begins with, as far as it comes. */
export async function errorBeginning(
  answer: IncomingMessage,
  signal: AbortSignal,
): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of bodyChunks(answer, { signal })) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= failureReadBytesMax) break
    }
  } catch {
    // The status is known; that is what counts.
  }
  return Buffer.concat(chunks).subarray(0, failureReadBytesMax).toString('utf8')
}
