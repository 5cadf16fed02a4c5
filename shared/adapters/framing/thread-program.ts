// The program of the thread that reads large results and makes their frames: it does nothing but
// answer what it is given. It is started by its file, from source and from an installed package
// alike.
import { parentPort } from 'node:worker_threads'
import { readToolAnswer, type ToRead } from '#core/drivers/answer-reading'
import { framed, type Framed, type ToFrame } from '#core/firewall/framed'
import type { Json } from '#core/kernel/canonical'
import { digestOfJson } from '#core/kernel/digest'
import { parseJson } from '#core/kernel/json'
import type { ReadApart } from '#ports/framing'

/** A result on its way into the thread: as JSON, which is handed over faster than a value. */
export type ThreadRequest =
  | { readonly kind: 'read'; readonly given: ToRead }
  | {
      readonly kind: 'frame'
      readonly given: Omit<ToFrame, 'value'>
      readonly json: string | Uint8Array
    }

parentPort?.on('message', (request: ThreadRequest) => {
  parentPort?.postMessage(request.kind === 'read' ? read(request.given) : frameOf(request))
})

function read(given: ToRead): ReadApart {
  const answer = readToolAnswer(given)
  if (!answer.ok) return answer
  const { value } = answer
  const json = Buffer.from(JSON.stringify(value))
  const rows = Array.isArray(value) ? value.length : 1
  return { ok: true, value: { json, digest: digestOfJson(value), rows } }
}

function frameOf({ given, json }: Extract<ThreadRequest, { kind: 'frame' }>): Framed | null {
  const text = typeof json === 'string' ? json : Buffer.from(json).toString('utf8')
  const value = parseJson(text)
  return isParsed(value) ? framed({ ...given, value }) : null
}

function isParsed(value: unknown): value is Json {
  return value !== undefined
}
