// Tools behind HTTP: one request as the catalog writes it, redirects where it allows them, and an
// answer of bounded size. A secret must never go to another origin than the catalog names.
import type { IncomingMessage } from 'node:http'
import { describedRequest, httpRequest, type HttpRequest } from '#rules/drivers/http-request'
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { ToolCall, ToolDriver } from '#ports/tools'
import type { Driver } from '#schemas/action/driver'
import type { Happened } from '#schemas/action/tool-failure'
import { errorBeginning, resultOf } from './answer.ts'
import {
  exchanges,
  systemResolve,
  type Exchanges,
  type HttpOutgoing,
  type Resolve,
} from '#system/egress/exchange'
import { answeredBetween, guardedRun, guardedShow, type ToolAnswered } from './outcome.ts'
import type { Secrets } from './secrets.ts'
import { hostEntries, judgeUrl } from '#firewall/url-rules'

// Where a redirect leads, if it may be followed. It must never change a method, send what was
// meant for one origin to another, or reach a port that the catalog does not name.

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Those that keep the method and the body. */
const keeping: ReadonlySet<number> = new Set([307, 308])

/** Null where it is not followed. The URL is judged again when it is sent to. */
function nextHop(
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

export interface HttpOptions {
  readonly secrets: Secrets
  readonly resolve?: Resolve
  /** Certificates of authorities, instead of those of the system. */
  readonly ca?: readonly string[]
}

type HttpDriver = Extract<Driver, { kind: 'http' }>

export function httpDriver({ secrets, resolve = systemResolve, ca }: HttpOptions): ToolDriver {
  const closing = new AbortController()
  const sending = exchanges(resolve, ca)
  const read = ({ capability: { driver }, args }: ToolCall): [HttpDriver, HttpRequest] => {
    if (closing.signal.aborted || driver?.kind !== 'http') {
      throw new ToolFailure('driver_invalid', 'no')
    }
    return [driver, httpRequest(driver, args)]
  }
  const run = async (call: ToolCall): Promise<ToolAnswered> => {
    const [driver, request] = read(call)
    const signal = AbortSignal.any([call.signal, closing.signal])
    const headers = await headersOf(request, call, secrets)
    const { method, url, body } = request
    const mayShare = isSafe(method) || call.capability.execution?.idempotent === true
    const privateHosts = driver.privateHosts ?? []
    const outgoing = { method, url, headers, body, privateHosts, signal, mayShare }
    const answer = await followed(sending, outgoing, driver.redirects ?? 0)
    try {
      return await readAnswer(answer, { call, signal, secrets, method })
    } finally {
      answer.destroy()
    }
  }
  return {
    kind: 'http',
    describe: (call) => guardedShow(secrets, () => describedRequest(read(call)[1])),
    run: (call) => guardedRun(call, secrets, () => run(call)),
    async close() {
      closing.abort()
      sending.close()
    },
  }
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** What an answer that cannot be used leaves: of a request that only reads, nothing. */
function afterAnswer(method: string): Happened {
  return isSafe(method) ? 'yes' : 'unknown'
}

const headerText = /^[\t\x20-\x7e]*$/

async function headersOf(
  { headers }: HttpRequest,
  { capability, key }: ToolCall,
  secrets: Secrets,
): Promise<Readonly<Record<string, string>>> {
  const sent: Record<string, string> = {
    accept: 'application/json, text/*;q=0.9, */*;q=0.1',
    'user-agent': 'warrant',
  }
  for (const [name, text] of headers) {
    const value = await secrets.filled(text)
    // Arguments were judged before: what is unfit here came with a secret.
    if (!headerText.test(value)) throw new ToolFailure('secret_invalid', 'no', { header: name })
    sent[name] = value
  }
  // What is packed may unpack to more than anyone asked for.
  sent['accept-encoding'] = 'identity'
  if (capability.execution?.idempotent === true) sent['idempotency-key'] = key
  return sent
}

async function followed(
  sending: Exchanges,
  first: HttpOutgoing,
  redirectsMax: number,
): Promise<IncomingMessage> {
  let outgoing = first
  for (let hops = 0; ; hops += 1) {
    const answer = await afterHops(sending, outgoing, hops)
    const status = answer.statusCode ?? 0
    if (status < 300 || status > 399) return answer
    answer.destroy()
    const next = hops < redirectsMax ? nextHop(outgoing, answer, first) : null
    if (next === null) throw new ToolFailure('redirected', afterAnswer(first.method), { status })
    outgoing = next
  }
}

async function afterHops(sending: Exchanges, outgoing: HttpOutgoing, hops: number) {
  try {
    return await sending.send(outgoing)
  } catch (error) {
    // The server that was asked first has answered, whatever became of the next.
    if (!(error instanceof ToolFailure) || hops === 0 || error.happened !== 'no') throw error
    throw new ToolFailure(error.code, afterAnswer(outgoing.method), error.detail)
  }
}

async function readAnswer(
  answer: IncomingMessage,
  given: { call: ToolCall; signal: AbortSignal; secrets: Secrets; method: string },
): Promise<ToolAnswered> {
  const { signal, method } = given
  const status = answer.statusCode ?? 0
  if (status < 400) return resultOf(answer, { ...given, happened: afterAnswer(method) })
  const text = await errorBeginning(answer, signal)
  const happened = answeredBetween.has(status) ? afterAnswer(method) : 'yes'
  throw new ToolFailure('http_status', happened, { status, text })
}
