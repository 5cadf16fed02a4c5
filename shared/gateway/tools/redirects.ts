// Where a redirect leads, if it may be followed. It must never change a method, send what was
// meant for one origin to another, or reach a port that the catalog does not name.
import type { IncomingMessage } from 'node:http'
import { hostEntries, judgeUrl } from '#firewall/egress/url-rules'
import type { HttpOutgoing } from '#system/egress/exchange'

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Those that keep the method and the body. */
const keeping: ReadonlySet<number> = new Set([307, 308])

/** Null where it is not followed. The URL is judged again when it is sent to. */
export function nextHop(
  from: HttpOutgoing,
  { statusCode = 0, headers: { location } }: IncomingMessage,
  first: HttpOutgoing,
): HttpOutgoing | null {
  if (!redirects.has(statusCode) || location === undefined) return null
  if (!URL.canParse(location, from.url)) return null
  const target = new URL(location, from.url)
  target.hash = ''
  const before = new URL(from.url)
  const isSameOrigin = target.origin === before.origin
  if (before.protocol === 'https:' && target.protocol !== 'https:') return null
  const onlyReads = from.method === 'GET' || from.method === 'HEAD'
  // Another origin gets no body, and a method never becomes another.
  if (!onlyReads && !(keeping.has(statusCode) && isSameOrigin)) return null
  if (onlyReads && !isSameOrigin && from.body !== null) return null
  return {
    ...from,
    url: urlOf(location, before, target, narrowed(first)),
    headers: isSameOrigin ? from.headers : plainHeaders(from.headers),
    privateHosts: narrowed(first),
  }
}

/**
 * Where a host is not written in the one usual way, the text as it is: what sends judges it, and
 * refuses it. A reader of URLs would make the usual one of it.
 */
function urlOf(
  location: string,
  before: URL,
  target: URL,
  privateHosts: readonly string[],
): string {
  const isNamed = /^\s*(?:https?:)?[/\\]{2}/i.test(location)
  if (!isNamed) return target.host === before.host ? target.href : location
  const written = /^https?:/i.test(location) ? location : `${before.protocol}${location}`
  const { verdict } = judgeUrl(written, undefined, privateHosts)
  return verdict === 'block' ? written : target.href
}

/** None that the catalog wrote: each may hold a secret or an argument. */
function plainHeaders(headers: HttpOutgoing['headers']): HttpOutgoing['headers'] {
  const kept = ['accept-encoding', 'user-agent']
  const names = kept.filter((name) => Object.hasOwn(headers, name))
  return { accept: '*/*', ...Object.fromEntries(names.map((name) => [name, headers[name] ?? ''])) }
}

/** A host without a port was meant for the port that the catalog wrote, not for all. */
function narrowed({ url, privateHosts }: HttpOutgoing): readonly string[] {
  const { host, hostname, port, protocol } = new URL(url)
  const written = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
  return hostEntries(privateHosts).flatMap((entry) => {
    if (/:[0-9]+$/.test(entry)) return [entry]
    const own = entry === hostname ? [written] : []
    return [...own, `${entry}:80`, `${entry}:443`]
  })
}
