// Faults of JSON texts: what each code means, and what to do.
import type { JsonFaultCode } from '../vlp.ts'
import type { FaultEntry } from './entry.ts'

export const linesFaults = {
  too_large: {
    retry: 'never',
    means: 'The JSON text is larger than allowed.',
    fix: 'Make it smaller, or divide it.',
  },
  too_deep: {
    retry: 'never',
    means: 'The JSON text is nested deeper than allowed.',
    fix: 'Nest it less.',
  },
  too_many_values: {
    retry: 'never',
    means: 'The JSON text has more values than allowed.',
    fix: 'Divide it.',
  },
  not_utf8: {
    retry: 'never',
    means: 'The text is not UTF-8.',
    fix: 'Write it in UTF-8.',
  },
  not_json: {
    retry: 'never',
    means: 'The text is not JSON.',
    fix: 'Correct the JSON. A byte order mark, comments and trailing commas are not JSON.',
  },
  duplicate_key: {
    retry: 'never',
    means: 'An object has the same key twice, which two readers may read differently.',
    fix: 'Keep one of them.',
  },
  unsafe_key: {
    retry: 'never',
    means: 'An object has the key `__proto__`.',
    fix: 'Use another key.',
  },
  lone_surrogate: {
    retry: 'never',
    means: 'A string has half of a surrogate pair, which UTF-8 cannot hold.',
    fix: 'Correct the program that wrote the string.',
  },
  number_out_of_range: {
    retry: 'never',
    means: 'A number is too large for a double.',
    fix: 'Write it as a string, or use a smaller number.',
  },
  number_inexact: {
    retry: 'never',
    means: 'A number has digits that a double cannot hold, so another one would be recorded.',
    fix: 'Write it as a string, and let the schema take a string there.',
  },
} as const satisfies Readonly<Record<JsonFaultCode, FaultEntry>>
