// Where two JSON texts differ, by JSON pointer: what was recorded there and what was derived.
import { parseJson } from '#record/json'
import { pointerToken } from '#record/pointer-token'

export interface Differing {
  /** A JSON pointer. */
  readonly path: string
  /** JSON; undefined where there is nothing. */
  readonly recorded: string | undefined
  readonly derived: string | undefined
}

const shownMax = 20
const valueCharactersMax = 300

/** The first places that differ, in the order of keys. */
export function differing(recorded: string, derived: string): readonly Differing[] {
  const found: Differing[] = []
  const one = parsed(recorded)
  const other = parsed(derived)
  if (one === unparsed || other === unparsed) {
    return [{ path: '', recorded: cut(recorded), derived: cut(derived) }]
  }
  compare(one, other, '', found)
  return found
}

const unparsed = Symbol('no JSON')

function compare(recorded: unknown, derived: unknown, path: string, found: Differing[]): void {
  if (found.length >= shownMax || Object.is(recorded, derived)) return
  if (isObject(recorded) && isObject(derived)) {
    if (Array.isArray(recorded) === Array.isArray(derived)) {
      const keys = new Set([...Object.keys(recorded), ...Object.keys(derived)])
      for (const key of [...keys].toSorted()) {
        compare(
          memberOf(recorded, key),
          memberOf(derived, key),
          `${path}/${pointerToken(key)}`,
          found,
        )
      }
      return
    }
  }
  found.push({ path, recorded: textOf(recorded), derived: textOf(derived) })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function memberOf(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : cut(JSON.stringify(value))
}

function cut(text: string): string {
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return unparsed
  }
}
