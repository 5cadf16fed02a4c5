// Why a text is not JSON that is read, as a phrase for a Fault. It must never end up in a fact:
// there the code stands.
import { textOfUtf8 } from '#platform/bytes'
import type { JsonFaultCode } from '#schemas/vlp'
import { parseJson } from './json.ts'

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
} as const satisfies Record<JsonFaultCode, string>

export function describeJsonFault(code: JsonFaultCode): string {
  return phrases[code]
}

/** What the parser says of a text that is not JSON: only it knows where it stopped. */
export function parserFault(bytes: Uint8Array): string {
  try {
    parseJson(textOfUtf8(bytes))
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}
