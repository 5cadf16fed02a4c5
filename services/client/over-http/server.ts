// One server over HTTP as a client sends to it: each request within its time, again where that is
// safe, and what it refuses as the fault that it names. It follows no redirect, since that could
// carry a credential to another host.
import { withoutEnd } from '#record/reading/text-end'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { isLoopback } from '#serving/loopback'
import { isFaultCode } from '#schemas/faults/registry'

export interface HttpServerOptions {
  readonly url: string
  /** ServerRequest as bearer; absent where proofs of a key take its place. */
  readonly token?: string
  /** Within which a request is answered that waits for nothing; 10 000 if absent. */
  readonly timeoutMs?: number
  /** Allows `http:` to another machine, where anyone on the way can read the token. */
  readonly plain?: boolean
  /** Sends in the place of the global `fetch`, such as through a proxy. */
  readonly fetch?: typeof globalThis.fetch
}

export interface ServerRequest {
  readonly method: 'GET' | 'POST'
  /** With its query. */
  readonly path: string
  readonly body?: object
  /** Made for each try: a proof is good once. */
  readonly headers?: () => Readonly<Record<string, string>>
  /** How much longer the server may take than for a request that waits for nothing. */
  readonly waitMs?: number
  /** Whether the same again changes nothing, so that it may be sent again. */
  readonly isSafe: boolean
  /** How long it is sent again; 10 000 ms if absent. */
  readonly tryMs?: number
  readonly signal?: AbortSignal | undefined
}

export interface ServerAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export interface HttpServer {
  /** Without a slash at the end. */
  readonly url: string
  /** Throws the fault that the server names, or `server_unreachable` or `answer_unread`. */
  send(sent: ServerRequest): Promise<ServerAnswer>
  /** The same for an answer that is read as it comes; once, and without a last moment. */
  open(
    sent: Pick<ServerRequest, 'method' | 'path' | 'body' | 'headers' | 'signal'>,
  ): Promise<Response>
  /** The server's time in milliseconds since 1970, by the date of its last answer. */
  now(): number
  /** Ends what is under way. */
  close(): void
}

/** A date in a header is of whole seconds, and an answer takes its time. */
const clockMsMin = 5_000

const timeoutMsDefault = 10_000
const tryMsDefault = 10_000
const pauseMsMin = 200
const pauseMsMax = 5_000

/** How far the server's clock is ahead; what was known before, where its answer lacks a date. */
function aheadOf({ headers }: Response, before: number): number {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) return before
  const ahead = date - Date.now()
  return Math.abs(ahead) < clockMsMin ? 0 : ahead
}

