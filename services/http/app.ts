// The HTTP server as one app: what every request passes before its route, the routes, and what is
// answered where there is none.
import type { Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { Fault } from '#record/fault'
import { jwksOf } from '#messages/warrants/jwk'
import type { HookJudge } from '#judging/judging'
import type { Metrics } from '#health/metrics'
import { addReadiness } from '#health/ready'
import { appServed, onlyAnswered, type ServedBy, bodyOf } from '#serving/app'
import type { LoginIssuer } from '#serving/issuer'
import { refuseStray, type AnsweredFor } from '#serving/origin'
import { requestInvalid, Refusal } from '#serving/problem'
import { openApi } from '#schemas/http/openapi'
import { allRoutes, routes } from '#schemas/http/routes'
import { addAsked } from './asked.ts'
import type { Door } from './door.ts'
import { addEvents } from './events.ts'
import { addAuthzen } from './evaluations/authzen.ts'
import type { Evaluating } from './evaluations/evaluating.ts'
import { addOpa } from './evaluations/opa.ts'
import { addSearches } from './evaluations/search.ts'
import { addHooks, hookBytesMax } from './hooks.ts'
import { addIntents, agentOfCaller, repetitionKey } from './intents.ts'
import { addRoute, routedPath } from './routed.ts'
import { addSessions, answeredPublished } from './sessions.ts'
import { addSignIn, type SigningIn } from './sign-in.ts'
import { ClaimBody, ContractBody } from '#schemas/http/work-bodies'
import { relayDecision } from '#client/people/relayed-decision'
import { DecisionBody } from '#schemas/http/bodies'
import type { FaultCode } from '#schemas/faults/registry'

export interface AppOf {
  readonly door: Door
  readonly answersFor: () => AnsweredFor
  /** Null where they are not to be seen. */
  readonly metrics: Metrics | null
  /** Null where no issuer vouches for callers. */
  readonly issuer: LoginIssuer | null
  /** By what hooks of coding agents are judged; null where none are answered. */
  readonly hooks: HookJudge | null
  readonly signingIn: SigningIn
  readonly evaluating: Evaluating
  /** Of the words that the document is made from. */
  readonly version: string
}

const headersAllowed = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'prefer',
  'x-request-id',
]
const headersShown = ['etag', 'location', 'preference-applied', 'retry-after', 'x-request-id']

const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

export function httpApp(of: AppOf): Hono {
  const { door, answersFor, metrics, issuer, signingIn, hooks, evaluating, version } = of
  const { runtime, closing } = door
  const by: ServedBy = {
    logger: runtime.logger,
    challenge: ({ reason }) => challengeFor(reason),
    longer: { path: '/v1/hooks/', bytesMax: hookBytesMax },
    admit() {
      if (closing.aborted) throw new Fault('door_closed', 'this server is closing')
    },
  }
  const app = appServed(by)
  app.use((c, next) => {
    // Who probes may know it by another name, and learns nothing of anyone.
    if (!probes.has(c.req.path)) refuseStray(c, answersFor())
    return next()
  })
  if (answersFor().origins.length > 0) app.use(allowedPages(answersFor))
  addIntents(app, door)
  addSessions(app, door)
  addTaskRoutes(app, door)
  addDecisions(app, door)
  addAsked(app, door)
  addEvents(app, door)
  addAuthzen(app, door, evaluating)
  addSearches(app, door, evaluating)
  addOpa(app, door, evaluating)
  addHooks(app, door, hooks)
  addSignIn(app, signingIn)
  addRoute(app, 'caller', async (c) => {
    const caller = await door.callerOf(c)
    door.admit(caller)
    const { state } = runtime.follower
    const { realm, era } = state.place
    return c.json({ principal: caller.principal, door: door.name, realm, era, log: state.log })
  })
  addRoute(app, 'jwks', (c) => c.json(jwksOf(runtime.follower.state.catalog)))
  // Drawn up when it is asked for, and then kept: few servers ever are.
  let document: object | undefined
  addRoute(app, 'openapi', (c) => c.json((document ??= openApi(version))))
  addRoute(app, 'metrics', (c) => scraped(c, metrics))
  // A server without its issuer is ready: callers with tokens of its own need none.
  const beside = () => (issuer === null ? {} : { issuer: issuer.state() })
  addReadiness(app, [runtime], () => closing.aborted, beside)
  for (const [path, methods] of methodsServed()) {
    onlyAnswered(app, by, { method: methods.join(', '), paths: [path] })
  }
  return app
}

