// Calls of a condition that fail whatever they are asked about: a text that is written out and is
// no pattern, number or moment, and arithmetic that no number of JSON can be part of.
import { quoted } from '#record/quote'
import type { CallExpression } from './call-types.ts'
import { boolOf, doubleOf, durationOf, intOf, timestampOf } from './conversions.ts'
import { loadLibrary } from './library.ts'
import { Misuse } from './misuse.ts'
import type { ValueType } from './types.ts'

interface Cast {
  readonly read: (text: string) => unknown
  readonly wanted: string
}

const casts: ReadonlyMap<string, Cast> = new Map([
  ['int', { read: intOf, wanted: 'a whole number such as `int("12")`' }],
  ['double', { read: doubleOf, wanted: 'a number such as `double("1.5")`' }],
  ['bool', { read: boolOf, wanted: '`bool("true")` or `bool("false")`' }],
  ['timestamp', { read: timestampOf, wanted: 'a day and time such as `2026-01-31T12:00:00Z`' }],
  ['duration', { read: durationOf, wanted: 'numbers with units, such as `1h30m` or `5m`' }],
])

/** Why the call fails for every intent, with types as given; null where it may have a value. */
export function failingCall(
  id: bigint,
  { function: name, target, args }: CallExpression,
  given: readonly ValueType[],
): Misuse | null {
  const written = args.at(-1)
  const text = written?.exprKind.case === 'constExpr' ? textIn(written.exprKind.value) : null
  if (written !== undefined && text !== null) {
    const cast = target === undefined ? casts.get(name) : undefined
    if (cast !== undefined && !isRead(cast, text)) {
      return new Misuse(written.id, `${quoted(text)} is no ${name}: write ${cast.wanted}`)
    }
    if (name === 'matches' && !loadLibrary().hasPattern(text)) {
      const message = `${quoted(text)} is no pattern of RE2: correct it`
      return new Misuse(written.id, `${message}; it has neither lookaround nor backreferences`)
    }
  }
  return failingArithmetic(id, name, given)
}

type Constant = Extract<CallExpression['args'][number]['exprKind'], { case: 'constExpr' }>['value']

function textIn({ constantKind }: Constant): string | null {
  return constantKind.case === 'stringValue' ? constantKind.value : null
}

function isRead({ read }: Cast, text: string): boolean {
  try {
    read(text)
    return true
  } catch {
    return false
  }
}

const signs = new Set(['_+_', '_-_', '_*_', '_/_'])

// What no schema types is a double where it is a number, and no int is added to a double.
function failingArithmetic(id: bigint, name: string, given: readonly ValueType[]): Misuse | null {
  const kinds = given.map(({ kind }) => kind)
  if (!kinds.includes('dyn')) return null
  const sign = name.replaceAll('_', '')
  const why = 'a number without a type is a double'
  if (name === '_%_') {
    return new Misuse(id, `\`%\` is not for a double, and ${why}: write \`int(…)\` around it`)
  }
  if (!signs.has(name) || !kinds.includes('int')) return null
  const fix = 'write `int(…)` around it, or 1.0 for 1'
  return new Misuse(id, `\`${sign}\` is not for a double and an int, and ${why}: ${fix}`)
}