export function httpServer(options: HttpServerOptions): HttpServer {
  const { token, timeoutMs = timeoutMsDefault } = options
  const url = checkedUrl(options)
  const closing = new AbortController()
  let aheadMs = 0
  const request = async (
    sent: Omit<ServerRequest, 'isSafe' | 'waitMs'>,
    ends: readonly AbortSignal[],
  ) => {
    const { method, path, body, headers, signal } = sent
    const send = options.fetch ?? fetch
    return send(`${url}${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.any([closing.signal, ...ends, ...(signal === undefined ? [] : [signal])]),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers?.(),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  const once = async (sent: ServerRequest): Promise<ServerAnswer | Failed> => {
    const late = AbortSignal.timeout(timeoutMs + (sent.waitMs ?? 0))
    try {
      const response = await request(sent, [late])
      aheadMs = aheadOf(response, aheadMs)
      return answerOf(response, await response.text())
    } catch (error) {
      if (error instanceof Fault) throw error
      sent.signal?.throwIfAborted()
      if (closing.signal.aborted) throw new Fault('server_unreachable', 'this client is closed')
      return { fault: unreachable(url, error), isUntouched: false, pauseMs: null }
    }
  }
  return {
    url,
    now: () => Date.now() + aheadMs,
    async send(sent) {
      const end = performance.now() + (sent.tryMs ?? tryMsDefault)
      for (let backoff = pauseMsMin; ; backoff = Math.min(backoff * 2, pauseMsMax)) {
        const answered = await once(sent)
        if (!('fault' in answered)) return answered
        const { fault, isUntouched, pauseMs } = answered
        // Half of it is chance, so that many clients do not come back at once.
        const pause = pauseMs ?? backoff * (0.5 + Math.random() / 2)
        if (!(sent.isSafe || isUntouched) || performance.now() + pause > end) throw fault
        await paused(
          pause,
          AbortSignal.any([closing.signal, ...(sent.signal ? [sent.signal] : [])]),
        )
        sent.signal?.throwIfAborted()
      }
    },
    async open(sent) {
      try {
        const response = await request(sent, [])
        if (response.ok) return response
        const answered = answerOf(response, await response.text())
        throw 'fault' in answered ? answered.fault : unread(response.status)
      } catch (error) {
        if (error instanceof Fault) throw error
        sent.signal?.throwIfAborted()
        throw unreachable(url, error)
      }
    },
    close: () => closing.abort(),
  }
}

/** Why a try gave no answer, where another may. */
interface Failed {
  readonly fault: Fault
  /** Whether the server says that it has done nothing. */
  readonly isUntouched: boolean
  /** As the server wishes; null without a wish. */
  readonly pauseMs: number | null
}

const Problem = z.object({
  code: z.string(),
  detail: z.string(),
  retry: z.enum(['never', 'soon']),
  reason: z.string().optional(),
})

const goneAway: ReadonlySet<number> = new Set([502, 503, 504])

/** Throws a Fault that no other try would change. */
function answerOf({ status, headers, ok }: Response, text: string): ServerAnswer | Failed {
  const body = jsonIn(text)
  if (status === 304) return { status, headers, body: null }
  if (ok && body !== undefined) return { status, headers, body }
  const problem = Problem.safeParse(body)
  const isUntouched = status === 429
  const fault = problem.success ? faultOf(problem.data) : null
  if (fault === null && !isUntouched && !goneAway.has(status)) throw unread(status)
  if (fault !== null && fault.retry === 'never') throw fault
  const away = new Fault('server_unreachable', `the server answers ${status} for now`)
  const seconds = /^[0-9]{1,4}$/.exec(headers.get('retry-after') ?? '')?.[0]
  const pauseMs = seconds === undefined ? null : Math.min(Number(seconds) * 1_000, pauseMsMax)
  return { fault: fault ?? away, isUntouched, pauseMs }
}

/** Undefined where it is no JSON, as of a proxy that has an answer of its own. */
function jsonIn(text: string): unknown {
  try {
    return text === '' ? null : parseJson(text)
  } catch {
    return undefined
  }
}

/** Null for a code that this version does not know. */
function faultOf(problem: z.infer<typeof Problem>): Fault | null {
  const { code, detail, retry, reason } = problem
  if (!isFaultCode(code)) return null
  return new Fault(code, reason === undefined ? detail : `${detail} (${reason})`, { retry })
}

/** The fault that a problem in a stream of events names. */
export function faultIn(problem: unknown): Fault {
  const parsed = Problem.safeParse(problem)
  return (parsed.success ? faultOf(parsed.data) : null) ?? unread(200)
}

/** What an answer says, as that shape; throws a Fault `answer_unread` for any other. */
export function readAs<T>(schema: z.ZodType<T>, { status, body }: ServerAnswer): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw unread(status, parsed.error.issues[0]?.path.join('.'))
}

function unread(status: number, at = ''): Fault {
  const where = at === '' ? '' : ` at \`${at}\``
  return new Fault('answer_unread', `this client does not know such an answer (${status}${where})`)
}

function unreachable(url: string, error: unknown): Fault {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const cause = error instanceof Error ? error.cause : undefined
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  const why = isLate ? 'it did not answer in time' : typeof code === 'string' ? code : 'no answer'
  return new Fault('server_unreachable', `\`${url}\` cannot be reached: ${why}`, { cause: error })
}

async function paused(ms: number, signal: AbortSignal): Promise<void> {
  // What ends it is looked at by who goes on.
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

function checkedUrl({ url: given, plain = false }: HttpServerOptions): string {
  const url = URL.canParse(given) ? new URL(given) : null
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === null || !isHttp || url.username + url.password + url.search + url.hash !== '') {
    const what = 'a server is given as `https://host`, without credentials and query'
    throw new Fault('url_refused', what)
  }
  const isHere = isLoopback(url.hostname.replace(/^\[|\]$/g, ''))
  if (url.protocol === 'http:' && !isHere && !plain) {
    const what = `anyone on the way to \`${url.host}\` could read the token`
    throw new Fault('url_refused', `${what}: use \`https:\`, or allow it with \`plain: true\``)
  }
  return withoutEnd(url.href, /\//)
}
