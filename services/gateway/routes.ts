// What a gateway answers over HTTP. It parses, checks who calls, and hands over: what may be done
// is decided nowhere here.
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { frameModes } from '#core/firewall/frame'
import type { Json } from '#core/kernel/canonical'
import { Fault } from '#core/kernel/fault'
import { readJson } from '#core/kernel/json'
import { jwksOf } from '#core/warrants/jwk'
import { askHead } from '#runtime/operations/head'
import type { Runtime } from '#runtime/engine/runtime'
import type { AnsweringGateway, CallAnswer } from '#runtime/gateway/answering'
import { mintedToken, type Issuer } from '#runtime/verdicts/minting'
import type { Proving } from '#runtime/verdicts/proving'
import type { JsonObject } from '#schemas/catalog'
import {
  presentedWarrant,
  provenHolder,
  type Credentials,
  type Doorway,
  type PresentedWarrant,
} from './presented.ts'
import { problemOf, problemType, requestInvalid } from './problem.ts'
import { usedProofs } from './used-proofs.ts'

export interface RoutesOf {
  readonly runtime: Runtime
  readonly gateway: AnsweringGateway
  /** What requests are addressed to, without a slash at the end. */
  readonly url: () => string
  /** Null where tokens are minted elsewhere. */
  readonly minting: { readonly issuer: Issuer; readonly proving: Proving } | null
  readonly audience?: string
  /** Whether it takes no more requests. */
  readonly isDraining: () => boolean
}

const bodyBytesMax = 65_536
const lagFactsMax = 1_000
const jsonLimits = { bytesMax: bodyBytesMax, depthMax: 32 }

const CallBody = z.strictObject({
  intent: z.string().min(1).max(1024),
  mode: z.enum(frameModes).optional(),
  dryRun: z.boolean().optional(),
})

export function routesOf(of: RoutesOf): Hono {
  const { runtime, gateway, audience } = of
  const door: Doorway = { runtime, used: usedProofs(), audience }
  const app = new Hono()
  app.onError((error, c) => refused(c, of, error))
  app.use(async (c, next) => {
    if (of.isDraining() && c.req.path.startsWith('/v1/')) {
      throw new Fault('gateway_closed', 'this gateway is closing')
    }
    await next()
    c.header('cache-control', 'no-store')
    c.header('x-content-type-options', 'nosniff')
  })
  const tooLarge = (): never => {
    throw requestInvalid(413, `the body is larger than ${bodyBytesMax} bytes`)
  }
  app.use(bodyLimit({ maxSize: bodyBytesMax, onError: tooLarge }))
  app.post('/v1/calls', async (c) => {
    const { intent, mode, dryRun } = await bodyOf(c, CallBody)
    const warrant = await presentedWarrant(door, credentialsOf(c, of, '/v1/calls'), intent)
    const call = { intent, presenter: warrant.agent }
    if (dryRun === true) {
      const would = await gateway.dryRun(call)
      return c.json({ ...would, constraints: warrant.constraints })
    }
    const calling = { ...call, ...(mode !== undefined && { mode }) }
    return answered(c, of, { calling, warrant })
  })
  app.post('/v1/warrants/:intent', async (c) => {
    await bodyOf(c, z.strictObject({}).optional())
    const intent = c.req.param('intent')
    const path = `/v1/warrants/${encodeURIComponent(intent)}`
    const presenter = provenHolder(door, credentialsOf(c, of, path))
    return c.json(await mintedFor(of, { intent, presenter }))
  })
  app.post('/v1/handles/:id', async (c) => {
    const query = await bodyOf(c, z.looseObject({}).optional())
    const handle = c.req.param('id')
    const path = `/v1/handles/${encodeURIComponent(handle)}`
    const caller = provenHolder(door, credentialsOf(c, of, path))
    return c.json({ frame: await gateway.expand({ handle, caller, query: query ?? {} }) })
  })
  app.get('/.well-known/jwks.json', (c) => c.json(jwksOf(runtime.follower.state.catalog)))
  watched(app, of)
  const only = (method: string) => (c: Context) => {
    c.header('allow', method)
    return refused(c, of, requestInvalid(405, `only ${method} is answered here`))
  }
  for (const path of ['/v1/calls', '/v1/warrants/:intent', '/v1/handles/:id']) {
    app.all(path, only('POST'))
  }
  for (const path of ['/.well-known/jwks.json', '/healthz', '/readyz']) app.all(path, only('GET'))
  app.notFound((c) => refused(c, of, requestInvalid(404, 'there is nothing at this path')))
  return app
}

