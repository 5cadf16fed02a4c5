// Results that come in parts: lines of JSON or text, and server-sent events. A part is whole when
// it is passed on, so that what is looked for in it is not split.
import type { JsonValue } from '#schemas/catalog'
import { valueOfBytes } from './outcome.ts'

const newline = 0x0a

/** Turns bytes into parts; `end` gives what was left open. */
export interface PartReader {
  push(chunk: Uint8Array): readonly JsonValue[]
  end(): readonly JsonValue[]
}

/** Each line that is not empty. */
export function lineParts(): PartReader {
  const lines = lineSplitter()
  const read = (line: Buffer, end: string): readonly JsonValue[] => {
    const trimmed = withoutReturn(line)
    if (trimmed.length === 0) return []
    // What is text keeps its end: those who put the parts together get the lines again.
    const part = partOf(trimmed)
    return [part === trimmed.toString('utf8') ? `${part}${end}` : part]
  }
  return {
    push: (chunk) => lines.push(chunk).flatMap((line) => read(line, '\n')),
    end: () => lines.end().flatMap((line) => read(line, '')),
  }
}

/**
 * What came in whole: JSON; rows, where each line is an object, so that fields and rows of them can
 * be bounded; else text. Undefined where it is not even text.
 */
export function valueOrRows(bytes: Uint8Array): JsonValue | undefined {
  const value = valueOfBytes(bytes)
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return value
  const lines = lineParts()
  const parts = [...lines.push(bytes), ...lines.end()]
  return parts.length > 1 && parts.every(isObject) ? parts : value
}

function isObject(part: JsonValue): boolean {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}

/** The data of each event. */
export function eventParts(): PartReader {
  const lines = lineSplitter()
  let data: Buffer[] = []
  const take = (): readonly JsonValue[] => {
    if (data.length === 0) return []
    const joined = Buffer.concat(data.flatMap((one, at) => (at === 0 ? [one] : [lineEnd, one])))
    data = []
    return [partOf(joined)]
  }
  const read = (line: Buffer): readonly JsonValue[] => {
    const trimmed = withoutReturn(line)
    if (trimmed.length === 0) return take()
    const found = /^data(?:: ?|$)/.exec(trimmed.subarray(0, 6).toString('latin1'))
    if (found !== null) data.push(trimmed.subarray(found[0].length))
    return []
  }
  return {
    push: (chunk) => lines.push(chunk).flatMap(read),
    end: () => [...lines.end().flatMap(read), ...take()],
  }
}

const lineEnd = Buffer.from('\n')

function partOf(bytes: Buffer): JsonValue {
  return valueOfBytes(bytes) ?? bytes.toString('utf8')
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 0x0d ? line.subarray(0, -1) : line
}

function lineSplitter(): { push(chunk: Uint8Array): readonly Buffer[]; end(): readonly Buffer[] } {
  let open: Buffer[] = []
  return {
    push(chunk) {
      const lines: Buffer[] = []
      let rest = Buffer.from(chunk)
      for (let at = rest.indexOf(newline); at >= 0; at = rest.indexOf(newline)) {
        lines.push(Buffer.concat([...open, rest.subarray(0, at)]))
        open = []
        rest = rest.subarray(at + 1)
      }
      if (rest.length > 0) open.push(rest)
      return lines
    },
    end() {
      const line = Buffer.concat(open)
      open = []
      return line.length === 0 ? [] : [line]
    },
  }
}
