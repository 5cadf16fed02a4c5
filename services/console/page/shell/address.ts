// Where the page is, as its address says: a path and filters behind the `#`, so that every view is
// a link, and nothing of it is sent to a server. `/reviews/x?y=z` without `#` is understood too.
import { signal, type ReadonlySignal } from '@preact/signals'

export interface PagePlace {
  /** Between the slashes, decoded. */
  readonly path: readonly string[]
  readonly query: ReadonlyMap<string, string>
}

function placeOf(text: string): PagePlace {
  const [path = '', query = ''] = text.split('?', 2)
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: new Map(new URLSearchParams(query)),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const here = signal<PagePlace>(placeOf(''))

/** The present place. */
export const place: ReadonlySignal<PagePlace> = here

/** The address of a place, to be used as a link. */
export function linkTo(
  path: readonly string[],
  query: Readonly<Record<string, string>> = {},
): string {
  const filters = new URLSearchParams(query).toString()
  const written = path.map(encodeURIComponent).join('/')
  return `#/${written}${filters === '' ? '' : `?${filters}`}`
}

export function goTo(path: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  window.location.hash = linkTo(path, query)
  // The browser follows only later, and a key may be pressed before.
  here.value = placeOf(linkTo(path, query).slice(1))
}

/** Follows the address from now on. */
export function followAddress(): void {
  const { pathname, search, hash } = window.location
  if (pathname.length > 1 && hash === '') {
    window.history.replaceState(null, '', `/#${pathname}${search}`)
  }
  const read = (): void => {
    // A link that was made for one person is `#name=secret`.
    here.value = placeOf(window.location.hash.slice(1).replace(/^(\w+)=/, '$1/'))
  }
  window.addEventListener('hashchange', read)
  read()
}

/** Takes a secret out of the address, so that it stays in no history. */
export function forgetAddress(path: readonly string[]): void {
  window.history.replaceState(null, '', linkTo(path))
  here.value = placeOf(linkTo(path).slice(1))
}
