// Reads the body of an answer over HTTP: up to a limit, as JSON, text, lines or events.
import type { IncomingMessage } from 'node:http'
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { ToolAnswerForm } from '#rules/drivers/answer-reading'
import type { ToolCall } from '#ports/tools'
import type { Happened } from '#schemas/action/tool-failure'
import { abortFailure } from '#system/egress/aborting'
import { bytesMaxOf, failureReadBytesMax, tooLarge, type ToolAnswered } from './outcome.ts'
import type { Secrets } from './secrets.ts'
import { shownAsItComes } from './streams.ts'

interface Reading {
  readonly call: ToolCall
  readonly signal: AbortSignal
  readonly secrets: Secrets
  readonly method: string
  /** Where the answer cannot be used. */
  readonly happened: Happened
}

export async function resultOf(answer: IncomingMessage, reading: Reading): Promise<ToolAnswered> {
  const { call, secrets, happened } = reading
  const bytesMax = bytesMaxOf(call)
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new ToolFailure('result_invalid', happened)
  const announced = reading.method === 'HEAD' ? 0 : Number(answer.headers['content-length'] ?? 0)
  if (announced > bytesMax) throw tooLarge(call, happened)
  const type = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const form = formOf(type)
  // Text may be passed on line by line, and is one text in the end.
  const isShown = form !== 'rows' || type.startsWith('text/')
  const shown = isShown
    ? shownAsItComes(call, secrets, form === 'events' ? 'events' : 'lines')
    : null
  const chunks: Buffer[] = []
  let size = 0
  let isWhole = false
  try {
    for await (const chunk of bodyChunks(answer, reading)) {
      size += chunk.length
      if (size > bytesMax) throw tooLarge(call, happened)
      chunks.push(chunk)
      shown?.push(chunk)
    }
    isWhole = true
  } finally {
    await shown?.end(isWhole)
  }
  return { bytes: Buffer.concat(chunks), form, happened }
}

function formOf(type: string): ToolAnswerForm {
  if (type === 'text/event-stream') return 'events'
  const ndjson = ['application/x-ndjson', 'application/ndjson', 'application/jsonl']
  return ndjson.includes(type) ? 'lines' : 'rows'
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
