// A catalog file of very many principals, read a slice of them at a time, so that a million take
// little more memory than their catalog does. It must never read another catalog than the whole
// text gives.
import { z } from 'zod'
import { later } from '#schemas/later'
import { Principal, type CatalogFile } from '#schemas/catalog'
import { parseCatalogFile } from '#rules/catalog/catalog-file'
import { Packing } from '#rules/catalog/packed-map'
import { packingPrincipals, partsPool } from '#rules/catalog/people/held-principals'
import { readJson } from '#record/json'
import { afterSpacesIn, colon, comma, endOfString, quote } from '#record/reading/json-scan'
import type { JsonLimits } from '#record/reading/json-scan'
import { joinedBytes } from '#record/reading/joined-bytes'
import { utf8 } from '#platform/bytes'

/** What a catalog file says. Its principals may be very many. */
export interface SeedCatalog extends Readonly<Omit<CatalogFile, 'principals'>> {
  readonly principals: ReadonlyMap<string, Principal>
}

export interface SlicedCatalog {
  readonly file: SeedCatalog
  readonly written: WrittenCatalog
}

/** As one file, with all of them in a list. */
export function fileOfSeed(catalog: SeedCatalog): CatalogFile {
  return { ...catalog, principals: [...catalog.principals.values()] }
}

/** As it is written, without the defaults. */
export interface WrittenCatalog {
  readonly settings: object
  readonly principals: ReadonlyMap<string, WrittenPrincipal>
}

interface WrittenPrincipal {
  readonly id: string
}

/** A file that is read as a whole. */
export function wholeCatalogOf(file: CatalogFile, written: object): SlicedCatalog {
  const { principals: list, ...settings } = Top.parse(written)
  const raw = Written.parse(list ?? [])
  return {
    file: { ...file, principals: new Map(file.principals.map((one) => [one.id, one])) },
    written: { settings, principals: new Map(raw.map((one) => [one.id, one])) },
  }
}

const Slice = later(() => z.array(Principal))
const Top = z.looseObject({ principals: z.unknown().optional() })
const Written = z.array(z.looseObject({ id: z.string() }))
const key = utf8('"principals"')
const [opening, closing] = [utf8('['), utf8(']')]
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
  const top = Top.safeParse(rest.ok ? rest.value : null)
  if (parsed?.file === undefined || !top.success) return null
  const principals = packingPrincipals()
  const written = new Packing(partsPool<WrittenPrincipal>())
  let count = 0
  for (const { from, to } of slices) {
    const reading = readJson(joinedBytes([opening, bytes.subarray(from, to), closing]), limits)
    const raw = Written.safeParse(reading.ok ? reading.value : null)
    const slice = Slice.safeParse(reading.ok ? reading.value : null)
    // A slice without an entry is that of a comma too many.
    if (!slice.success || !raw.success || slice.data.length === 0) return null
    for (const entry of slice.data) principals.add(entry)
    for (const entry of raw.data) written.add(entry)
    count += slice.data.length
  }
  const all = principals.held()
  if (all.size < count) return null
  const { principals: _, ...settings } = top.data
  return {
    file: { ...parsed.file, principals: all },
    written: { settings, principals: written.held() },
  }
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
