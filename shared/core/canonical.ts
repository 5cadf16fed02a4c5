// RFC 8785 canonical JSON: one value, one text. What is hashed, signed or compared is written here,
// so it must never depend on the order in which keys were added.

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

const integerKey = /^(0|[1-9][0-9]{0,9})$/

/**
 * The canonical text. A property that is `undefined` is absent.
 * Throws a RangeError for what JSON cannot say: NaN, the infinities, lone surrogates.
 */
export function canonical(value: Json): string {
  return standsInOrder(value) ? JSON.stringify(value) : write(value)
}

/** The canonical text as UTF-8 bytes. */
export function canonicalBytes(value: Json): Uint8Array {
  return Buffer.from(canonical(value), 'utf8')
}

// What stands in order already is written by the engine itself, several times faster. Keys that look
// like array indexes are never in order: the engine enumerates them by number and not by text.
function standsInOrder(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (isList(value)) {
    for (const item of value) if (!standsInOrder(item)) return false
    return true
  }
  let previous = ''
  for (const key in value) {
    if (key < previous || integerKey.test(key) || !key.isWellFormed()) return false
    const member = value[key]
    if (member !== undefined && !standsInOrder(member)) return false
    previous = key
  }
  return true
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function write(value: Json): string {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new RangeError(`JSON has no ${value}`)
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(write).join(',')}]`
  const members: string[] = []
  for (const key of Object.keys(value).toSorted(byCodeUnit)) {
    const member = value[key]
    if (member !== undefined) members.push(`${text(key)}:${write(member)}`)
  }
  return `{${members.join(',')}}`
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new RangeError('canonical JSON has no lone surrogates')
  return JSON.stringify(value)
}

/** A value that came out of JSON, seen as one. Throws a TypeError for anything else. */
export function jsonOf(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return value
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`)
  const members: [string, Json | undefined][] = []
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push([key, jsonOf(member)])
  }
  return Object.fromEntries(members)
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
