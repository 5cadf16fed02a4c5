// The members of a value that came as JSON; none where it is no object.
import { jsonOf, type Json } from '#record/canonical'

export function memberMap(value: unknown): ReadonlyMap<string, Json> {
  const json = jsonOf(value)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return new Map()
  return new Map(Object.entries(json).map(([key, member]) => [key, jsonOf(member)]))
}
