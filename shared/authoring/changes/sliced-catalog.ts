// A catalog file of very many principals, read a slice of them at a time, so that a million take
// little more memory than their catalog does. It must never read another catalog than the whole
// text gives.
import { z } from 'zod'
import { later } from '#schemas/later'
import { Principal, type CatalogFile } from '#schemas/catalog'
import { parseCatalogFile } from '#rules/catalog/catalog-file'
import { readJson } from '#record/json'
import { afterSpacesIn, colon, comma, endOfString, quote } from '#record/reading/json-scan'
import type { JsonLimits } from '#record/reading/json-scan'
import { joinedBytes } from '#record/reading/joined-bytes'
import { utf8 } from '#platform/bytes'

export interface SlicedCatalog {
  readonly file: CatalogFile
  /** As it is written, without the defaults. */
  readonly written: object
}

const Slice = later(() => z.array(Principal))
const Written = z.array(z.record(z.string(), z.unknown()))
const key = utf8('"principals"')
const [opening, closing] = [utf8('['), utf8(']')]
const shared = ['id', 'owner', 'roles', 'attributes', 'keys'] as const

/** Null where it has no such list, or anything is wrong with it: the whole text shows what. */
export function slicedCatalog(
  bytes: Uint8Array,
  limits: JsonLimits,
  sliceBytes: number,
): SlicedCatalog | null {
  const slices = slicesOf(bytes, sliceBytes)
  if (slices === null) return null
  const [first = 0, last = 0] = [slices[0]?.from, slices.at(-1)?.to]
  const rest = readJson(joinedBytes([bytes.subarray(0, first), bytes.subarray(last)]), limits)
  const parsed = rest.ok ? parseCatalogFile(rest.value) : null
  if (!rest.ok || parsed?.file === undefined || typeof rest.value !== 'object') return null
  const [principals, written, ids]: [Principal[], object[], Set<string>] = [[], [], new Set()]
  for (const { from, to } of slices) {
    const reading = readJson(joinedBytes([opening, bytes.subarray(from, to), closing]), limits)
    const raw = Written.safeParse(reading.ok ? reading.value : null)
    const slice = Slice.safeParse(reading.ok ? reading.value : null)
    // A slice without an entry is that of a comma too many.
    if (!slice.success || !raw.success || slice.data.length === 0) return null
    for (const [at, entry] of slice.data.entries()) {
      const principal = entry
      principals.push(principal)
      written.push(sharing(raw.data[at] ?? {}, principal))
      ids.add(principal.id)
    }
  }
  if (ids.size < principals.length) return null
  return { file: { ...parsed.file, principals }, written: { ...rest.value, principals: written } }
}

/** What is written, with the parts of what was made of it. */
function sharing(raw: Record<string, unknown>, principal: Principal): object {
  for (const part of shared) if (Object.hasOwn(raw, part)) raw[part] = principal[part]
  return raw
}

interface Span {
  readonly from: number
  readonly to: number
}

/** Of the list of principals, without the brackets around it and the commas between slices. */
function slicesOf(bytes: Uint8Array, sliceBytes: number): readonly Span[] | null {
  const slices: Span[] = []
  let [depth, from] = [0, 0]
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (byte === quote) {
      const list = from === 0 && depth === 1 ? beginOfList(bytes, index) : null
      index = list === null ? endOfString(bytes, index) : list - 1
      if (list !== null) [from, depth] = [list, 2]
    } else if (byte === 0x7b || byte === 0x5b) depth += 1
    else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1
      if (from > 0 && depth === 1) return [...slices, { from, to: index }]
    } else if (byte === comma && from > 0 && depth === 2 && index - from >= sliceBytes) {
      slices.push({ from, to: index })
      from = index + 1
    }
  }
  return null
}

/** The place after the bracket, where that string is the key of the list. */
function beginOfList(bytes: Uint8Array, from: number): number | null {
  if (!key.every((byte, at) => bytes[from + at] === byte)) return null
  const colonAt = afterSpacesIn(bytes, from + key.length)
  if (bytes[colonAt] !== colon) return null
  const begin = afterSpacesIn(bytes, colonAt + 1)
  return bytes[begin] === 0x5b ? begin + 1 : null
}
