// Lines of JSON, read from bytes and written as text. A bad line is reported by its number and
// costs only itself; no line may cost more memory than its limit.
import { assert } from './fault.ts'
import { readJson } from './json.ts'
import { describeJsonFault } from './json-fault.ts'
import type { JsonLimits } from './reading/json-scan.ts'
import type { JsonFaultCode } from '#schemas/vlp'

export type NdjsonLine =
  | { readonly line: number; readonly value: unknown; readonly error?: never }
  | { readonly line: number; readonly error: LineError; readonly value?: never }

interface LineError {
  readonly code: JsonFaultCode
  readonly message: string
}

/** What reads the values after us may do so by recursion, so they are no deeper than this. */
export const lineDepthMax = 256

const newline = 0x0a

export interface LineLimits extends Pick<JsonLimits, 'inexact'> {
  readonly lineBytesMax: number
}

/**
 * Every line that is not blank, numbered from 1 with the blank ones counted. Lines end with `\n`
 * alone; a `\r` before it is white space to JSON. A line over the limit becomes an error and its
 * bytes are released.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { lineBytesMax, inexact }: LineLimits,
): AsyncGenerator<NdjsonLine, void, undefined> {
  const limits = { bytesMax: lineBytesMax, depthMax: lineDepthMax, ...(inexact && { inexact }) }
  const open: OpenLine = { bytes: new Uint8Array(0), length: 0, overlong: false }
  let line = 1
  for await (const chunk of chunks) {
    let start = 0
    // Each round ends one line, so there are at most as many as the chunk has bytes.
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      extend(open, chunk.subarray(start, end), lineBytesMax)
      const read = readOpen(open, line, limits)
      if (read !== null) yield read
      line += 1
      start = end + 1
    }
    extend(open, chunk.subarray(start), lineBytesMax)
  }
  const last = readOpen(open, line, limits)
  if (last !== null) yield last
}

/**
 * One line with its `\n`. Line separators of Unicode are escaped, since some readers split at them.
 * What JSON cannot say becomes what `JSON.stringify` makes of it.
 */
export function writeLine(value: unknown): string {
  const text: unknown = JSON.stringify(value)
  assert(typeof text === 'string', 'a line must be a JSON value')
  return `${text.replace(separators, escape)}\n`
}

const separators = /[\u0085\u2028\u2029]/g

function escape(separator: string): string {
  return `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The line that has begun and not ended. */
interface OpenLine {
  bytes: Uint8Array
  length: number
  overlong: boolean
}

function extend(open: OpenLine, piece: Uint8Array, bytesMax: number): void {
  const length = open.length + piece.length
  if (open.overlong || length > bytesMax) {
    open.overlong = true
    return
  }
  if (length > open.bytes.length) {
    const larger = new Uint8Array(Math.min(bytesMax, Math.max(1024, length * 2)))
    larger.set(open.bytes.subarray(0, open.length))
    open.bytes = larger
  }
  open.bytes.set(piece, open.length)
  open.length = length
}

/** Reads what is open as that line, and opens the next. */
function readOpen(open: OpenLine, line: number, limits: JsonLimits): NdjsonLine | null {
  const bytes = open.bytes.subarray(0, open.length)
  const { overlong } = open
  open.length = 0
  open.overlong = false
  if (overlong) return failed(line, 'too_large')
  if (bytes.every(isSpace)) return null
  const reading = readJson(bytes, limits)
  return reading.ok ? { line, value: reading.value } : failed(line, reading.code, reading.at)
}

function failed(line: number, code: JsonFaultCode, at?: string): NdjsonLine {
  return { line, error: { code, message: describeJsonFault({ code, at }) } }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d
}
