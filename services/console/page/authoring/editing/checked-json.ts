// A value written as JSON, checked while it is typed by the same schema that the server reads it
// with; of what is wrong it is known where that stands.
import type { z } from 'zod'
import { parseJson } from '#record/json'
import { mistakeText, notJsonText } from '#present/console/overseeing/mistake-text'
import { memberMap } from '../../signing/members.ts'
import { stoppedAt, placeIn, type TextPlace } from './json-place.ts'

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
