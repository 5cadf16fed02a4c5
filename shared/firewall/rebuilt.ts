// What another program said, built again out of the members that are known of its kind: all of it
// through the firewall, and nothing in it that could be taken for a word of Warrant. Total.
import { base64urlOf, bytesOfBase64, textOfUtf8, utf8 } from '#platform/bytes'
import type { Redaction } from '#schemas/action/driver'
import type { ValueKind } from '#schemas/values'
import { jsonOf, type Json, type JsonMap } from '#record/canonical'
import { parseJson } from '#record/json'
import { isItems, isRow } from './facts.ts'
import type { FrameConstraints } from './frame.ts'
import { redact } from './redact.ts'
import type { FirewallWarning } from './warnings.ts'
import { rewritten } from './rewritten.ts'

/**
 * What may stand in a place.
 *
 * - `text`: a text; `body`: one that may be rows as JSON, so fields and rows of it are bounded.
 * - `number` and `flag` are left out where the firewall would not show them as they are.
 * - `json`: anything. `schema`: a JSON Schema, whose keys are no fields. `meta`: `_meta`.
 * - `bytes`: base64 of what need not be text.
 */
export type Shape =
  | 'text'
  | 'body'
  | 'number'
  | 'flag'
  | 'json'
  | 'schema'
  | 'meta'
  | 'bytes'
  | { readonly list: Shape }
  | { readonly members: Readonly<Record<string, Shape>> }
  /** By its member `type`; of a type that is not here nothing is left. */
  | { readonly types: Readonly<Record<string, Shape>> }

export interface ContentBounds {
  readonly constraints: FrameConstraints
  readonly reveal: readonly ValueKind[]
  readonly redaction?: Redaction
}

export interface ShownValue {
  readonly value: Json
  readonly warnings: readonly FirewallWarning[]
}

/** What is shown whole may be as deep as any value. */
const depthMax = 64

/** Null where the value is not of that shape: then nothing of it may be shown. */
export function rebuilt(shape: Shape, value: Json, bounds: ContentBounds): ShownValue | null {
  if (typeof shape === 'string') return leafShown(shape, value, bounds)
  if ('list' in shape) return isItems(value) ? listShown(shape.list, value, bounds) : null
  if (!isRow(value)) return null
  if ('members' in shape) return membersShown(shape.members, value, bounds)
  const { type } = value
  if (typeof type !== 'string' || !Object.hasOwn(shape.types, type)) return null
  const of = shape.types[type]
  return of === undefined ? null : rebuilt(of, value, bounds)
}

type Leaf = Extract<Shape, string>

function leafShown(leaf: Leaf, value: Json, bounds: ContentBounds): ShownValue | null {
  switch (leaf) {
    case 'text':
      return typeof value === 'string' ? plainShown(value, bounds) : null
    case 'body':
      return typeof value === 'string' ? bodyShown(value, bounds) : null
    case 'number':
      return typeof value === 'number' ? unchanged(plainShown(value, bounds)) : null
    case 'flag':
      return typeof value === 'boolean' ? { value, warnings: [] } : null
    case 'json':
      return plainShown(value, bounds)
    case 'schema':
      return schemaShown(value, bounds)
    case 'meta':
      return isRow(value) ? metaShown(value, bounds) : null
    case 'bytes':
      return typeof value === 'string' ? bytesShown(value, bounds) : null
  }
}

function unchanged(shown: ShownValue): ShownValue | null {
  return shown.warnings.length === 0 ? shown : null
}

export function warnedAt(
  warnings: readonly FirewallWarning[],
  at: string,
): readonly FirewallWarning[] {
  return warnings.map(({ code, path }) => ({ code, path: `${at}${path}` }))
}

function listShown(shape: Shape, items: readonly Json[], bounds: ContentBounds): ShownValue {
  const warnings: FirewallWarning[] = []
  const value = items.flatMap((item, index): readonly Json[] => {
    const shown = rebuilt(shape, item, bounds)
    warnings.push(...warnedAt(shown?.warnings ?? left, `/${index}`))
    return shown === null ? [] : [shown.value]
  })
  return { value, warnings }
}

const left: readonly FirewallWarning[] = [{ code: 'field_dropped', path: '' }]

function membersShown(
  shapes: Readonly<Record<string, Shape>>,
  value: JsonMap,
  bounds: ContentBounds,
): ShownValue {
  const warnings: FirewallWarning[] = []
  const members = Object.entries(shapes).flatMap(([name, shape]): readonly [string, Json][] => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (member === undefined) return []
    const shown = rebuilt(shape, member, bounds)
    warnings.push(...warnedAt(shown?.warnings ?? left, `/${name}`))
    return shown === null ? [] : [[name, shown.value]]
  })
  return { value: Object.fromEntries(members), warnings }
}

function plainShown(value: Json, { reveal, redaction = 'all' }: ContentBounds): ShownValue {
  return redact(value, { reveal, redaction, maxDepth: depthMax })
}

