// References by the name of a part: a part of a schema may have an `$id` of its own, by which other
// parts refer to it, and under which its own references are read. Where nothing is fetched they all
// mean a place in the one schema, and are written as that.
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { withParts } from './schema-parts.ts'

const noBase = 'schema:///'

/** The same schema in pointers, where parts of it have an `$id`; a name that is nowhere is left. */
export function withoutIds(root: JsonObject): JsonObject {
  const places = new Places()
  places.find(root, { at: '#', base: noBase })
  return places.isNested ? rewritten(root, { at: '#', base: noBase }, places) : root
}

interface Place {
  /** A pointer from the root. */
  readonly at: string
  /** What references are relative to. */
  readonly base: string
}

class Places {
  readonly #known = new Map<string, string>()

  get isNested(): boolean {
    return new Set([...this.#known.values()].filter((at) => at !== '#')).size > 0
  }

  find(schema: JsonObject, { at, base: above }: Place): void {
    const base = baseOf(schema, above)
    if (base !== above || at === '#') this.#known.set(base, at)
    eachPart(schema, at, (part, place) => this.find(part, { at: place, base }))
  }

  /** The pointer that a reference means; as it is written where that is not known. */
  pointerTo(reference: string, base: string): string {
    const url = absolute(reference, base)
    if (url === null) return reference
    const fragment = url.hash.slice(1)
    url.hash = ''
    const at = this.#known.get(url.href)
    if (at === undefined || (fragment !== '' && !fragment.startsWith('/'))) return reference
    return `${at}${fragment}`
  }
}

function rewritten(schema: JsonObject, { at, base: above }: Place, places: Places): JsonObject {
  const base = baseOf(schema, above)
  const made: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(schema)) {
    const isReference = name === '$ref' && typeof value === 'string'
    made[name] = isReference
      ? places.pointerTo(value, base)
      : withParts(name, value, (part, below) => {
          return rewritten(part, { at: `${at}/${below}`, base }, places)
        })
  }
  return made
}

function eachPart(
  schema: JsonObject,
  at: string,
  found: (part: JsonObject, at: string) => void,
): void {
  for (const [name, value] of Object.entries(schema)) {
    withParts(name, value, (part, below) => {
      found(part, `${at}/${below}`)
      return part
    })
  }
}

function baseOf(schema: JsonObject, above: string): string {
  const { $id } = schema
  const url = typeof $id === 'string' ? absolute($id, above) : null
  if (url === null) return above
  url.hash = ''
  return url.href
}

function absolute(reference: string, base: string): URL | null {
  return URL.canParse(reference, base) ? new URL(reference, base) : null
}
