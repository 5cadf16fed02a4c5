// Arguments that are not as they were: what a drill shows in place of what was asked.
import type { Json } from '../kernel/canonical.ts'

/** The value at each place of a JSON value that is no object and no list, by its JSON pointer. */
export function allLeaves(value: Json, at = ''): readonly (readonly [string, Json])[] {
  if (value === null || typeof value !== 'object') return [[at, value]]
  return Object.entries(value).flatMap(([key, inner]: [string, Json | undefined]) => {
    return inner === undefined
      ? []
      : allLeaves(inner, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  })
}

/** The same with other values at these places; null where it has no such place. */
export function altered(value: Json, changes: ReadonlyMap<string, Json>, at = ''): Json | null {
  const known = new Set(allLeaves(value, at).map(([pointer]) => pointer))
  if ([...changes.keys()].some((pointer) => !known.has(pointer))) return null
  return replaced(value, changes, at)
}

function replaced(value: Json, changes: ReadonlyMap<string, Json>, at: string): Json {
  if (value === null || typeof value !== 'object') return changes.get(at) ?? value
  const inner = (key: string, one: Json): Json =>
    replaced(one, changes, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  if (Array.isArray(value)) return value.map((one: Json, index) => inner(String(index), one))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]: [string, Json | undefined]) => {
      return one === undefined ? [] : [[key, inner(key, one)]]
    }),
  )
}

/** What may stand there in a drill that no one wrote: plainly wrong; null where nothing is. */
export function wrongValue(value: Json): Json | null {
  if (typeof value === 'number' && value !== 0) return value * 1_000
  if (typeof value !== 'string') return null
  const [, user] = /^([^@\s]+)@[^@\s]+\.[^@\s]+$/.exec(value) ?? []
  if (user !== undefined) return `${user}@mail.example.net`
  return /^\d{4,}$/.test(value) ? value.split('').toReversed().join('') : null
}
