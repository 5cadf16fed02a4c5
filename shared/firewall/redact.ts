// Takes out of a result what its reader may not see: fields that are not allowed, fields that are
// sensitive by name, and everything sensitive that stands in texts, numbers and keys. It never
// throws, takes time linear in the value, and says where it did what.
import type { Redaction } from '#schemas/action/driver'
import type { ValueKind } from '#schemas/values'
import type { Json } from '#record/canonical'
import { parseJson } from '#record/json'
import { findingsIn, isNamedNumber, kindsShown } from './detect/findings.ts'
import type { FoundKind, TextRange } from './detect/span.ts'
import { secretNameOf, type SecretName } from './detect/named/secret-names.ts'
import { namesNoSecret } from './detect/named/no-secrets.ts'
import { isVersion, isQuotedSecret } from './detect/named/values.ts'
import { givenInDefinition, isDefinition } from './definitions.ts'
import { isSensitiveField, labelOf } from './field-names.ts'
import { isListOfPairs, isSecretValue, pairedKeys, secretItems } from './pairs.ts'
import { rewritten } from './rewritten.ts'
import { warningsInOrder, type FirewallWarning, type FirewallWarningCode } from './warnings.ts'
import { dataOfSecret, ofSecret } from './detect/named/manifests.ts'
import { isValueOfPair } from './detect/named/pair-names.ts'
import { pointerToken } from '#record/pointer-token'

// Where in a value something stands, and what the names above it say of it.

interface ValuePlace {
  /** Null of the value itself. */
  readonly parent: ValuePlace | null
  /** Where it stands in its parent; a key is as it is shown. */
  readonly token: string | number
  readonly depth: number
  /** Null where all fields stay. */
  readonly allowed: ReadonlySet<string> | null
  /** Whether it stands in a list of names with their values. */
  readonly isOfPairs: boolean
  /** Whether it defines what a sensitive field may be. */
  readonly isDefinition: boolean
  /** What its key says of the value in it: `{"DB_PASSWORD": {"value": …}}`. */
  readonly secret: SecretName | null
  /** Whether its members are the data of a secret, whatever they are called. */
  readonly isManifest: boolean
  /** What its key says of the digits in it: `{"phones": ["…"]}`. */
  readonly label: string | null
}

const top: ValuePlace = {
  parent: null,
  token: '',
  depth: 0,
  allowed: null,
  isOfPairs: false,
  isDefinition: false,
  secret: null,
  isManifest: false,
  label: null,
}

/** JSON pointer. */
function shownPathOf({ parent, token }: ValuePlace): string {
  if (parent === null) return ''
  const escaped = pointerToken(String(token))
  return `${shownPathOf(parent)}/${escaped}`
}

function inList(parent: ValuePlace, token: number, isOfPairs: boolean): ValuePlace {
  const { depth, allowed } = parent
  const named = { isDefinition: false, secret: null, isManifest: false, label: null }
  return { parent, token, depth: depth + 1, allowed, isOfPairs, ...named }
}

export interface RedactOptions {
  /** The fields that stay in the value, or in the items of a list; absent means all. */
  readonly allowedFields?: readonly string[]
  /** How deep objects and lists are shown; the value itself is at 0. 3 if absent. */
  readonly maxDepth?: number
  /** Kinds of values that the reader may see. Never cards, social security numbers or secrets. */
  readonly reveal?: readonly ValueKind[]
  /** What is taken out at all; fields and depth hold whatever it is. `all` if absent. */
  readonly redaction?: Redaction
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
  const walk = walkOf(options)
  const shown = redactedValue(value, placeOf(options), walk)
  return { value: shown, warnings: warningsInOrder(walk.warnings) }
}

/** What `redact` would show of each item of a list, one by one: the rest need not be looked at. */
export function* redactedItems(
  items: readonly Json[],
  options: RedactOptions = {},
): Generator<Redacted> {
  const walk = walkOf(options)
  const place = placeOf(options)
  for (const [index, item] of items.entries()) {
    const warnings: FirewallWarning[] = []
    const value = redactedValue(item, inList(place, index, false), { ...walk, warnings })
    yield { value, warnings: warningsInOrder(warnings) }
  }
}

