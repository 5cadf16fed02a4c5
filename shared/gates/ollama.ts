// A model behind the HTTP interface of Ollama, which others speak too. It asks once, follows no
// redirect, and must never let what a server sends reach anyone but as JSON of bounded size.
import { withoutEnd } from '#record/reading/text-end'
import { z } from 'zod'
import { Fault } from '#record/fault'
import { modelBytesMax, modelMsMax, type Model } from '#ports/models'
import type { ModelAnswer, ModelQuestion } from '#ports/models'
import type { SuggestionFault } from '#schemas/learning'
import { plainAnswer, readAnswer } from './model-answer.ts'

export interface OllamaOptions {
  /** Where the server is, without `/api/chat`. */
  readonly url: string
  readonly model: string
  readonly timeoutMs?: number
  /** Sent with every question, such as an `authorization` that a proxy asks for. */
  readonly headers?: Readonly<Record<string, string>>
}

// Node waits no longer than five minutes for the head of an answer, whatever it is reported.
const timeoutMsMax = 290_000

const Chat = z.looseObject({ message: z.looseObject({ content: z.string() }) })
const encoder = new TextEncoder()
const late = 'late'
const tooLarge: SuggestionFault = { code: 'too_large', params: { bytesMax: modelBytesMax } }

/** Throws a `Fault` where the options cannot be meant; asking never throws. */
export function ollamaModel(options: OllamaOptions): Model {
  const { model, timeoutMs = modelMsMax } = options
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > timeoutMsMax) {
    throw invalid(`the limit of a model is from 1 to ${timeoutMsMax} milliseconds`)
  }
  const url = chatOf(options.url)
  const headers = headersOf(options.headers ?? {})
  return {
    name: model,
    ask: (question) => withinLimit({ url, headers, model, timeoutMs }, question),
  }
}

interface Asking {
  readonly url: URL
  readonly headers: Headers
  readonly model: string
  readonly timeoutMs: number
}

async function withinLimit(asking: Asking, question: ModelQuestion): Promise<ModelAnswer> {
  const { timeoutMs } = asking
  const { signal: given } = question
  const controller = new AbortController()
  const end = (): void => controller.abort()
  const timer = setTimeout(() => controller.abort(late), timeoutMs)
  given?.addEventListener('abort', end)
  if (given?.aborted === true) end()
  try {
    return await asked(asking, question, controller.signal)
  } catch {
    // The words of a driver may quote an address or a header, so they are not repeated.
    if (controller.signal.reason !== late) return { failed: { code: 'no_answer', params: {} } }
    return { failed: { code: 'timed_out', params: { ms: timeoutMs } } }
  } finally {
    clearTimeout(timer)
    given?.removeEventListener('abort', end)
    // Whatever the server still sends is not taken.
    end()
  }
}

async function asked(
  { url, headers, model }: Asking,
  question: ModelQuestion,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const body = JSON.stringify({
    model,
    stream: false,
    format: question.schema,
    options: { temperature: 0 },
    messages: [
      { role: 'system', content: question.system },
      { role: 'user', content: question.user },
    ],
  })
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
  const { status } = response
  if (status !== 200) return { failed: { code: 'http_status', params: { status } } }
  const bytes = await boundedBody(response)
  if (bytes === null) return { failed: tooLarge }
  return contentOf(bytes)
}

function contentOf(bytes: Uint8Array): ModelAnswer {
  const outer = readAnswer(bytes)
  if ('failed' in outer) return { failed: { ...outer.failed, code: 'not_a_chat' } }
  const chat = Chat.safeParse(outer.answer)
  if (!chat.success) return { failed: { code: 'not_a_chat', params: {} } }
  return readAnswer(encoder.encode(plainAnswer(chat.data.message.content)))
}

/** The whole body; null as soon as it is larger than an answer may be. */
async function boundedBody(response: Response): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let length = 0
  const body: AsyncIterable<unknown> | null = response.body
  for await (const part of body ?? []) {
    if (!(part instanceof Uint8Array)) return null
    length += part.length
    if (length > modelBytesMax) return null
    parts.push(part)
  }
  return Buffer.concat(parts, length)
}

function chatOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  const isPlain = url !== null && url.username === '' && url.password === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    // What is no address may hold a secret, so it is not repeated.
    throw invalid('an address of a model is `http://host:port`, with no user and no password')
  }
  url.pathname = `${withoutEnd(url.pathname, /\//)}/api/chat`
  return url
}

function headersOf(given: Readonly<Record<string, string>>): Headers {
  try {
    const headers = new Headers(given)
    headers.set('content-type', 'application/json')
    return headers
  } catch {
    throw invalid('a header of a model has a name or a value that HTTP does not allow')
  }
}

function invalid(message: string): Fault {
  return new Fault('model_invalid', message)
}
