// The files of the page, and what every answer says to a browser: no script and no style but those
// of this server, no frame around it, and nothing sent anywhere else.
import type { Context, Hono } from 'hono'
import { isLoopback } from '#serving/loopback'
import type { PageFiles } from './pages.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const always: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), ' +
    'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/**
 * Of the worker that derives: it may compile schemas, as the page may not, and may reach nothing,
 * so whatever it is given stays there.
 */
const derivingPolicy = "default-src 'none'; script-src 'self' 'unsafe-eval'"
const derivingPath = '/deriving.js'

/** From then on, for a year, browsers come there by TLS alone. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000' }

/** Of every answer, files and JSON alike, where browsers address it so; names in lower case. */
export function consoleHeaders(url: string): Readonly<Record<string, string>> {
  const { protocol, hostname } = new URL(url)
  // At `localhost` it would hold for all that is served there.
  return protocol === 'https:' && !isLoopback(hostname) ? { ...always, ...strictTransport } : always
}

/** The same of the answer at that path. */
export function headersAt(path: string, url: string): Readonly<Record<string, string>> {
  if (path !== derivingPath) return consoleHeaders(url)
  return { ...consoleHeaders(url), 'content-security-policy': derivingPolicy }
}

/** Adds them at their paths, and the page itself at every view of it. */
export function addPages(app: Hono, files: PageFiles, url: () => string): void {
  app.get('*', async (c, next) => {
    // Passkeys work at `localhost` or over TLS alone, and a cookie of one name is not another’s.
    const elsewhere = placeFor(c, url())
    if (elsewhere !== null) return c.redirect(elsewhere, 307)
    const { path } = c.req
    const file = files.get(path) ?? (isView(path) ? files.get('/') : undefined)
    if (file === undefined) return next()
    if (path === derivingPath) c.header('content-security-policy', derivingPolicy)
    const etag = `"${file.digest.slice(7, 39)}"`
    c.header('etag', etag)
    c.header('cache-control', 'no-cache')
    if (c.req.header('if-none-match') === etag) return c.body(null, 304)
    c.header('content-type', file.type)
    return c.body(new Uint8Array(file.bytes))
  })
}

/** A path that the page itself makes sense of. */
function isView(path: string): boolean {
  return !path.startsWith('/console/') && !/\.[a-z0-9]+$/.test(path) && !isProbe(path)
}

function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz' || path === '/metrics'
}

function placeFor(c: Context, url: string): string | null {
  const { host, hostname } = new URL(url)
  if (!isLoopback(hostname) || isProbe(c.req.path)) return null
  const asked = c.req.header('host')?.toLowerCase() ?? ''
  if (asked === host || !isLoopback(asked.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))) return null
  const { pathname, search } = new URL(c.req.url)
  return `${url}${pathname.replace(/^\/+/, '/')}${search}`
}
