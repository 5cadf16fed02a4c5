// Answers of MCP servers with the digits that they were written with: a number of structured
// content that a double cannot hold becomes a text, so that it is never another number. Whether the
// output schema takes a text there is asked later, and else the structured part is left out.
import { parseJson, readJson } from '#core/kernel/json'

const depthMax = 512

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** The message of that text. Throws a SyntaxError for what is no JSON. */
export function answeredValue(text: string): unknown {
  const value = parseJson(text)
  const bytes = Buffer.from(text, 'utf8')
  const exact = readJson(bytes, { bytesMax: bytes.length, depthMax, inexact: 'text' })
  if (!exact.ok || exact.inexact === undefined) return value
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
  } catch {
    return text
  }
}
