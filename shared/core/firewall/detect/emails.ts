// E-mail addresses, also with white space round the `@` or once in the host. Linear: each begins
// where no other can have begun before it.
import { spansOf } from './digits.ts'
import type { Finding } from './span.ts'

// Beyond ASCII all but white space and general punctuation counts as a letter.
const letters =
  'A-Za-z0-9\\u00aa\\u00b5\\u00ba\\u00c0-\\u1fff\\u2c00-\\u2fff\\u3040-\\ufeff\\uff10-\\uffef'
const local = `(?<![${letters}_.+-])[${letters}_.+-]+`
const label = `[${letters}-]+`

const plain = new RegExp(`${local}@${label}\\.[${letters}.-]+`, 'g')
const spread = new RegExp(
  `${local}(?:\\s{1,2}@\\s{0,2}|@\\s{1,2})${label}(?:\\.${label}){0,32}\\.[A-Za-z]{2,}`,
  'g',
)
const broken = new RegExp(
  `${local}@${label}(?:-\\r?\\n|\\s)${label}(?:\\.${label}){0,32}\\.[A-Za-z]{2,}`,
  'g',
)

export function emailsIn(text: string): readonly Finding[] {
  if (!text.includes('@')) return []
  return [plain, spread, broken]
    .flatMap((form) => spansOf(text, form, 'email'))
    .toSorted((one, other) => one.start - other.start)
}
