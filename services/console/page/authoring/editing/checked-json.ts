// A value written as JSON, checked while it is typed by the same schema that the server reads it
// with; of what is wrong it is known where that stands.
import type { z } from 'zod'
import { parseJson } from '#record/json'
import { mistakeText, notJsonText } from '#present/console/overseeing/mistake-text'
import { memberMap } from '../../signing/members.ts'

export interface Mistake {
  readonly text: string
  readonly at: TextPlace | null
  /** From the whole value to what it is about. */
  readonly path: readonly PropertyKey[]
}

const mistakesMax = 5

export type CheckedJson<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] }

export function checkedJson<T>(text: string, schema: z.ZodType<T>): CheckedJson<T> {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    return { ok: false, mistakes: [{ text: notJsonText, at: stoppedAt(text, error), path: [] }] }
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const mistakes = parsed.error.issues.slice(0, mistakesMax).map((issue) => {
    const [key] = issue.code === 'unrecognized_keys' ? issue.keys : []
    const path = key === undefined ? issue.path : [...issue.path, key]
    return { text: mistakeText(issue), at: placeIn(text, path), path }
  })
  return { ok: false, mistakes }
}

/** The members of a text that is an object in JSON; null for another. */
export function membersIn(text: string): ReadonlyMap<string, unknown> | null {
  try {
    const value: unknown = parseJson(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? memberMap(value) : null
  } catch {
    return null
  }
}

// Where in a JSON text a value stands, so that what is wrong with it can be shown at its place.

export interface TextPlace {
  readonly line: number
  readonly column: number
}

type Path = readonly PropertyKey[]

/** Of a text that is JSON: where the value of that path begins, or the deepest that is there. */
export function placeIn(text: string, path: Path): TextPlace {
  let at = afterSpace(text, 0)
  for (const key of path) {
    const next = text[at] === '[' ? inList(text, at, key) : inObject(text, at, key)
    if (next === null) break
    at = next
  }
  return placeAt(text, at)
}

function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** Where a browser stopped to read, if it reports it. */
function stoppedAt(text: string, error: unknown): TextPlace | null {
  const message = error instanceof SyntaxError ? error.message : ''
  const [, offset] = /position (\d+)/.exec(message) ?? []
  if (offset !== undefined) return placeAt(text, Number(offset))
  if (message.includes('end of')) return placeAt(text, text.length)
  return null
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}

function inObject(text: string, from: number, key: PropertyKey): number | null {
  if (text[from] !== '{') return null
  let at = afterSpace(text, from + 1)
  while (text[at] === '"') {
    const end = afterString(text, at)
    const name: unknown = parseJson(text.slice(at, end))
    const value = afterSpace(text, afterSpace(text, end) + 1)
    if (name === key) return value
    at = afterComma(text, afterValue(text, value))
  }
  return null
}

function inList(text: string, from: number, key: PropertyKey): number | null {
  let at = afterSpace(text, from + 1)
  for (let index = 0; text[at] !== ']' && at < text.length; index += 1) {
    if (index === key) return at
    at = afterComma(text, afterValue(text, at))
  }
  return null
}

function afterComma(text: string, from: number): number {
  const at = afterSpace(text, from)
  return text[at] === ',' ? afterSpace(text, at + 1) : at
}

function afterString(text: string, from: number): number {
  let at = from + 1
  while (text[at] !== '"' && at < text.length) at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function afterValue(text: string, from: number): number {
  let at = from
  let depth = 0
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === '"') at = afterString(text, at) - 1
    else if ('{['.includes(character)) depth += 1
    else if ('}]'.includes(character)) depth -= 1
    if (depth < 0) return at
    at += 1
    if (depth === 0 && /[\s,}\]]/.test(text[at] ?? ',')) return at
  }
  return at
}
