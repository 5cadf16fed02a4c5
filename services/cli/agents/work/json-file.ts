// JSON of contracts and of reports, from a file or from standard input, and no more than fits.
import { open } from 'node:fs/promises'
import { fileProblem } from '#system/file-problem'
import { Fault } from '#record/fault'
import { readJson } from '#record/json'
import { describeJsonFault, parserFault } from '#record/json-fault'

const bytesMax = 64 * 1024 * 1024
const depthMax = 64

/** Of a contract. Throws a Fault `contract_invalid` for what is no JSON. */
export async function jsonIn(file: string): Promise<unknown> {
  const bytes = await bytesOf(file)
  const reading = readJson(bytes, { bytesMax, depthMax })
  if (reading.ok) return reading.value
  const where = reading.code === 'not_json' ? `: ${parserFault(bytes)}` : ''
  const message = `${nameOfFile(file)}: ${describeJsonFault(reading)}${where}`
  throw new Fault('contract_invalid', message)
}

/** Of a report: what a worker wrote is no fault. */
export async function readingOf(file: string): Promise<ReturnType<typeof readJson>> {
  return readJson(await bytesOf(file), { bytesMax, depthMax })
}

export function nameOfFile(file: string): string {
  return file === '-' ? 'standard input' : `\`${file}\``
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    if (file === '-') return await boundedBytes(process.stdin)
    const opened = await open(file)
    return await boundedBytes(opened.createReadStream())
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    const why = fileProblem(cause, 'it cannot be read')
    throw new Fault('input_unreadable', `\`${file}\`: ${why}`, { cause })
  }
}

async function boundedBytes(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream) {
    length += part.length
    if (length > bytesMax) throw new Fault('input_unreadable', `larger than ${bytesMax} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
