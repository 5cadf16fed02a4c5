// RFC 8785 canonical JSON: one value, one text. What is hashed, signed or compared is written here,
// so it must never depend on the order in which keys were added.
import { utf8 } from '#platform/bytes'

export type Json = null | boolean | number | string | readonly Json[] | JsonMap

export interface JsonMap {
  readonly [key: string]: Json | undefined
}

/**
 * The canonical text. A property that is `undefined` is absent.
 * Throws a RangeError for what JSON cannot say: NaN, the infinities, lone surrogates.
 */
export function canonical(value: Json): string {
  const inOrder = ordered(value)
  if (inOrder === undefined) return write(value)
  const text = JSON.stringify(inOrder)
  // The engine escapes surrogates only where they are alone; who writes a backslash looks the same.
  return text.includes('\\ud') ? write(value) : text
}

/** The canonical text as UTF-8 bytes. */
export function canonicalBytes(value: Json): Uint8Array {
  return utf8(canonical(value))
}

// The same value with all keys in order, sharing what stood in order already, so that the engine
// can write it. Undefined where it cannot, since it enumerates keys that look like array indexes by
// number, or where it would take longer.
function ordered(value: Json): Json | undefined {
  if (typeof value === 'number') return finite(value)
  if (typeof value !== 'object' || value === null) return value
  return isList(value) ? orderedList(value) : orderedMap(value)
}

function orderedList(list: readonly Json[]): readonly Json[] | undefined {
  let copy: Json[] | undefined
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index] ?? null
    const inOrder = ordered(item)
    if (inOrder === undefined) return undefined
    if (inOrder !== item) copy ??= list.slice()
    if (copy !== undefined) copy[index] = inOrder
  }
  return copy ?? list
}

function orderedMap(map: JsonMap): JsonMap | undefined {
  if (!hasSortedKeys(map)) return sortedMap(map, Object.keys(map))
  let copy: { [key: string]: Json | undefined } | undefined
  for (const key in map) {
    const member = map[key]
    if (typeof member !== 'object' && typeof member !== 'number') continue
    const inOrder = ordered(member)
    if (inOrder === undefined) return undefined
    if (inOrder === member) continue
    copy ??= { ...map }
    copy[key] = inOrder
  }
  return copy ?? map
}

// What JSON gives inherits nothing, and no list of keys is made.
function hasSortedKeys(map: JsonMap): boolean {
  let previous = ''
  for (const key in map) {
    if (key < previous) return false
    previous = key
  }
  return true
}

const integerKey = /^(0|[1-9][0-9]{0,9})$/

/** A copy of more keys costs the engine more than it saves: then all is written here. */
const keysCopiedMax = 64

function sortedMap(map: JsonMap, keys: readonly string[]): JsonMap | undefined {
  if (keys.length > keysCopiedMax) return undefined
  const copy: { [key: string]: Json | undefined } = {}
  for (const key of keys.toSorted(byCodeUnit)) {
    // `__proto__` would set the prototype of the copy, and be no key of it.
    if (integerKey.test(key) || key === '__proto__') return undefined
    const member = map[key]
    if (member === undefined) continue
    const inOrder = ordered(member)
    if (inOrder === undefined) return undefined
    copy[key] = inOrder
  }
  return copy
}

function write(value: Json): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return `${finite(value)}`
  if (typeof value !== 'object' || value === null) return `${value}`
  return isList(value) ? writeList(value) : writeMap(value)
}

function writeList(list: readonly Json[]): string {
  let text = '['
  for (let index = 0; index < list.length; index += 1) {
    if (index > 0) text += ','
    text += write(list[index] ?? null)
  }
  return `${text}]`
}

function writeMap(map: JsonMap): string {
  const keys = Object.keys(map)
  let text = ''
  for (const key of hasSortedKeys(map) ? keys : keys.toSorted(byCodeUnit)) {
    const member = map[key]
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${quoted(key)}:${write(member)}`
  }
  return `{${text}}`
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('canonical JSON has no lone surrogates')
  return JSON.stringify(text)
}

function finite(number: number): number {
  if (!Number.isFinite(number)) throw new RangeError(`JSON has no ${number}`)
  return number
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
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

/** The order of keys, which no locale changes. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
