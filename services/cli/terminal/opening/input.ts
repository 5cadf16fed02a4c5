// What a command reads from a file or from standard input: as one text, or line by line where it is
// too large for that. What cannot be read is reported with its name, its line and how to fix it.
import { createReadStream } from 'node:fs'
import { fileProblem } from '#system/file-problem'
import { Fault } from '#record/fault'
import { readJson } from '#record/json'
import { describeJsonFault, parserFault } from '#record/json-fault'
import { readLines } from '#record/ndjson'

const textBytesMax = 256 * 1024 * 1024
const lineBytesMax = 64 * 1024 * 1024
const depthMax = 64
const newline = 0x0a

export interface InputLine {
  readonly line: number
  readonly value: unknown
}

/** One JSON value, or one per line: which, `isLine` shows by what stands on the first line. */
export type Input =
  | { readonly as: 'value'; readonly value: unknown }
  | { readonly as: 'lines'; readonly lines: AsyncIterable<InputLine> }

/** `-` is standard input. */
export async function readInput(file: string, isLine: (value: unknown) => boolean): Promise<Input> {
  const chunks = chunksOf(file)[Symbol.asyncIterator]()
  const begun = await begin(chunks)
  const all = chain(begun, chunks)
  const first = readJson(firstLine(begun), { bytesMax: lineBytesMax, depthMax })
  if (first.ok && isLine(first.value)) return { as: 'lines', lines: linesOf(all) }
  return { as: 'value', value: await valueOf(all) }
}

/** The name of an input in messages. */
export function inputName(file: string): string {
  return file === '-' ? 'standard input' : `\`${file}\``
}

/** Runs what reads the input; a fault of it names the input. */
export async function inInput<T>(file: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const message = `${inputName(file)}: ${error.message}`
    throw new Fault(error.code, message, { cause: error, retry: error.retry })
  }
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  const stream: AsyncIterable<Uint8Array> =
    file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1024 * 1024 })
  try {
    for await (const chunk of stream) yield chunk
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be read')
    throw new Fault('input_unreadable', why, { cause })
  }
}

/** What comes up to the end of the first line that is not blank. */
async function begin(chunks: AsyncIterator<Uint8Array, void>): Promise<readonly Uint8Array[]> {
  const begun: Uint8Array[] = []
  let bytes = 0
  let isBlank = true
  while (bytes <= lineBytesMax) {
    const next = await chunks.next()
    if (next.done === true) return begun
    begun.push(next.value)
    bytes += next.value.length
    const text = Buffer.from(next.value).toString('latin1')
    if (isBlank ? text.trimStart().includes('\n') : text.includes('\n')) return begun
    isBlank &&= text.trim() === ''
  }
  return begun
}

function firstLine(begun: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.concat(begun)
  const start = bytes.findIndex((byte) => byte > 0x20)
  if (start === -1) return bytes
  const end = bytes.indexOf(newline, start)
  return bytes.subarray(start, end === -1 ? bytes.length : end)
}

async function* chain(
  begun: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* begun
    // As many rounds as the input has chunks; anyone who reads them counts the bytes.
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value
    }
  } finally {
    // Anyone who has read enough releases the input, or the process would wait for its end.
    await rest.return?.()
  }
}

async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<InputLine, void, undefined> {
  for await (const { line, value, error } of readLines(chunks, { lineBytesMax })) {
    if (error !== undefined) {
      throw new Fault('input_unreadable', `line ${line}: ${error.message}`)
    }
    yield { line, value }
  }
}

async function valueOf(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of chunks) {
    length += part.length
    if (length > textBytesMax) {
      const message = `larger than ${textBytesMax} bytes: write it as lines`
      throw new Fault('input_unreadable', message)
    }
    parts.push(part)
  }
  const bytes = Buffer.concat(parts)
  const reading = readJson(bytes, { bytesMax: textBytesMax, depthMax })
  if (reading.ok) return reading.value
  const where = reading.code === 'not_json' ? `: ${parserFault(bytes)}` : ''
  throw new Fault('input_unreadable', describeJsonFault(reading) + where)
}
