// References by the name of a part: a part of a schema may have an `$id` or an anchor of its own,
// by which others refer to it, and its own references are read under that `$id`. Where nothing is
// fetched they all mean a place in the one schema, and are written as that.
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { withParts } from './schema-parts.ts'

const noBase = 'schema:///'

/** The same schema in pointers, where parts of it have names; a name that is nowhere is left. */
export function withoutNames(root: JsonObject): JsonObject {
  const places = new Places(root)
  return places.areNamed ? rewritten(root, { at: '#', base: noBase }, places) : root
}

interface Place {
  /** A pointer from the root. */
  readonly at: string
  /** What references are relative to. */
  readonly base: string
}

class Places {
  /** Pointers by the address of what is there. */
  readonly #known = new Map<string, string>()
  /** By name, what a reference may mean that looks for it from the outermost schema inwards. */
  readonly #dynamic = new Map<string, readonly string[]>()
  readonly #idKeyword: string

  constructor(root: JsonObject) {
    const { $schema } = root
    const isDraft4 = typeof $schema === 'string' && /\/draft-0[34]\//.test($schema)
    this.#idKeyword = isDraft4 ? 'id' : '$id'
    this.#find(root, { at: '#', base: noBase })
  }

  get areNamed(): boolean {
    return this.#known.size > 1 || !this.#known.has(noBase)
  }

  #find(schema: JsonObject, { at, base: above }: Place): void {
    const base = this.baseOf(schema, above)
    if (base !== above || at === '#') this.#known.set(base, at)
    this.#findAnchors(schema, { at, base })
    for (const [name, value] of Object.entries(schema)) {
      withParts(name, value, (part, below) => {
        this.#find(part, { at: `${at}/${below}`, base })
        return part
      })
    }
  }

  #findAnchors(schema: JsonObject, { at, base }: Place): void {
    const { $anchor, $dynamicAnchor, $recursiveAnchor, [this.#idKeyword]: id } = schema
    // Up to draft 7 an identifier that is a fragment was an anchor.
    const fragment = typeof id === 'string' ? /^[^#]*#([^/]+)$/.exec(id)?.[1] : undefined
    for (const name of [$anchor, $dynamicAnchor, fragment]) {
      const url = typeof name === 'string' ? absolute(`#${name}`, base) : null
      if (url !== null) this.#known.set(url.href, at)
    }
    const dynamic = $recursiveAnchor === true ? '' : $dynamicAnchor
    if (typeof dynamic !== 'string') return
    this.#dynamic.set(dynamic, [...(this.#dynamic.get(dynamic) ?? []), at])
  }

  baseOf(schema: JsonObject, above: string): string {
    const id = schema[this.#idKeyword]
    const url = typeof id === 'string' ? absolute(id, above) : null
    if (url === null) return above
    url.hash = ''
    return url.href
  }

  /** The pointer that a reference means; null where that is not known. */
  pointerTo(reference: string, base: string): string | null {
    const url = absolute(reference, base)
    const named = url === null ? undefined : this.#known.get(url.href)
    if (url === null || named !== undefined) return named ?? null
    const { hash } = url
    url.hash = ''
    const at = this.#known.get(url.href)
    const isPointer = hash === '' || hash.startsWith('#/')
    return at === undefined || !isPointer ? null : `${at}${hash.slice(1)}`
  }

  /** The same for one that looks for a name from outside; null where that may be several. */
  onePointerTo(reference: string, base: string): string | null {
    const at = this.pointerTo(reference, base)
    const [, name = ''] = /#([^/]*)$/.exec(reference) ?? []
    const others = this.#dynamic.get(name) ?? []
    return at !== null && others.includes(at) && others.length > 1 ? null : at
  }
}

const looking: ReadonlySet<string> = new Set(['$dynamicRef', '$recursiveRef'])
/** What stands in 2020-12 for what 2019-09 had no name for. */
const recursive = 'recursive'

function rewritten(schema: JsonObject, { at, base: above }: Place, places: Places): JsonObject {
  const base = places.baseOf(schema, above)
  const made: Record<string, JsonValue> = {}
  const found: JsonObject[] = []
  for (const [name, value] of Object.entries(schema)) {
    const isReference = typeof value === 'string'
    const one = isReference && looking.has(name) ? places.onePointerTo(value, base) : null
    if (one !== null) found.push({ $ref: one })
    else if (name === '$ref' && isReference) made[name] = places.pointerTo(value, base) ?? value
    else if (name === '$recursiveRef') made['$dynamicRef'] = `#${recursive}`
    else if (name === '$recursiveAnchor') made['$dynamicAnchor'] = recursive
    // With pointers there is nothing left that an anchor names.
    else if (name !== '$anchor') {
      made[name] = withParts(name, value, (part, below) => {
        return rewritten(part, { at: `${at}/${below}`, base }, places)
      })
    }
  }
  if (found.length === 0) return made
  const { allOf } = made
  return { ...made, allOf: [...(Array.isArray(allOf) ? allOf : []), ...found] }
}

function absolute(reference: string, base: string): URL | null {
  return URL.canParse(reference, base) ? new URL(reference, base) : null
}
