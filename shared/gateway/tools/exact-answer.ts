// Answers of MCP servers with the digits that they were written with: a number of structured
// content that a double cannot hold becomes a text, so that it is never another number. Whether the
// output schema takes a text there is asked later, and else the structured part is left out.
import { ToolFailure } from '#rules/drivers/tool-failure'
import { parseJson, readJson } from '#record/json'

const depthMax = 512
/** As many as a capability may let its results have. */
const messageValuesMax = 1_000_000

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * The message of that text. Throws a SyntaxError for what is no JSON, and a `ToolFailure` for more
 * values than any result may have, before a value of each was made.
 */
export function answeredValue(text: string): unknown {
  const bytes = Buffer.from(text, 'utf8')
  const limits = { bytesMax: bytes.length, depthMax, valuesMax: messageValuesMax }
  const exact = readJson(bytes, { ...limits, inexact: 'text' })
  if (!exact.ok && exact.code === 'too_many_values') {
    throw new ToolFailure('result_too_large', 'unknown', { valuesMax: messageValuesMax })
  }
  if (exact.ok && exact.inexact === undefined) return exact.value
  const value = parseJson(text)
  if (!exact.ok) return value
  const result = memberOf(value, 'result')
  const structuredContent = memberOf(memberOf(exact.value, 'result'), 'structuredContent')
  if (!isObject(value) || !isObject(result) || structuredContent === undefined) return value
  return { ...value, result: { ...result, structuredContent } }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
}

/** The same of what comes over HTTP, in one piece or as a stream of events. */
export function exactAnswers(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    const type = response.headers.get('content-type') ?? ''
    const isStream = type.includes('text/event-stream')
    if (response.body === null || (!isStream && !type.includes('json'))) return response
    const body = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(isStream ? events() : whole())
      .pipeThrough(new TextEncoderStream())
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return new Response(body, { status: response.status, headers })
  }
}

function whole(): TransformStream<string, string> {
  let text = ''
  return new TransformStream({
    transform(chunk) {
      text += chunk
    },
    flush(controller) {
      controller.enqueue(exactText(text))
    },
  })
}

function events(): TransformStream<string, string> {
  let open = ''
  return new TransformStream({
    transform(chunk, controller) {
      const lines = `${open}${chunk}`.split('\n')
      open = lines.pop() ?? ''
      for (const line of lines) controller.enqueue(`${exactLine(line)}\n`)
    },
    flush(controller) {
      controller.enqueue(exactLine(open))
    },
  })
}

function exactLine(line: string): string {
  return line.startsWith('data:') ? `data: ${exactText(line.slice('data:'.length))}` : line
}

/** What is no whole message is left for the library to read. */
function exactText(text: string): string {
  try {
    return JSON.stringify(answeredValue(text))
  } catch (error) {
    if (error instanceof ToolFailure) throw error
    return text
  }
}
