// A link that holds what is edited, in its fragment alone: browsers send that to no server.
import { base64urlOf, bytesOfBase64, textOfUtf8, utf8 } from '#platform/bytes'
import type { JudgingTexts } from '#cases/judged'

const version = '1.'
/** What most programs that pass a link on leave whole. */
const charactersMax = 32_000
/** A few kilobytes may be written so that they unfold to gigabytes. */
const unfoldedBytesMax = 1024 * 1024

export const partNames = ['catalog', 'graph', 'request', 'history', 'cases'] as const

/** Null where it would be too long for a link. */
export async function fragmentOf(texts: JudgingTexts): Promise<string | null> {
  const written = utf8(JSON.stringify(partNames.map((name) => texts[name])))
  const folded = await through(written, new CompressionStream('deflate-raw'), Infinity)
  const fragment = `${version}${base64urlOf(folded)}`
  return fragment.length > charactersMax ? null : fragment
}

/** Throws an error that says what is wrong with it. */
export async function textsIn(fragment: string): Promise<JudgingTexts> {
  if (!fragment.startsWith(version)) throw new Error('it is of another version')
  const folded = bytesOfBase64(fragment.slice(version.length))
  const unfolding = new DecompressionStream('deflate-raw')
  return textsOf(JSON.parse(textOfUtf8(await through(folded, unfolding, unfoldedBytesMax))))
}

/** In the order of a link and of an example. */
export function textsOf(value: unknown): JudgingTexts {
  const isWhole = Array.isArray(value) && value.length === partNames.length
  const texts: unknown[] = isWhole ? value : []
  const [catalog, graph, request, history, cases] = texts.filter((one) => typeof one === 'string')
  if (
    catalog === undefined ||
    graph === undefined ||
    request === undefined ||
    history === undefined ||
    cases === undefined
  ) {
    throw new Error('it does not hold what a playground has')
  }
  return { catalog, graph, request, history, cases }
}

async function through(
  bytes: Uint8Array,
  by: CompressionStream | DecompressionStream,
  bytesMax: number,
): Promise<Uint8Array> {
  const writer = by.writable.getWriter()
  // What fails in writing fails in reading.
  writer.write(Uint8Array.from(bytes)).catch(() => undefined)
  writer.close().catch(() => undefined)
  const reader = by.readable.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > bytesMax) {
      await reader.cancel()
      throw new Error('it unfolds to more than a playground takes')
    }
    chunks.push(next.value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
