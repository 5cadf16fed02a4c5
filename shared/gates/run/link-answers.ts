// Asks whether links are there, by the rules for outbound URLs: each address is judged and dialled
// as it was judged, redirects are followed by hand and judged again, and no body is read. It must
// never take what proves nothing for an answer.
import { exchanges, systemResolve, type Resolve } from '#system/egress/exchange'
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { LinkAnswer } from '#work/verification/text-gates'

/** `privateHosts` are the operator's own. */
export interface LinkWorld {
  readonly resolve?: Resolve
  readonly privateHosts?: readonly string[]
}

const atOnceMax = 8
const oneLinkMs = 10_000
const allLinksMs = 60_000
const hopsMax = 5
/** A resolver that answers at all knows this one. */
const knownHost = 'example.com'

export async function askLinks(
  links: readonly string[],
  { resolve = systemResolve, privateHosts = [] }: LinkWorld,
): Promise<ReadonlyMap<string, LinkAnswer>> {
  const unknownHosts = new Set<string>()
  const sending = exchanges(async (host) => {
    try {
      return await resolve(host)
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null
      // That a name does not exist is an answer; that no resolver did answer proves nothing.
      if (code === 'ENOTFOUND') unknownHosts.add(host)
      throw error
    }
  })
  let known: Promise<boolean> | null = null
  const knowsNames = (): Promise<boolean> => {
    known ??= resolve(knownHost).then(
      () => true,
      () => false,
    )
    return known
  }
  const all = AbortSignal.timeout(allLinksMs)
  const answers = new Map<string, LinkAnswer>()
  const waiting = [...links]
  const work = async (): Promise<void> => {
    for (let link = waiting.shift(); link !== undefined; link = waiting.shift()) {
      const signal = AbortSignal.any([all, AbortSignal.timeout(oneLinkMs)])
      const asking = { sending, privateHosts, signal, unknownHosts, knowsNames }
      answers.set(link, await answerFor(link, asking))
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnceMax }, work))
  } finally {
    sending.close()
  }
  return answers
}

interface Asking {
  readonly sending: ReturnType<typeof exchanges>
  readonly privateHosts: readonly string[]
  readonly signal: AbortSignal
  readonly unknownHosts: ReadonlySet<string>
  /** A resolver that knows no name at all shows nothing by knowing none. */
  readonly knowsNames: () => Promise<boolean>
}

async function answerFor(link: string, asking: Asking): Promise<LinkAnswer> {
  let url = link
  try {
    for (let hop = 0; hop <= hopsMax; hop += 1) {
      const { status, location } = await statusOf(url, asking)
      if (status === 404 || status === 410) return 'unreachable'
      if (status >= 400) return 'unknown'
      if (status < 300 || location === undefined) return 'reachable'
      if (!URL.canParse(location, url)) return 'unknown'
      url = new URL(location, url).href
    }
    return 'unknown'
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    if (error.code === 'url_blocked') return 'blocked'
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    const isUnknown = error.code === 'unresolved' && asking.unknownHosts.has(host)
    return isUnknown && (await asking.knowsNames()) ? 'unreachable' : 'unknown'
  }
}

/** Where this method is not answered, a first byte is asked for. */
const noHead: ReadonlySet<number> = new Set([403, 405, 501])

async function statusOf(url: string, { sending, privateHosts, signal }: Asking) {
  const send = async (method: string, headers: Readonly<Record<string, string>>) => {
    const answer = await sending.send({
      method,
      url,
      headers: { accept: '*/*', 'user-agent': 'warrant', ...headers },
      body: null,
      privateHosts,
      signal,
      mayShare: false,
    })
    const { statusCode: status = 0, headers: answered } = answer
    answer.destroy()
    return { status, location: answered.location }
  }
  const first = await send('HEAD', {})
  return noHead.has(first.status) ? send('GET', { range: 'bytes=0-0' }) : first
}