function walkOf(options: RedactOptions): Walk {
  const { maxDepth = depthDefault, reveal = [], redaction = 'all' } = options
  return {
    reveal,
    redaction,
    visible: kindsShown(reveal, redaction),
    depthMax: Math.min(maxDepth, nestedMax),
    warnings: [],
    keys: new Map(),
    texts: new Map(),
    isNested: false,
  }
}

function placeOf({ allowedFields }: RedactOptions): ValuePlace {
  return { ...top, allowed: allowedFields === undefined ? null : new Set(allowedFields) }
}

/** The text without what is sensitive in it: of errors and what drivers say. */
export function redactText(text: string, reveal: readonly ValueKind[] = []): string {
  const { value } = redact(text, { reveal })
  return typeof value === 'string' ? value : redactedMark
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
  readonly redaction: Redaction
  readonly reveal: readonly ValueKind[]
  readonly visible: ReadonlySet<FoundKind>
  readonly depthMax: number
  readonly warnings: FirewallWarning[]
  /** What was found of keys and of short texts: the rows of a result repeat them. */
  readonly keys: Map<string, KnownKey>
  readonly texts: Map<string, string>
  /** Whether it is JSON out of a text: no further layer is taken away. */
  readonly isNested: boolean
}

interface KnownKey {
  readonly key: string
  /** What is shown of it. */
  readonly shown: string
  /** Whether the value of such a field is sensitive whatever it is. */
  readonly isSensitive: boolean
  /** What its last word says of a text or a number there. */
  readonly secret: SecretName | null
  /** What it says of digits there, or null. */
  readonly label: string | null
  /** Whether it is what the value of a pair is called. */
  readonly isValue: boolean
  /** Whether a text there is no secret by chance. */
  readonly isKept: boolean
}

/** Only what there is a warning of needs its path. */
function warn(walk: Walk, code: FirewallWarningCode, place: ValuePlace): void {
  walk.warnings.push({ code, path: shownPathOf(place) })
}

/** No stack is deeper, however deep the value. */
const nestedMax = 64

function redactedValue(value: unknown, place: ValuePlace, walk: Walk): Json {
  if (typeof value === 'string') return redactedString(value, place, walk)
  if (typeof value === 'number') return redactedNumber(value, place, walk)
  if (typeof value === 'boolean') return value
  if (!isObject(value)) return null
  if (place.depth >= walk.depthMax) {
    warn(walk, 'depth', place)
    return depthMark
  }
  return isList(value) ? redactedList(value, place, walk) : redactedObject(value, place, walk)
}

/** One in which something can be found. */
function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}

function isList(value: object): value is readonly unknown[] {
  return Array.isArray(value)
}

function redactedList(value: readonly unknown[], place: ValuePlace, walk: Walk): Json {
  const isPair = value.length === 2 && place.isOfPairs
  const secrets = walk.redaction === 'none' ? noItems : secretItems(value, isPair)
  const isOfPairs = isListOfPairs(value)
  return value.map((item, index) => {
    const at = inList(place, index, isOfPairs)
    const isSecret =
      secrets.has(index) || isItemOfSecret(item, place) || isNumberOf(place.label, item, walk)
    return isSecret ? marked(at, walk) : redactedValue(item, at, walk)
  })
}

const noItems: ReadonlySet<number> = new Set()

/** Whether it is a value of what its list is called. */
function isItemOfSecret(item: unknown, { secret }: ValuePlace): boolean {
  return secret !== null && typeof item === 'string' && isQuotedSecret(item, secret)
}

function marked(place: ValuePlace, walk: Walk): Json {
  warn(walk, 'field_redacted', place)
  return redactedMark
}

type Members = Readonly<Record<string, unknown>>

