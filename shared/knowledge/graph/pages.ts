// A list that is never changed: setting some of its places gives a new list, which shares all other
// pages with the old one. It costs the pages touched and one short array, never the whole list.

const pageBits = 8
const pageLength = 1 << pageBits

export interface Pages<T> {
  readonly length: number
  readonly pages: readonly (readonly (T | undefined)[])[]
}

export const noPages: Pages<never> = { length: 0, pages: [] }

export function pageAt<T>(list: Pages<T>, place: number): T | undefined {
  return list.pages[place >>> pageBits]?.[place & (pageLength - 1)]
}

/** The same list but for these places. Places never set, or set to undefined, are holes. */
export function withPlaces<T>(
  list: Pages<T>,
  places: ReadonlyMap<number, T | undefined>,
  length: number,
): Pages<T> {
  const pages = [...list.pages]
  const copied = new Map<number, (T | undefined)[]>()
  for (const [place, value] of places) {
    const index = place >>> pageBits
    let page = copied.get(index)
    if (page === undefined) {
      page = [...(pages[index] ?? [])]
      copied.set(index, page)
    }
    // A page has no gaps inside: a hole is undefined, so that its array stays dense and quick.
    while (page.length <= (place & (pageLength - 1))) page.push(undefined)
    page[place & (pageLength - 1)] = value
  }
  while (pages.length << pageBits < length) pages.push([])
  for (const [index, page] of copied) pages[index] = page
  return { length, pages }
}
