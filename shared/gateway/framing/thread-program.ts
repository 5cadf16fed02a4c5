// The program of the thread that reads large results and makes their frames: it does nothing but
// answer what it is given. It is started by its file, from source and from an installed package
// alike.
import { parentPort } from 'node:worker_threads'
import { readToolAnswer, type ToRead } from '#rules/drivers/answer-reading'
import { valueOfJson } from '#rules/drivers/written-json'
import { expansionPage } from '#firewall/expand'
import type { Frame } from '#firewall/frame'
import { framed, type Framed, type ToFrame } from '#firewall/framed'
import { digestOfJson } from '#record/digest'
import type { ReadApart, ToPageApart } from '#ports/framing'

/** A result on its way into the thread: as JSON, which is handed over faster than a value. */
export type ThreadRequest =
  | { readonly kind: 'read'; readonly given: ToRead }
  | { readonly kind: 'page'; readonly given: ToPageApart }
  | {
      readonly kind: 'frame'
      readonly given: Omit<ToFrame, 'value'>
      readonly json: Uint8Array
    }

parentPort?.on('message', (request: ThreadRequest) => {
  parentPort?.postMessage(answerTo(request))
})

function answerTo(request: ThreadRequest): ReadApart | Frame | Framed {
  if (request.kind === 'read') return read(request.given)
  if (request.kind === 'page') return expansionPage(valueOfJson(request.given.json), request.given)
  return framed({ ...request.given, value: valueOfJson(request.json) })
}

function read(given: ToRead): ReadApart {
  const answer = readToolAnswer(given)
  if (!answer.ok) return answer
  const { value } = answer
  const json = Buffer.from(JSON.stringify(value))
  const rows = Array.isArray(value) ? value.length : 1
  return { ok: true, value: { json, digest: digestOfJson(value), rows } }
}
