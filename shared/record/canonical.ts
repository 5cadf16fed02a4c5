// RFC 8785 canonical JSON: one value, one text. What is hashed, signed or compared is written here,
// so it must never depend on the order in which keys were added.
import { copiedBytes, newBytes, textOfUtf8, writeUtf8 } from '#platform/bytes'

export type Json = null | boolean | number | string | readonly Json[] | JsonMap

export interface JsonMap {
  readonly [key: string]: Json | undefined
}

/**
 * The canonical text. A property that is `undefined` is absent.
 * Throws a RangeError for what JSON cannot say: NaN, the infinities, lone surrogates.
 */
export function canonical(value: Json): string {
  return written(value, textOfUtf8)
}

/** The canonical text as UTF-8 bytes. */
export function canonicalBytes(value: Json): Uint8Array {
  return written(value, copiedBytes)
}

// All is written into the same bytes, one value after the other: no text is made in between, and no
// object with its keys in order.
const roomMin = 16_384
const roomKeptMax = 1_048_576
let room = newBytes(roomMin)
let end = 0

function written<T>(value: Json, take: (bytes: Uint8Array, from: number, to: number) => T): T {
  const start = end
  try {
    write(value)
    return take(room, start, end)
  } finally {
    end = start
    if (start === 0 && room.length > roomKeptMax) room = newBytes(roomMin)
  }
}

function reserve(bytes: number): void {
  if (end + bytes <= room.length) return
  const larger = newBytes(Math.max(room.length * 2, end + bytes))
  larger.set(room.subarray(0, end))
  room = larger
}

function write(value: Json): void {
  if (typeof value === 'string') writeText(value)
  else if (typeof value === 'number') writeAscii(`${finite(value)}`)
  else if (typeof value !== 'object' || value === null) writeAscii(`${value}`)
  else if (isList(value)) writeList(value)
  else writeMap(value)
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c

function writeByte(byte: number): void {
  reserve(1)
  room[end] = byte
  end += 1
}

function writeAscii(text: string): void {
  reserve(text.length)
  for (let index = 0; index < text.length; index += 1) room[end + index] = text.charCodeAt(index)
  end += text.length
}

/** A longer text is written sooner by the engine. */
const plainMax = 128

// Nearly every text is short, and each character of it is a byte as it stands.
function writeText(text: string): void {
  const { length } = text
  if (length > plainMax) {
    writeQuoted(text)
    return
  }
  reserve(length + 2)
  room[end] = quote
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || unit > 0x7f || unit === quote || unit === backslash) {
      writeQuoted(text)
      return
    }
    room[end + 1 + index] = unit
  }
  room[end + 1 + length] = quote
  end += length + 2
}

function writeQuoted(text: string): void {
  if (!text.isWellFormed()) throw new RangeError('canonical JSON has no lone surrogates')
  const quoted = JSON.stringify(text)
  reserve(quoted.length * 3)
  end += writeUtf8(quoted, room, end)
}

function writeList(list: readonly Json[]): void {
  writeByte(0x5b)
  for (let index = 0; index < list.length; index += 1) {
    if (index > 0) writeByte(comma)
    write(list[index] ?? null)
  }
  writeByte(0x5d)
}

function writeMap(map: JsonMap): void {
  writeByte(0x7b)
  const first = end
  // What JSON gives inherits nothing, and no list of keys is made.
  if (hasSortedKeys(map)) for (const key in map) writeMember(key, map[key], first)
  else for (const key of sortedKeys(map)) writeMember(key, map[key], first)
  writeByte(0x7d)
}

function writeMember(key: string, member: Json | undefined, first: number): void {
  if (member === undefined) return
  if (end > first) writeByte(comma)
  writeText(key)
  writeByte(colon)
  write(member)
}

function hasSortedKeys(map: JsonMap): boolean {
  let previous = ''
  for (const key in map) {
    if (key < previous) return false
    previous = key
  }
  return true
}

/** The engine makes several lists to sort one: of more keys than this it is faster all the same. */
const keysPlacedMax = 64

function sortedKeys(map: JsonMap): readonly string[] {
  const keys = Object.keys(map)
  if (keys.length > keysPlacedMax) return keys.toSorted(byCodeUnit)
  for (let next = 1; next < keys.length; next += 1) {
    const key = keys[next] ?? ''
    let at = next
    for (; at > 0 && key < (keys[at - 1] ?? ''); at -= 1) keys[at] = keys[at - 1] ?? ''
    keys[at] = key
  }
  return keys
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
  return isJson(value) ? value : copied(value)
}

// Nearly always it is one as it stands.
function isJson(value: unknown): value is Json {
  if (typeof value !== 'object') return typeof value === 'string' || isScalar(value)
  if (value === null) return true
  if (Array.isArray(value)) return value.every(isJson)
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  for (const key in value) if (!isJson(Reflect.get(value, key))) return false
  return true
}

function isScalar(value: unknown): value is boolean | number {
  return typeof value === 'boolean' || typeof value === 'number'
}

// Without the members that are undefined.
function copied(value: unknown): Json {
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`JSON has no ${typeof value}`)
  const members: [string, Json][] = []
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push([key, jsonOf(member)])
  }
  return Object.fromEntries(members)
}

/** The order of keys, which no locale changes. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
