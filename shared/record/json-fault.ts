// Why a text is not JSON that is read, as a phrase for a Fault. It must never end up in a fact:
// there the code stands.
import { textOfUtf8 } from '#platform/bytes'
import type { JsonFaultCode } from '#schemas/vlp'
import { parseJson } from './json.ts'
import { quoted } from './quote.ts'

const phrases = {
  too_large: 'it is larger than allowed',
  too_deep: 'it is nested deeper than allowed',
  too_many_values: 'it holds more values than allowed',
  not_utf8: 'it is not UTF-8',
  not_json: 'it is not JSON',
  duplicate_key: 'an object has the same key twice',
  unsafe_key: 'an object has the key `__proto__`, which readers drop or obey',
  lone_surrogate: 'a text has half a surrogate pair, which UTF-8 cannot encode',
  number_out_of_range: 'a number is too large for a double',
  number_inexact: 'a number has digits that a double cannot hold: write it as a text',
} as const satisfies Record<JsonFaultCode, string>

export interface JsonUnread {
  readonly code: JsonFaultCode
  /** A pointer to what is wrong, where it is known. */
  readonly at?: string | undefined
}

/** Takes what a reading gives, so that the place is never lost on the way. */
export function describeJsonFault({ code, at }: JsonUnread): string {
  return at === undefined ? phrases[code] : `${phrases[code]} (at ${quoted(at)})`
}

const mark = 'a byte order mark, which JSON does not have: save it without one'

/**
 * What the parser says of a text that is not JSON, with the line and column where it stopped;
 * `from`: the line that it begins on.
 */
export function parserFault(bytes: Uint8Array, from = 1): string {
  const text = textOfUtf8(bytes)
  if (text.startsWith('\u{feff}')) return `line ${from}, column 1: ${mark}`
  const message = complaintAbout(text)
  if (message === null) return ''
  const before = text.slice(0, stoppedAt(text, message))
  const line = from + before.split('\n').length - 1
  const column = before.length - before.lastIndexOf('\n')
  const why = message
    .replace(/ in JSON at position.*$/s, '')
    .replace(/, .* is not valid JSON$/s, '')
  return `line ${line}, column ${column}: ${why.replaceAll(/\s+/g, ' ')}`
}

function complaintAbout(text: string): string | null {
  try {
    parseJson(text)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

/** The parser names no place for a token that no JSON has: it ends the first part that fails. */
function stoppedAt(text: string, message: string): number {
  const said = /position ([0-9]+)/.exec(message)?.[1]
  if (said !== undefined) return Number(said)
  if (!message.startsWith('Unexpected token')) return text.length
  let [good, bad] = [0, text.length]
  while (bad - good > 1) {
    const middle = good + Math.floor((bad - good) / 2)
    const fails = complaintAbout(text.slice(0, middle))?.startsWith('Unexpected token') === true
    if (fails) bad = middle
    else good = middle
  }
  return good
}
