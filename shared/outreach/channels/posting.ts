// One post to a service that takes messages: to an address that was judged, without redirects, and
// of the answer no more than its status.
import { exchanges, type Exchanges, type Resolve, systemResolve } from '#system/egress/exchange'
import { ChannelFailure } from '#ports/channels'
import { channelFailureOf } from './failures.ts'

export interface PostingOptions {
  readonly resolve?: Resolve
  /** The operator's own hosts, which may have private addresses. */
  readonly privateHosts?: readonly string[]
  /** Certificates of authorities, instead of those of the system. */
  readonly ca?: readonly string[]
}

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly signal: AbortSignal
}

export interface Posting {
  post(post: Post): Promise<void>
  close(): void
}

/** With these there is no one any more at that address. */
const goneStatuses: ReadonlySet<number> = new Set([404, 410])
const unauthorizedStatuses: ReadonlySet<number> = new Set([401, 403])

export function posting({
  resolve = systemResolve,
  privateHosts = [],
  ca,
}: PostingOptions): Posting {
  const closing = new AbortController()
  const sending = exchanges(resolve, ca)
  return {
    async post(post) {
      if (closing.signal.aborted) throw new ChannelFailure('unavailable', true)
      const signal = AbortSignal.any([post.signal, closing.signal])
      const failure = failureWith(await statusOf(sending, { ...post, signal }, privateHosts))
      if (failure !== null) throw failure
    },
    close() {
      closing.abort()
      sending.close()
    },
  }
}

async function statusOf(
  sending: Exchanges,
  { url, headers, body, signal }: Post,
  privateHosts: readonly string[],
): Promise<number> {
  // Nothing may go out once it is too late, not even a question for an address.
  if (signal.aborted) throw new ChannelFailure('timed_out', true)
  try {
    const outgoing = { method: 'POST', url, headers, body, privateHosts, signal, mayShare: false }
    const answer = await sending.send(outgoing)
    answer.destroy()
    return answer.statusCode ?? 0
  } catch (error) {
    throw channelFailureOf(error)
  }
}

function failureWith(status: number): ChannelFailure | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return new ChannelFailure('redirected', false)
  if (status === 429) return new ChannelFailure('rate_limited', true)
  if (status === 408 || status >= 500) return new ChannelFailure('unavailable', true)
  if (goneStatuses.has(status)) return new ChannelFailure('gone', false)
  if (unauthorizedStatuses.has(status)) return new ChannelFailure('unauthorized', false)
  return new ChannelFailure(status < 200 ? 'protocol_error' : 'refused', false)
}

/**
 * Whether the address leads over TLS to one of the known hosts, where `*.example.org` stands for
 * all below it, or to one of the operator's own.
 */
export function isHostOf(
  url: string,
  known: readonly string[],
  own: readonly string[] = [],
): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, host, protocol } = new URL(url)
  if (own.includes(host) || own.includes(hostname)) return true
  return protocol === 'https:' && known.some((each) => isBelow(host, each))
}

function isBelow(host: string, known: string): boolean {
  return known.startsWith('*.') ? host.endsWith(known.slice(1)) : host === known
}
