// Whether a request was meant for this server: by the host that it names, since a page in a browser
// can point a name of its own at any address, and by the origin of the page that sends it.
import type { Context } from 'hono'
import type { Listen } from './listening.ts'
import { isLoopback } from './loopback.ts'
import { Refusal } from './problem.ts'

export interface AnsweredFor {
  readonly listen: Listen
  /** Where it listens, with the port that it has. */
  readonly url: string
  /** Where clients address it, if that is another place. */
  readonly publicUrl: string | null
  /** The origins of pages that may ask. */
  readonly origins: readonly string[]
  /** Whether pages of this server may, for the people who are signed in. */
  readonly ownPages: boolean
}

/** Throws a Refusal for a request to another host, or from a page that is not answered. */
export function refuseStray(c: Context, of: AnsweredFor): void {
  const host = c.req.header('host')?.toLowerCase() ?? ''
  if (!hostsOf(of).has(host)) {
    throw new Refusal(421, 'host_refused', 'the request names another host than this server')
  }
  const origin = c.req.header('origin')
  const isOwn = of.ownPages && origin === new URL(of.publicUrl ?? of.url).origin
  if (origin !== undefined && !isOwn && !of.origins.includes(origin)) {
    throw new Refusal(403, 'origin_refused', 'no page of that origin may ask here')
  }
}

const hostsKnown = new WeakMap<AnsweredFor, ReadonlySet<string>>()

function hostsOf(of: AnsweredFor): ReadonlySet<string> {
  const known = hostsKnown.get(of)
  if (known !== undefined) return known
  const { port, host, protocol } = new URL(of.url)
  const names = isLoopback(of.listen.host) ? ['localhost', '127.0.0.1', '[::1]'] : []
  const isUsual = port === '' || port === (protocol === 'https:' ? '443' : '80')
  const here = names.flatMap((name) => (isUsual ? [name, `${name}:${port}`] : [`${name}:${port}`]))
  const there = of.publicUrl === null ? [] : [new URL(of.publicUrl).host]
  const hosts = new Set([host, ...here, ...there].map((one) => one.toLowerCase()))
  hostsKnown.set(of, hosts)
  return hosts
}
