// Takes out of a result what its reader may not see: fields that are not allowed, fields that are
// sensitive by name, and everything sensitive that stands in texts, numbers and keys. It never
// throws, takes time linear in the value, and says where it did what.
import type { ValueKind } from '#schemas/values'
import type { Json } from '../kernel/canonical.ts'
import { parseJson } from '../kernel/json.ts'
import { findingsIn, kindsShown } from './detect/findings.ts'
import type { FoundKind, TextRange } from './detect/span.ts'
import { isSensitiveField } from './field-names.ts'

export type FirewallWarningCode =
  | 'chars'
  | 'depth'
  | 'field_dropped'
  | 'field_redacted'
  | 'mode'
  | 'rows'

export interface FirewallWarning {
  readonly code: FirewallWarningCode
  /** JSON pointer into the value; keys in it are as they are shown. */
  readonly path: string
}

export interface RedactOptions {
  /** The fields that stay in the value, or in the items of a list; absent means all. */
  readonly allowedFields?: readonly string[]
  /** How deep objects and lists are shown; the value itself is at 0. 3 if absent. */
  readonly maxDepth?: number
  /** Kinds of values that the reader may see. Never cards, social security numbers or secrets. */
  readonly reveal?: readonly ValueKind[]
}

export interface Redacted {
  readonly value: Json
  /** In order of their paths, each once. */
  readonly warnings: readonly FirewallWarning[]
}

export const redactedMark = '[REDACTED]'
export const depthMark = '[REDACTED: nested data beyond depth limit]'
const depthDefault = 3

export function redact(value: Json, options: RedactOptions = {}): Redacted {
  const { allowedFields, maxDepth = depthDefault, reveal = [] } = options
  const walk: Walk = {
    reveal,
    visible: kindsShown(reveal),
    depthMax: Math.min(maxDepth, nestedMax),
    warnings: [],
    keys: new Map(),
    isNested: false,
  }
  const allowed = allowedFields === undefined ? null : new Set(allowedFields)
  const shown = redactedValue(value, { path: '', depth: 0, allowed }, walk)
  return { value: shown, warnings: warningsInOrder(walk.warnings) }
}

/** The text without what is sensitive in it: of errors and what drivers say. */
export function redactText(text: string, reveal: readonly ValueKind[] = []): string {
  const { value } = redact(text, { reveal })
  return typeof value === 'string' ? value : redactedMark
}

/** By path, then by code, each once. */
export function warningsInOrder(warnings: readonly FirewallWarning[]): readonly FirewallWarning[] {
  const sorted = warnings.toSorted((one, other) => {
    return compared(one.path, other.path) || compared(one.code, other.code)
  })
  return sorted.filter(({ code, path }, index) => {
    const before = sorted[index - 1]
    return before === undefined || before.path !== path || before.code !== code
  })
}

function compared(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** The text with each part replaced. */
export function withoutParts(text: string, parts: readonly TextRange[]): string {
  if (parts.length === 0) return text
  const pieces: string[] = []
  let taken = 0
  for (const { start, end } of parts) {
    pieces.push(text.slice(taken, start), redactedMark)
    taken = end
  }
  pieces.push(text.slice(taken))
  return pieces.join('')
}

interface Walk {
  readonly reveal: readonly ValueKind[]
  readonly visible: ReadonlySet<FoundKind>
  readonly depthMax: number
  readonly warnings: FirewallWarning[]
  /** What is shown of each key: the rows of a result have the same ones. */
  readonly keys: Map<string, string>
  /** Whether it is JSON out of a text: no further layer is taken away. */
  readonly isNested: boolean
}

interface Place {
  readonly path: string
  readonly depth: number
  /** Null where all fields stay. */
  readonly allowed: ReadonlySet<string> | null
}

/** No stack is deeper, however deep the value. */
const nestedMax = 64

function redactedValue(value: unknown, place: Place, walk: Walk): Json {
  if (typeof value === 'string') return redactedString(value, place.path, walk)
  if (typeof value === 'number') return redactedNumber(value, place.path, walk)
  if (typeof value === 'boolean') return value
  if (typeof value !== 'object' || value === null) return null
  if (place.depth >= walk.depthMax) {
    walk.warnings.push({ code: 'depth', path: place.path })
    return depthMark
  }
  if (isList(value)) {
    return value.map((item, index) => {
      const path = `${place.path}/${index}`
      return redactedValue(item, { ...place, path, depth: place.depth + 1 }, walk)
    })
  }
  return redactedObject(value, place, walk)
}

function isList(value: object): value is readonly unknown[] {
  return Array.isArray(value)
}

function redactedObject(value: object, place: Place, walk: Walk): Json {
  const names = namesShown(value, walk)
  const members = Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const name = names.get(key) ?? key
    const path = `${place.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (place.allowed !== null && !place.allowed.has(key)) {
      walk.warnings.push({ code: 'field_dropped', path })
      return []
    }
    if (name !== key) walk.warnings.push({ code: 'field_redacted', path })
    if (isSensitiveField(key, walk.reveal)) {
      walk.warnings.push({ code: 'field_redacted', path })
      return [[name, redactedMark] as const]
    }
    const at = { path, depth: place.depth + 1, allowed: null }
    return [[name, redactedValue(member, at, walk)] as const]
  })
  return Object.fromEntries(members)
}

/** The keys that are sensitive themselves, and what is shown for each. */
function namesShown(value: object, walk: Walk): ReadonlyMap<string, string> {
  const shown = new Map<string, string>()
  let number = 0
  for (const key of Object.keys(value)) {
    if (keyShown(key, walk) === key) continue
    let name: string
    do {
      number += 1
      name = number === 1 ? redactedMark : `${redactedMark}#${number}`
    } while (Object.hasOwn(value, name))
    shown.set(key, name)
  }
  return shown
}

const keysMax = 1_024

function keyShown(key: string, walk: Walk): string {
  const known = walk.keys.get(key)
  if (known !== undefined) return known
  const shown = shownOf(key, walk)
  if (walk.keys.size < keysMax) walk.keys.set(key, shown)
  return shown
}

function redactedNumber(value: number, path: string, walk: Walk): Json {
  // A minus is no part of what is found.
  const text = String(Math.abs(value))
  if (findingsIn(text, walk.visible).length === 0) return value
  walk.warnings.push({ code: 'field_redacted', path })
  return redactedMark
}

function redactedString(text: string, path: string, walk: Walk): Json {
  const shown = shownOf(text, walk)
  if (shown !== text) walk.warnings.push({ code: 'field_redacted', path })
  return shown
}

function shownOf(text: string, walk: Walk): string {
  return redactedJson(text, walk) ?? withoutParts(text, findingsIn(text, walk.visible))
}

const jsonText = /^\s*[[{"]/

/** JSON in a string, written again where something of it was taken out, else null. */
function redactedJson(text: string, walk: Walk): string | null {
  if (walk.isNested || !jsonText.test(text)) return null
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return null
  }
  const nested = { warnings: [], keys: new Map<string, string>(), isNested: true }
  const inner: Walk = { ...walk, depthMax: nestedMax, ...nested }
  const shown = redactedValue(value, { path: '', depth: 0, allowed: null }, inner)
  // Of two members with one name only the last was looked at: then the text is.
  return inner.warnings.length === 0 ? null : JSON.stringify(shown)
}