/** A value with the rows and fields that are allowed. */
export function valueShown(value: Json, bounds: ContentBounds): ShownValue {
  const { constraints, reveal, redaction = 'all' } = bounds
  const { maxRows = Infinity, allowedFields } = constraints
  const isCut = isItems(value) && value.length > maxRows
  const rows = isCut ? value.slice(0, maxRows) : value
  const { value: shown, warnings } = redact(rows, {
    reveal,
    redaction,
    maxDepth: depthMax,
    ...(allowedFields !== undefined && { allowedFields }),
  })
  const cut: readonly FirewallWarning[] = isCut ? [{ code: 'rows', path: '' }] : []
  return { value: shown, warnings: [...warnings, ...cut] }
}

function bodyShown(text: string, bounds: ContentBounds): ShownValue {
  const parsed = jsonIn(text)
  if (parsed === null) return plainShown(text, bounds)
  const shown = valueShown(parsed, bounds)
  // Written again only where something is left out: a reader may know its form.
  if (shown.warnings.length > 0) {
    const written = rewritten(text, parsed, shown.value)
    return { ...shown, value: written ?? JSON.stringify(shown.value) }
  }
  // Of two members with one name only the last was looked at; so the text is as well.
  return plainShown(text, bounds)
}

const jsonStart = /^\s*[[{]/

function jsonIn(text: string): Json | null {
  if (!jsonStart.test(text)) return null
  try {
    return jsonOf(parseJson(text))
  } catch {
    return null
  }
}

// The names in a schema are those of arguments and not of fields, so each text is looked at alone.
function schemaShown(value: Json, bounds: ContentBounds, depth = 0): ShownValue | null {
  if (typeof value === 'string' || typeof value === 'number') return plainShown(value, bounds)
  if (typeof value !== 'object' || value === null) return { value, warnings: [] }
  if (depth >= depthMax) return null
  const warnings: FirewallWarning[] = []
  const within = (member: Json, at: string): readonly Json[] => {
    const shown = schemaShown(member, bounds, depth + 1)
    warnings.push(...warnedAt(shown?.warnings ?? left, at))
    return shown === null ? [] : [shown.value]
  }
  if (isItems(value)) {
    return { value: value.flatMap((item, index) => within(item, `/${index}`)), warnings }
  }
  const members = Object.entries(value).flatMap(([name, member]): readonly [string, Json][] => {
    const isPlain = unchanged(plainShown(name, bounds)) !== null
    if (!isPlain) warnings.push(...left)
    if (!isPlain || member === undefined) return []
    return within(member, '/*').map((one): [string, Json] => [name, one])
  })
  return { value: Object.fromEntries(members), warnings }
}

/** Labels of a prefix that are Warrant's own or the protocol's: a server may not speak for them. */
const ownLabels: ReadonlySet<string> = new Set(['warrant', 'modelcontextprotocol', 'mcp'])
/** What carries a denial in `_meta`. */
const ownName = 'authorization'

/** Whether a member of `_meta` is one that only Warrant, or the protocol, may write. */
export function isReserved(key: string): boolean {
  const name = key.normalize('NFKC').trim().toLowerCase()
  const slash = name.indexOf('/')
  if (slash < 0) return name === ownName
  const prefix = name.slice(0, slash)
  return prefix.split('.').some((label) => ownLabels.has(label.trim()))
}

function metaShown(value: JsonMap, bounds: ContentBounds): ShownValue {
  return plainShown(withoutReserved(value), bounds)
}

function withoutReserved(value: Json, depth = 0): Json {
  // What is deeper is not shown at all.
  if (typeof value !== 'object' || value === null || depth > depthMax) return value
  if (isItems(value)) return value.map((item) => withoutReserved(item, depth + 1))
  const members = Object.entries(value).flatMap(([key, member]): readonly [string, Json][] => {
    if (member === undefined || isReserved(key)) return []
    return [[key, withoutReserved(member, depth + 1)]]
  })
  return Object.fromEntries(members)
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/
/** No picture and no sound is shorter: that is a text, or nothing that would be missed. */
const bytesCharactersMin = 44

// What is a picture cannot be looked into; what only claims to be one can.
function bytesShown(text: string, bounds: ContentBounds): ShownValue {
  const isLong = text.length >= bytesCharactersMin && text.length % 4 === 0
  if (!isLong || !base64.test(text)) return plainShown(text, bounds)
  const inside = textInside(text)
  if (inside === null) return { value: text, warnings: [] }
  const { value, warnings } = bodyShown(inside, bounds)
  if (warnings.length === 0) return { value: text, warnings }
  return { value: base64Of(typeof value === 'string' ? value : ''), warnings }
}

// Bytes that are no text, and what stands for bytes that are no UTF-8.
// oxlint-disable-next-line no-control-regex
const binary = /[\0-\u0008\u000E-\u001A\uFFFD]/
const beginningCharacters = 1_024

/** What is text from its beginning to its end; null of anything else. */
function textInside(text: string): string | null {
  // The last character may be cut in two.
  const beginning = textOfUtf8(bytesOfBase64(text.slice(0, beginningCharacters))).slice(0, -4)
  if (binary.test(beginning)) return null
  const whole = textOfUtf8(bytesOfBase64(text))
  return binary.test(whole) ? null : whole
}

function base64Of(text: string): string {
  const plain = base64urlOf(utf8(text)).replaceAll('-', '+').replaceAll('_', '/')
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, '=')
}
