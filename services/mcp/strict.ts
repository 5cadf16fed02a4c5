// What clients send, read as strictly as at every other door: a request that two readers could
// read differently, or that holds what cannot be recorded, is answered with what is wrong, and no
// library reads it at all.
import { pipeline, Transform, type Readable, type Writable } from 'node:stream'
import { z } from 'zod'
import { messageBytesMax } from '#gateway/tools/line-buffer'
import { parseJson, readJson } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
import type { JsonObject } from '#schemas/catalog'

const depthMax = 128
const newline = 0x0a
const invalidRequest = -32_600

const Numbered = z.looseObject({ id: z.union([z.string(), z.number()]) })

/** What the request is answered instead of being read; null where there is nothing against it. */
export function requestRefusal(bytes: Uint8Array): JsonObject | null {
  const reading = readJson(bytes, { bytesMax: messageBytesMax, depthMax })
  // What is no JSON at all has no request to answer: that is for the library.
  if (reading.ok || reading.code === 'not_json') return null
  const { code, at } = reading
  const message = `the request cannot be read: ${code}: ${describeJsonFault({ code, at })}`
  return { jsonrpc: '2.0', id: idIn(bytes), error: { code: invalidRequest, message } }
}

function idIn(bytes: Uint8Array): string | number | null {
  try {
    const read = Numbered.safeParse(parseJson(Buffer.from(bytes).toString('utf8')))
    return read.success ? read.data.id : null
  } catch {
    return null
  }
}

/** The lines that may be read; what is refused is answered at once. */
export function strictLines(input: Readable, output: Writable): Readable {
  let open: Buffer[] = []
  let length = 0
  const take = (line: Buffer): void => {
    const refusal = requestRefusal(line.at(-1) === newline ? line.subarray(0, -1) : line)
    if (refusal === null) lines.push(line)
    else output.write(`${JSON.stringify(refusal)}\n`)
  }
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        const line = Buffer.concat([...open, chunk.subarray(start, end + 1)])
        open = []
        length = 0
        start = end + 1
        take(line)
      }
      open.push(chunk.subarray(start))
      length += chunk.length - start
      // What is larger ends the session: the library ends it.
      if (length > messageBytesMax) {
        lines.push(Buffer.concat(open))
        open = []
        length = 0
      }
      done()
    },
    // The last line may have no end of its own.
    flush(done) {
      take(Buffer.concat(open))
      done()
    },
  })
  pipeline(input, lines, () => undefined)
  return lines
}

/** The same of a request over HTTP. */
export async function refusedRequest(request: Request): Promise<Response | null> {
  if (request.method !== 'POST') return null
  const refusal = requestRefusal(new Uint8Array(await request.clone().arrayBuffer()))
  if (refusal === null) return null
  return Response.json(refusal, { status: refusal['id'] === null ? 400 : 200 })
}
