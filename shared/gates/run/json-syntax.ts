// Whether a file is JSON, in this process: its parser takes time and memory by the length of a text
// alone, and the length is bounded.
import { readJson } from '#record/json'
import type { Parsed } from '#work/verification/syntax-gate'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** What is more than grammar is no matter of this gate. */
export function jsonParsed(bytes: Uint8Array): Parsed {
  const isMarked = byteOrderMark.equals(Buffer.from(bytes.subarray(0, 3)))
  const reading = readJson(isMarked ? bytes.subarray(3) : bytes, {
    bytesMax: bytes.length,
    // Of nothing but brackets or commas each may begin a value: that is for the parser to refuse.
    valuesMax: bytes.length + 1,
    depthMax,
    inexact: 'change',
  })
  if (reading.ok) return { is: 'valid' }
  if (reading.code === 'not_json' || reading.code === 'not_utf8') {
    return { is: 'invalid', line: null }
  }
  return reading.code === 'too_deep' || reading.code === 'too_many_values'
    ? { is: 'unknown', why: 'beyond_parser' }
    : { is: 'valid' }
}

const depthMax = 1_000