function redactedObject(value: Members, place: ValuePlace, walk: Walk): Json {
  const shown: Record<string, Json> = {}
  const known = Object.keys(value).map((key) => knownKey(key, walk))
  const paired = known.some(({ isValue }) => isValue) ? pairedKeys(Object.entries(value)) : []
  const isManifest = walk.redaction !== 'none' && isManifestOfSecret(value)
  let number = 0
  for (const of of known) {
    const { key } = of
    let name = key
    if (of.shown !== key) {
      // No other key may be called so.
      do {
        number += 1
        name = number === 1 ? redactedMark : `${redactedMark}#${number}`
      } while (Object.hasOwn(value, name))
    }
    const member = value[key]
    const isDefined = (of.isSensitive || of.secret !== null) && isDefinition(member)
    const at: ValuePlace = {
      parent: place,
      token: name,
      depth: place.depth + 1,
      allowed: null,
      isOfPairs: false,
      isDefinition: isDefined,
      secret: isDefined ? null : (of.secret ?? (of.isValue ? place.secret : null)),
      isManifest: !isDefined && isManifest && dataOfSecret.has(key),
      label: isDefined ? null : of.label,
    }
    if (place.allowed !== null && !place.allowed.has(key)) {
      warn(walk, 'field_dropped', at)
      continue
    }
    if (name !== key) warn(walk, 'field_redacted', at)
    const isMarked =
      (place.isDefinition && givenInDefinition.has(key) && typeof member !== 'boolean') ||
      paired.includes(key) ||
      place.isManifest ||
      isSensitiveMember(member, of) ||
      isNumberOf(of.label, member, walk) ||
      (of.isValue && place.secret !== null && isSecretValue(member, place.secret))
    const isKept = of.isKept && typeof member === 'string'
    const given = isMarked
      ? marked(at, walk)
      : redactedValue(member, at, isKept ? withOpaque(walk) : walk)
    // Not by assigning, which would obey a key `__proto__`.
    if (name === '__proto__') Object.defineProperty(shown, name, { ...own, value: given })
    else shown[name] = given
  }
  return shown
}

const own = { configurable: true, enumerable: true, writable: true }

/** The same walk where the name says that what looks like a token is not one. */
function withOpaque(walk: Walk): Walk {
  return { ...walk, visible: new Set([...walk.visible, 'opaque' as const]), texts: new Map() }
}

function isManifestOfSecret(value: object): boolean {
  return 'kind' in value && typeof value.kind === 'string' && ofSecret.test(value.kind)
}

function isSensitiveMember(member: unknown, { isSensitive, secret }: KnownKey): boolean {
  // What such a field may be is no value of it.
  if (isSensitive) return !isDefinition(member) && !isVersion(member)
  return secret !== null && isScalar(member) && isSecretValue(member, secret)
}

/** Whether digits are those of a card or a telephone by what they are called. */
function isNumberOf(label: string | null, member: unknown, walk: Walk): boolean {
  return label !== null && isScalar(member) && isNamedNumber(label, member, walk.visible)
}

const knownMax = 1_024

function knownKey(key: string, walk: Walk): KnownKey {
  const known = walk.keys.get(key)
  if (known !== undefined) return known
  const isRead = walk.redaction !== 'none'
  const found = {
    key,
    shown: shownOf(key, walk),
    isSensitive: isSensitiveField(key, walk.reveal, walk.redaction),
    secret: isRead ? secretNameOf(key) : null,
    label: isRead ? labelOf(key) : null,
    isValue: isRead && isValueOfPair(key),
    isKept: namesNoSecret(key),
  }
  if (walk.keys.size < knownMax) walk.keys.set(key, found)
  return found
}

// No card has fewer digits.
const numberLengthMin = 13

function redactedNumber(value: number, place: ValuePlace, walk: Walk): Json {
  // A minus is no part of what is found.
  const text = String(Math.abs(value))
  if (
    walk.redaction === 'none' ||
    text.length < numberLengthMin ||
    findingsIn(text, walk.visible).length === 0
  )
    return value
  warn(walk, 'field_redacted', place)
  return redactedMark
}

function redactedString(text: string, place: ValuePlace, walk: Walk): Json {
  const isShort = text.length <= knownLengthMax
  const shown = (isShort ? walk.texts.get(text) : undefined) ?? shownOf(text, walk)
  if (isShort && walk.texts.size < knownMax) walk.texts.set(text, shown)
  if (shown !== text) warn(walk, 'field_redacted', place)
  return shown
}

const knownLengthMax = 64

function shownOf(text: string, walk: Walk): string {
  if (walk.redaction === 'none') return text
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
  // In there no text is read as JSON again, so another thing is known of each.
  const known = { keys: new Map<string, KnownKey>(), texts: new Map<string, string>() }
  const inner: Walk = { ...walk, ...known, depthMax: nestedMax, warnings: [], isNested: true }
  const shown = redactedValue(value, top, inner)
  // Of two members with one name only the last was looked at: then the text is.
  if (inner.warnings.length === 0) return null
  return rewritten(text, value, shown) ?? JSON.stringify(shown)
}