/** By which methods each path is answered. */
function methodsServed(): ReadonlyMap<string, readonly string[]> {
  const served = new Map<string, readonly string[]>()
  for (const name of allRoutes) {
    const path = routedPath(name)
    served.set(path, [...(served.get(path) ?? []), routes[name].method.toUpperCase()])
  }
  return served
}

/** Pages of allowed origins read the answers; those of others get no further than their host. */
function allowedPages(answersFor: AppOf['answersFor']) {
  return cors({
    origin: (origin) => (answersFor().origins.includes(origin) ? origin : null),
    allowMethods: ['GET', 'POST'],
    allowHeaders: headersAllowed,
    exposeHeaders: headersShown,
    maxAge: 600,
  })
}

async function scraped(c: Context, metrics: Metrics | null): Promise<Response> {
  if (metrics === null) throw requestInvalid(404, 'no metrics are served here')
  c.header('content-type', metrics.type)
  return c.body(await metrics.text())
}

function challengeFor(reason: string | undefined): string {
  // RFC 6750: who sent no token learns no more than how to send one.
  return reason === 'token_missing'
    ? 'Bearer realm="warrant"'
    : 'Bearer realm="warrant", error="invalid_token"'
}

// Tasks that a caller gives under contracts, and reports on as their worker.

function addTaskRoutes(app: Hono, door: Door): void {
  addRoute(app, 'openContract', async (c) => {
    const { agent, caller } = await agentOfCaller(door, c)
    const { worker, contract, session, content } = await bodyOf(c, ContractBody)
    const key = repetitionKey(c, caller)
    const published = await agent.contract({
      worker,
      contract,
      ...(session !== undefined && { session: agent.session(session) }),
      ...(content !== undefined && { content }),
      ...(key !== null && { key }),
    })
    return answeredPublished(c, published)
  })
  addRoute(app, 'claim', async (c) => {
    const { agent, caller } = await agentOfCaller(door, c)
    const { completion, evidence, session, content } = await bodyOf(c, ClaimBody)
    const key = repetitionKey(c, caller)
    const published = await agent.claim({
      contract: c.req.param('id') ?? '',
      completion,
      ...(evidence !== undefined && { evidence }),
      ...(session !== undefined && { session: agent.session(session) }),
      ...(content !== undefined && { content }),
      ...(key !== null && { key }),
    })
    return answeredPublished(c, published)
  })
}

// A person's answer to a review, signed by their own key wherever they are. The server holds no key
// of theirs: it binds what was signed, as it was signed, or nothing.

function addDecisions(app: Hono, door: Door): void {
  addRoute(app, 'decide', async (c) => {
    const caller = await door.callerOf(c)
    door.admit(caller)
    const signed = await bodyOf(c, DecisionBody)
    if (signed.data.confirmer !== caller.principal) {
      const what = `the credential is of \`${caller.principal}\`, and the answer is not`
      throw new Refusal(403, 'caller_refused', what, { reason: 'not_confirmer' })
    }
    const { appended, fact } = await relayDecision(door.runtime, signed).catch(withStatus)
    const { name, position } = fact
    const { address } = signed.data.intent
    return answeredPublished(c, { appended, address, name, position })
  })
}

const statuses: Partial<Record<FaultCode, number>> = {
  no_review: 404,
  review_altered: 409,
  signing_changed: 409,
  decided: 409,
  decision_void: 422,
  // On a server whose user for this door binds no answers.
  not_permitted: 403,
}

function withStatus(error: unknown): never {
  const { [error instanceof Fault ? error.code : 'unexpected']: status } = statuses
  if (!(error instanceof Fault) || status === undefined) throw error
  throw new Refusal(status, error.code, error.message)
}
