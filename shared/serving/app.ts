// What every server of requests here begins with: what a body may be, how
// a refusal looks, and what is answered where nothing is.
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import { readJson } from '#record/json'
import type { Logger } from '#runtime/reporting/logger'
import { problemOf, problemType, Refusal, requestInvalid, type HttpProblem } from './problem.ts'

export interface ServedBy {
  readonly logger: Logger
  /** Throws a Fault where no more requests are taken; called before each of a caller. */
  readonly admit: () => void
  /** The paths at which callers ask, where those are others than `/v1` and `/access/v1`. */
  readonly asked?: RegExp
  /** The header `WWW-Authenticate` of a 401. */
  readonly challenge: (problem: HttpProblem) => string
  /** The beginning of the paths whose bodies may be longer than others, and how long. */
  readonly longer?: { readonly path: string; readonly bytesMax: number }
}

/** Of a request, with what it may stand in: a body deeper or longer than this is not read. */
const bodyBytesMax = 65_536
const depthMax = 32

const askedDefault = /^\/(?:access\/)?v1\//

/** An app without routes. */
export function appServed(by: ServedBy): Hono {
  const app = new Hono()
  app.onError((error, c) => refused(c, by, error))
  const { asked = askedDefault } = by
  app.use((c, next) => {
    if (asked.test(c.req.path)) by.admit()
    return next()
  })
  const { longer } = by
  const [short, long] = [upTo(bodyBytesMax), upTo(longer?.bytesMax ?? bodyBytesMax)]
  app.use((c, next) => {
    const isLonger = longer !== undefined && c.req.path.startsWith(longer.path)
    return (isLonger ? long : short)(c, next)
  })
  app.notFound((c) => refused(c, by, requestInvalid(404, 'there is nothing at this path')))
  return app
}

function upTo(maxSize: number): MiddlewareHandler {
  const onError = (): never => {
    throw requestInvalid(413, `the body is larger than ${maxSize} bytes`)
  }
  const counted = bodyLimit({ maxSize, onError })
  return (c, next) => {
    // A body in pieces is counted as it comes. Of any other Node reads as much as its length says,
    // and to look at it here would make a second request of each.
    if (c.req.header('transfer-encoding') !== undefined) return counted(c, next)
    return Number(c.req.header('content-length') ?? 0) > maxSize ? onError() : next()
  }
}

/** Refuses every other method at those paths; called after their routes. */
export function onlyAnswered(
  app: Hono,
  by: ServedBy,
  { method, paths }: { readonly method: string; readonly paths: readonly string[] },
): void {
  for (const path of paths) {
    app.all(path, (c) => {
      c.header('allow', method)
      return refused(c, by, requestInvalid(405, `only ${method} is answered here`))
    })
  }
}

/**
 * The body, as JSON of that shape, which may go by what it has; undefined where there is none.
 * Throws a Refusal.
 */
export async function bodyOf<T>(
  c: Context,
  shape: z.ZodType<T> | ((value: unknown) => z.ZodType<T>),
  bytesMax = bodyBytesMax,
  valuesMax = bytesMax,
): Promise<T> {
  const bytes = new Uint8Array(await c.req.arrayBuffer())
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (bytes.length > 0 && type !== 'application/json') {
    throw requestInvalid(415, 'send `Content-Type: application/json`')
  }
  const read = bytes.length === 0 ? null : readJson(bytes, { bytesMax, depthMax, valuesMax })
  if (read?.ok === false) {
    const { code, at } = read
    const where = at === undefined ? '' : ` (${at.slice(0, 200)})`
    throw requestInvalid(400, `the body cannot be read: ${code}${where}`)
  }
  const schema = typeof shape === 'function' ? shape(read?.value) : shape
  const parsed = schema.safeParse(read?.value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const [unknown] = issue?.code === 'unrecognized_keys' ? issue.keys : []
  const path = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])]
  const at = path.map(String).join('/').slice(0, 64)
  const what = at === '' ? 'an object was expected' : `\`${at}\``
  throw requestInvalid(400, `the body is not what is expected: ${what}`)
}

/** Whether the client asks for that type by its name. */
export function accepts(c: Context, type: string): boolean {
  const wanted = c.req.header('accept') ?? ''
  return wanted.split(',').some((one) => one.split(';', 1)[0]?.trim().toLowerCase() === type)
}

/** Writes a line about a request that failed: an error where the fault is ours. */
export function noteRequest({ logger }: Pick<ServedBy, 'logger'>, error: unknown): void {
  const { code } = problemOf(error)
  if (code === 'unexpected') logger.error({ error }, 'a request failed')
  else logger.debug({ code }, 'a request was refused')
}

const retryAfterDefault = 1

/** In how many seconds the same may succeed; null where nothing says that it may. */
function retryAfter(error: unknown, status: number): number | null {
  if (error instanceof Refusal && error.retryAfter !== undefined) return error.retryAfter
  return status === 429 || status === 503 ? retryAfterDefault : null
}

/** The answer to a request that is refused, as a problem. */
function refused(c: Context, by: ServedBy, error: unknown): Response {
  noteRequest(by, error)
  const problem = problemOf(error)
  const headers = new Headers({ 'content-type': problemType })
  const allow = c.res.headers.get('allow')
  if (allow !== null) headers.set('allow', allow)
  const wait = retryAfter(error, problem.status)
  if (wait !== null) headers.set('retry-after', String(wait))
  if (problem.status === 401) headers.set('www-authenticate', by.challenge(problem))
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}
