// What a gateway answers over HTTP. It parses, checks who calls, and hands over: what may be done
// is decided nowhere here.
import type { Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { frameModes } from '#firewall/frame'
import { type Json, canonical, jsonOf } from '#record/canonical'
import { Fault } from '#record/fault'
import { jwksOf, thumbprintOf } from '#messages/warrants/jwk'
import { addReadiness } from '#health/ready'
import type { AnsweringGateway, CallAnswer } from '#gateway/answering'
import { accepts, appServed, bodyOf, noteRequest, onlyAnswered } from '#serving/app'
import { problemOf, type HttpProblem, Refusal, tokenRefused } from '#serving/problem'
import { mintedToken, type Issuer, claimsAbout } from '#replay/verdicts/minting'
import type { ServedLog } from '#wiring/own-gateway'
import type { JsonObject, Principal } from '#schemas/catalog'
import type { ServedLogs } from './served-logs.ts'
import { usedProofs, type UsedProofs } from './used-proofs.ts'
import { digestOf } from '#record/digest'
import { partsInRealm } from '#record/names'
import { audienceOf } from '#messages/warrants/claims'
import { keyOfDpop, readDpop, type Target } from '#messages/warrants/dpop'
import { verifyWarrant } from '#messages/warrants/verify'
import type { Catalog } from '#rules/catalog/catalog'

export interface RoutesOf {
  readonly logs: ServedLogs
  /** What requests are addressed to, without a slash at the end. */
  readonly url: () => string
  /** Null where tokens are minted elsewhere. */
  readonly issuer: Issuer | null
  readonly audience?: string
  /** Whether it takes no more requests. */
  readonly isDraining: () => boolean
}

const CallBody = z.strictObject({
  intent: z.string().min(1).max(1024),
  mode: z.enum(frameModes).optional(),
  dryRun: z.boolean().optional(),
})

export function routesOf(of: RoutesOf): Hono {
  const { logs, audience } = of
  const door: Doorway = { logs, used: usedProofs(), audience }
  const by = {
    logger: logs.first.runtime.logger,
    challenge,
    admit() {
      if (of.isDraining()) throw new Fault('gateway_closed', 'this gateway is closing')
    },
  }
  const app = appServed(by)
  app.post('/v1/calls', async (c) => {
    const { intent, mode, dryRun } = await bodyOf(c, CallBody)
    const warrant = await presentedWarrant(door, credentialsOf(c, of, '/v1/calls'), intent)
    const call = { intent, presenter: warrant.agent }
    if (dryRun === true) {
      const would = await warrant.at.gateway.dryRun(call)
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
    const { gateway } = await keeping(logs, handle)
    return c.json({ frame: await gateway.expand({ handle, caller, query: query ?? {} }) })
  })
  app.get('/.well-known/jwks.json', (c) =>
    c.json(jwksOf(logs.first.runtime.follower.state.catalog)),
  )
  addReadiness(
    app,
    logs.all.map(({ runtime }) => runtime),
    of.isDraining,
  )
  const posted = ['/v1/calls', '/v1/warrants/:intent', '/v1/handles/:id']
  onlyAnswered(app, by, { method: 'POST', paths: posted })
  const read = ['/.well-known/jwks.json', '/healthz', '/readyz']
  onlyAnswered(app, by, { method: 'GET', paths: read })
  return app
}

/** Any one says that it keeps nothing under a handle that is unknown. */
async function keeping(logs: ServedLogs, handle: string): Promise<ServedLog> {
  if (logs.all.length === 1) return logs.first
  const intent = await logs.first.gateway.intentOf(handle)
  return intent === null ? logs.first : logs.about(intent)
}

function challenge({ code, reason }: HttpProblem): string {
  const isDpop = code === 'dpop_used' || reason?.startsWith('dpop_') === true
  const name = isDpop ? 'invalid_dpop_proof' : 'invalid_token'
  return `DPoP algs="EdDSA", error="${name}"`
}

interface Calling {
  readonly calling: Pick<Parameters<AnsweringGateway['call']>[0], 'intent' | 'presenter' | 'mode'>
  readonly warrant: PresentedWarrant
}

// What has begun goes on, whether or not the client stays: its outcome is recorded.
function answered(c: Context, of: RoutesOf, { calling, warrant }: Calling) {
  const { at, constraints, digest: token } = warrant
  const call = (onPart?: (part: Json) => void): Promise<CallAnswer> =>
    at.gateway.call({ ...calling, token, constraints, ...(onPart !== undefined && { onPart }) })
  if (!accepts(c, 'text/event-stream')) return call().then((answer) => c.json(answer))
  return streamSSE(c, async (stream) => {
    let said = Promise.resolve()
    const say = (event: string, data: unknown): void => {
      said = said.then(() => stream.writeSSE({ event, data: JSON.stringify(data) }))
    }
    try {
      say('answer', await call((part) => say('part', part)))
    } catch (error) {
      noteRequest(of.logs.first.runtime, error)
      say('problem', problemOf(error))
    }
    await said
  })
}

/** Only for the agent of the intent, and only what a gateway would carry out. */
async function mintedFor(
  { logs, issuer, audience }: RoutesOf,
  call: { readonly intent: string; readonly presenter: string },
): Promise<JsonObject> {
  if (issuer === null) throw new Fault('issuer_unknown', 'this gateway mints no warrants')
  const { runtime, gateway, proving } = await logs.about(call.intent)
  await gateway.dryRun(call)
  const of = { issuer, proving, ...(audience !== undefined && { audience }) }
  const { token, claims } = await mintedToken(runtime, call.intent, of)
  return { token, token_type: 'DPoP', expires_at: new Date(claims.exp * 1000).toISOString() }
}

function credentialsOf(c: Context, { url }: RoutesOf, path: string): Credentials {
  return {
    authorization: c.req.header('authorization'),
    dpop: c.req.header('dpop'),
    target: { method: c.req.method, url: `${url()}${path}` },
  }
}

// Who calls, and by what right: a warrant with a proof of its holder for exactly this request, or
// the proof of a key alone. What a token claims must be what the log has, too.

// Whose key it is, by its thumbprint. Those of a catalog are taken once and not for each proof, so
// that proofs with keys of no one cost no more than any other.

type Holders = ReadonlyMap<string, readonly Principal[]>

const known = new WeakMap<Catalog['principals'], Holders>()

/** Those that prove themselves by that key now. */
export function holdersOf(
  { principals }: Pick<Catalog, 'principals'>,
  jkt: string,
): readonly Principal[] {
  const holders = known.get(principals) ?? allIn(principals)
  known.set(principals, holders)
  return holders.get(jkt) ?? []
}

function allIn(principals: Catalog['principals']): Holders {
  const holders = new Map<string, Principal[]>()
  for (const principal of principals.values()) {
    const last = principal.keys.at(-1)
    if (principal.suspended || last === undefined) continue
    const jkt = thumbprintOf(last)
    const others = holders.get(jkt)
    if (others === undefined) holders.set(jkt, [principal])
    else others.push(principal)
  }
  return holders
}

interface Doorway {
  readonly logs: ServedLogs
  readonly used: UsedProofs
  /** Who takes the tokens, where that is not the gateways of the realm. */
  readonly audience: string | undefined
}

/** What a request carries. */
interface Credentials {
  /** Of the header `Authorization`. */
  readonly authorization: string | undefined
  /** Of the header `DPoP`. */
  readonly dpop: string | undefined
  readonly target: Target
}

interface PresentedWarrant {
  /** The log that it is of. */
  readonly at: ServedLog
  readonly agent: string
  /** The digest of the token. */
  readonly digest: string
  /** What is left of the constraints after all links. */
  readonly constraints: JsonObject
}

const scheme = /^DPoP +(?<token>[A-Za-z0-9._~-]+)$/i

/** The warrant for that intent. Throws a Refusal for anything but a good one. */
async function presentedWarrant(
  { logs, used, audience }: Doorway,
  { authorization, dpop, target }: Credentials,
  intent: string,
): Promise<PresentedWarrant> {
  const token = scheme.exec(authorization ?? '')?.groups?.['token']
  if (token === undefined) {
    // Written as a header, the firewall would take what follows for a secret.
    const what = 'send the warrant in the header `authorization`, with the scheme `DPoP`'
    throw new Refusal(401, 'token_refused', what, { reason: 'holder_missing' })
  }
  const { follower, logClock } = logs.first.runtime
  const { state } = follower
  const now = logClock.now()
  const found = verifyWarrant({
    token,
    jwks: jwksOf(state.catalog),
    audience: audience ?? audienceOf(state.place.realm),
    now,
    log: state.log ?? '',
    presentation: { target, ...(dpop !== undefined && { dpop }) },
  })
  if (!found.ok) throw tokenRefused(found.code)
  const { claims, constraints } = found
  const at = logs.claimed(claims.warrant)
  if (at === undefined) throw tokenRefused('token_log')
  const { runtime } = at
  const { realm } = runtime.place
  if (found.jkt === null || found.dpop === null) throw tokenRefused('holder_missing')
  used.use({ principal: claims.sub, key: found.jkt, jti: found.dpop }, now)
  if (partsInRealm(claims.jti, realm)?.address !== intent) {
    throw new Fault('not_yours', 'the warrant is for another intent')
  }
  const own = await claimsAbout(runtime, intent, { issuer: claims.iss, audience })
  if (own === null || canonical(jsonOf(own)) !== canonical(jsonOf(claims))) {
    throw new Fault(
      'warrant_differs',
      `the warrant claims what the log does not have of \`${intent}\``,
    )
  }
  return { at, agent: claims.sub, digest: digestOf(token), constraints }
}

/** The principal that proves possession of its key, by a proof without a token. */
function provenHolder(
  { logs, used }: Doorway,
  { dpop, target }: Pick<Credentials, 'dpop' | 'target'>,
): string {
  if (dpop === undefined) throw tokenRefused('holder_missing')
  const jkt = keyOfDpop(dpop)
  if (jkt === null) throw tokenRefused('dpop_malformed')
  const { follower, logClock } = logs.first.runtime
  const now = logClock.now()
  const read = readDpop(dpop, { token: null, target, now, jkt })
  if (typeof read === 'string') throw tokenRefused(read)
  const [holder, ...others] = holdersOf(follower.state.catalog, jkt)
  // A key of two is no one’s proof.
  if (holder === undefined || others.length > 0) throw tokenRefused('holder_other')
  used.use({ principal: holder.id, key: jkt, jti: read.id }, now)
  return holder.id
}
