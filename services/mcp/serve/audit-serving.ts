// Where auditors come in: the pipes of this process for one of them, or HTTP on this machine for
// those whose token is of a principal that may read all of the log.
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { readerRefusal, type ReaderRefusal } from '#rules/catalog/doors/log-readers'
import { bearerEntry } from '#serving/bearer'
import { buckets, type Rate } from '#serving/buckets'
import { problemOf, problemType, Refusal, requestInvalid } from '#serving/problem'
import type { TokenBook } from '#serving/token-file'
import { servedPipes, type Pipes, type PipeServing } from '../client-pipes.ts'
import type { FrontOverHttp } from '../serving.ts'
import type { AskedLog } from './asked-log.ts'
import { auditServer } from './audit-server.ts'

/** Grows with the words, not with the package. */
const wordsVersion = '1.0.0'
/** A question is small; a change set that is tried may be larger. */
const requestBytesMax = 1024 * 1024

/** Serves one auditor over pipes: who may start the process may read the log. */
export function auditOverPipes(asked: AskedLog, pipes: Pipes): PipeServing {
  return servedPipes(() => auditServer(asked, wordsVersion), pipes, {
    timer: asked.timer,
    // A question that reads does not take longer than its bound; what it calls may be under way.
    answerMsMax: () => 2 * asked.bounds.msMax,
    onError: noting(asked),
    bytesMax: requestBytesMax,
  })
}

export interface AuditCallers {
  readonly tokens: TokenBook
  /** Of each principal. */
  readonly rate?: Rate
}

const rateDefault: Rate = { perSecond: 10, burst: 30 }
const subscriptionsMax = 16

/** Serves any number of them; each request is one of its own. */
export function auditOverHttp(
  asked: AskedLog,
  { tokens, rate = rateDefault }: AuditCallers,
): FrontOverHttp {
  const handler = createMcpHandler(() => auditServer(asked, wordsVersion), {
    onerror: noting(asked),
    maxRequestBodySize: requestBytesMax,
    maxSubscriptions: subscriptionsMax,
  })
  const bucket = buckets(rate, asked.clock)
  return {
    async fetch(request) {
      // A page in a browser of this machine must not reach it by another name.
      const foreign =
        hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
        originValidationResponse(request, localhostAllowedOrigins())
      if (foreign !== undefined) return foreign
      try {
        if (new URL(request.url).pathname !== '/mcp') {
          throw requestInvalid(404, 'MCP is at /mcp')
        }
        const authorization = request.headers.get('authorization') ?? undefined
        const { principal } = await bearerEntry(tokens, asked.clock, authorization)
        refuseUnread(asked, principal)
        const seconds = bucket.take(principal)
        if (seconds !== null) {
          const what = `\`${principal}\` sends more than ${rate.perSecond} HTTP requests a second`
          throw new Refusal(429, 'caller_busy', what, { retryAfter: seconds })
        }
        return await handler.fetch(request)
      } catch (error) {
        return refused(error)
      }
    },
    close: () => handler.close(),
  }
}

const reasons: Readonly<Record<ReaderRefusal, string>> = {
  unknown: 'the catalog does not know it',
  suspended: 'it is suspended',
  unassigned: 'it writes no rules, and the catalog does not assign the door `audit` to it',
}

/** Throws a Refusal 403 where the catalog does not let that principal read all of the log. */
function refuseUnread({ follower }: AskedLog, principal: string): void {
  const why = readerRefusal(follower.state.catalog, principal)
  if (why === null) return
  const what = `\`${principal}\` may not read this log: ${reasons[why]}`
  throw new Refusal(403, 'reader_refused', what, { reason: why })
}

function refused(error: unknown): Response {
  const problem = problemOf(error)
  const headers = new Headers({ 'content-type': problemType })
  if (problem.status === 401) headers.set('www-authenticate', 'Bearer realm="warrant"')
  if (error instanceof Refusal && error.retryAfter !== undefined) {
    headers.set('retry-after', String(error.retryAfter))
  }
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}

function noting({ logger }: AskedLog): (error: Error) => void {
  return (error) => logger.warn({ error }, 'a message could not be read')
}