function watched(app: Hono, { runtime, isDraining }: RoutesOf): void {
  const { follower, log, timer } = runtime
  const head = askHead(log, timer)
  app.get('/healthz', (c) => {
    const code = follower.failure?.code
    return code === undefined
      ? c.json({ healthy: true })
      : c.json({ healthy: false, problems: [{ check: 'follower', detail: code }] }, 503)
  })
  app.get('/readyz', async (c) => {
    const not = (check: string, detail: string) => {
      return c.json({ ready: false, problems: [{ check, detail }] }, 503)
    }
    if (isDraining()) return not('running', 'it is draining')
    if (follower.failure !== null) return not('follower', follower.failure.code)
    const last = await head()
    if (last === null) return not('log', 'it does not answer within a second')
    const { position } = follower.state
    const lag = Math.max(0, last.position - position)
    if (lag > lagFactsMax) return not('lag', `${lag} facts are not folded yet`)
    return c.json({ ready: true, position, lag })
  })
}

interface Calling {
  readonly calling: Pick<Parameters<AnsweringGateway['call']>[0], 'intent' | 'presenter' | 'mode'>
  readonly warrant: PresentedWarrant
}

// What has begun goes on, whether or not the client stays: its outcome is recorded.
function answered(c: Context, of: RoutesOf, { calling, warrant }: Calling) {
  const { constraints, digest: token } = warrant
  const call = (onPart?: (part: Json) => void): Promise<CallAnswer> =>
    of.gateway.call({ ...calling, token, constraints, ...(onPart !== undefined && { onPart }) })
  if (!accepts(c, 'text/event-stream')) return call().then((answer) => c.json(answer))
  return streamSSE(c, async (stream) => {
    let said = Promise.resolve()
    const say = (event: string, data: unknown): void => {
      said = said.then(() => stream.writeSSE({ event, data: JSON.stringify(data) }))
    }
    try {
      say('answer', await call((part) => say('part', part)))
    } catch (error) {
      note(of, error)
      say('problem', problemOf(error))
    }
    await said
  })
}

function accepts(c: Context, type: string): boolean {
  const wanted = c.req.header('accept') ?? ''
  return wanted.split(',').some((one) => one.split(';', 1)[0]?.trim().toLowerCase() === type)
}

/** Only for the agent of the intent, and only what a gateway would carry out. */
async function mintedFor(
  { runtime, gateway, minting, audience }: RoutesOf,
  call: { readonly intent: string; readonly presenter: string },
): Promise<JsonObject> {
  if (minting === null) throw new Fault('issuer_unknown', 'this gateway mints no warrants')
  await gateway.dryRun(call)
  const of = { ...minting, ...(audience !== undefined && { audience }) }
  const { token, claims } = await mintedToken(runtime, call.intent, of)
  return { token, token_type: 'DPoP', expires_at: new Date(claims.exp * 1000).toISOString() }
}

async function bodyOf<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const bytes = new Uint8Array(await c.req.arrayBuffer())
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (bytes.length > 0 && type !== 'application/json') {
    throw requestInvalid(415, 'send `Content-Type: application/json`')
  }
  const read = bytes.length === 0 ? null : readJson(bytes, jsonLimits)
  if (read?.ok === false) throw requestInvalid(400, `the body cannot be read: ${read.code}`)
  const parsed = schema.safeParse(read?.value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]
  const what = at === undefined ? 'an object was expected' : `\`${String(at).slice(0, 64)}\``
  throw requestInvalid(400, `the body is not what is expected: ${what}`)
}

function credentialsOf(c: Context, { url }: RoutesOf, path: string): Credentials {
  return {
    authorization: c.req.header('authorization'),
    dpop: c.req.header('dpop'),
    target: { method: c.req.method, url: `${url()}${path}` },
  }
}

function note({ runtime }: RoutesOf, error: unknown): void {
  const { code } = problemOf(error)
  if (code === 'unexpected') runtime.logger.error({ error }, 'a request failed')
  else runtime.logger.debug({ code }, 'a request was refused')
}

function refused(c: Context, of: RoutesOf, error: unknown): Response {
  note(of, error)
  const problem = problemOf(error)
  const { status, code, reason } = problem
  const headers = new Headers({ 'content-type': problemType, 'cache-control': 'no-store' })
  const allow = c.res.headers.get('allow')
  if (allow !== null) headers.set('allow', allow)
  if (status === 401) {
    const isDpop = code === 'dpop_used' || reason?.startsWith('dpop_') === true
    const name = isDpop ? 'invalid_dpop_proof' : 'invalid_token'
    headers.set('www-authenticate', `DPoP algs="EdDSA", error="${name}"`)
  }
  return new Response(JSON.stringify(problem), { status, headers })
}
