// Reads the configuration of a nats-server, as far as `warrant nats-config` and people who edit
// what it wrote use the format. What it does not understand it refuses with file and line: a reader
// that guesses would report the permissions of another configuration than the server has.
import type { Json, JsonMap } from '#record/canonical'
import { Fault } from '#record/fault'

/** The text of a file that another includes, by the name that is written there. */
export type Include = (
  name: string,
  from: string,
) => { readonly file: string; readonly text: string }

interface Place {
  readonly text: string
  readonly file: string
  readonly include: Include
  /** How many files included this one. */
  readonly depth: number
  at: number
}

const depthMax = 32

/**
 * The configuration as JSON, in which numbers, sizes and booleans stay the text that they are.
 * Throws a Fault at the first thing that it does not understand.
 */
export function parsedConfig(text: string, file: string, include: Include): JsonMap {
  const map = new Map<string, Json>()
  readFile({ text, file, include, depth: 0, at: 0 }, map)
  return Object.fromEntries(map)
}

function readFile(place: Place, map: Map<string, Json>): void {
  readEntries(place, map)
  if (place.at < place.text.length) throw unknown(place, 'a key is expected')
}

/** Up to the end of the block or of the file. */
function readEntries(place: Place, map: Map<string, Json>): void {
  for (let start = next(place); start !== undefined && start !== '}'; start = next(place)) {
    const { at } = place
    const key = matched(place, keyPattern) ?? quoted(place)
    if (key === null || key === '') throw unknown(place, 'a key is expected')
    const separator = matched(place, separatorPattern) ?? ''
    if (key === 'include' && separator.trim() === '') readIncluded(place, map)
    else if (map.has(key)) throw unknown({ ...place, at }, `\`${key}\` is there twice`)
    else map.set(key, readValue(place))
    matched(place, endPattern)
  }
}

function readIncluded(place: Place, map: Map<string, Json>): void {
  const { include, depth } = place
  const name = quoted(place) ?? matched(place, barePattern)
  if (name === null || depth >= depthMax) throw unknown(place, 'a file to include is expected')
  readFile({ ...include(name, place.file), include, depth: depth + 1, at: 0 }, map)
}

function readValue(place: Place): Json {
  const start = place.text[place.at]
  if (start === '{') return readMap(place)
  if (start === '[') return readList(place)
  const value = quoted(place) ?? matched(place, barePattern)
  if (value === null) throw unknown(place, 'a value is expected')
  return value
}

function readMap(place: Place): JsonMap {
  const map = new Map<string, Json>()
  const { at } = place
  place.at += 1
  readEntries(place, map)
  if (matched(place, /\}/y) === null) throw unknown({ ...place, at }, 'a block has no end')
  return Object.fromEntries(map)
}

function readList(place: Place): readonly Json[] {
  const list: Json[] = []
  const { at } = place
  place.at += 1
  for (let start = next(place); start !== ']'; start = next(place)) {
    if (start === undefined) throw unknown({ ...place, at }, 'a list has no end')
    list.push(readValue(place))
    next(place)
    matched(place, /,/y)
  }
  place.at += 1
  return list
}

// A bare word with a `$` is a variable of the server, and one with a `(` begins a block of text.
const keyPattern = /[A-Za-z0-9_.-]+/y
const barePattern = /[^\s,;[\]{}()"'#$][^\s,;[\]{}()"'#]*/y
const separatorPattern = /[ \t]*[:=]?[ \t]*/y
const endPattern = /[ \t]*[,;]/y
const spacePattern = /(?:\s|#[^\n]*|\/\/[^\n]*)*/y

/** The character after spaces, ends of lines and comments; undefined at the end. */
function next(place: Place): string | undefined {
  matched(place, spacePattern)
  return place.text[place.at]
}

/** What stands there by the pattern, which is stepped over; null where nothing does. */
function matched(place: Place, pattern: RegExp): string | null {
  pattern.lastIndex = place.at
  const [found] = pattern.exec(place.text) ?? []
  if (found === undefined) return null
  place.at += found.length
  return found
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** A text in quotes; only the double ones know escapes. */
function quoted(place: Place): string | null {
  const { at } = place
  const single = matched(place, /'[^'\n]*'/y)
  if (single !== null) return single.slice(1, -1)
  const double = matched(place, /"(?:[^"\\\n]|\\.)*"/y)
  if (double === null) return null
  return double.slice(1, -1).replaceAll(/\\(.)/g, (_, letter: string) => {
    const character = escapes.get(letter)
    if (character === undefined) throw unknown({ ...place, at }, `\`\\${letter}\` is no escape`)
    return character
  })
}

function unknown({ text, file, at }: Pick<Place, 'text' | 'file' | 'at'>, why: string): Fault {
  const line = text.slice(0, at).split('\n').length
  const message = `\`${file}\`, line ${line}: ${why}; what is not understood is not compared`
  return new Fault('server_config_unread', message)
}
