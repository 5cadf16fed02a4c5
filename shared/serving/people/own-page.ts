// Whether a request with a cookie comes from a page of this server: browsers send cookies whichever
// page asks, so a cookie alone never shows that its person meant it.
import type { Context } from 'hono'
import { createHash, timingSafeEqual } from 'node:crypto'
import { Refusal, requestInvalid } from '../problem.ts'

const csrfHeader = 'x-csrf-token'
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export interface OwnPage {
  /** Where clients address the server. */
  readonly url: string
  readonly csrf: string
  /** Where a page learns it. */
  readonly session: string
}

/** Throws a Refusal 403 `csrf_refused`. */
export function refuseOtherPages(c: Context, { url, csrf, session }: OwnPage): void {
  const origin = c.req.header('origin')
  const isOwn = origin === new URL(url).origin
  if (reading.has(c.req.method)) {
    // A page of the same site gets a cookie to send along; what it may ask, it asks with a token.
    if (origin === undefined || isOwn) return
    throw refused('the page is of another origin')
  }
  refuseOtherOrigin(c, url)
  const given = c.req.header(csrfHeader) ?? ''
  if (!isEqual(given, csrf)) throw refused(`\`${csrfHeader}\` is not what \`${session}\` has`)
}

/** Of a write without a session yet. Throws a Refusal 403 `csrf_refused`. */
export function refuseOtherOrigin(c: Context, url: string): void {
  if (c.req.header('origin') === new URL(url).origin) return
  throw refused('no `Origin` says that the page is of this server')
}

function refused(what: string): Refusal {
  return new Refusal(403, 'csrf_refused', `the cookie does not count: ${what}`)
}

function isEqual(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/**
 * Where the browser goes afterwards: a path of this server, and nothing that a browser could read
 * as another host. Throws a Refusal 400.
 */
export function pathWithin(url: string, asked: string): string {
  const isPath = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(asked) && asked.length <= 1024
  const { origin } = new URL(url)
  if (isPath && URL.canParse(asked, origin)) {
    const to = new URL(asked, origin)
    if (to.origin === origin && !to.pathname.startsWith('//')) {
      return `${to.pathname}${to.search}${to.hash}`
    }
  }
  throw requestInvalid(400, '`return_to` takes a path of this server')
}
