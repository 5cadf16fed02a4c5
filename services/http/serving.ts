// The HTTP server of a runtime: from its socket to its end, in which waits are answered and nothing
// that was begun is lost.
import type { HookJudge } from '#judging/judging'
import { contentsBeside } from '#judging/kept-contents'
import type { ClientAt } from '#serving/oidc/issuer-client'
import type { Identity } from '#schemas/catalog'
import { httpDoor } from '#rules/catalog/doors/speaking'
import { doorAgents } from '#client/doors/door-agent'
import type { Runtime } from '#runtime/engine/runtime'
import type { Metrics } from '#health/metrics'
import { serve, type Serving, type ServingAt } from '#health/serving'
import type { Rate } from '#serving/buckets'
import type { LoginIssuer } from '#serving/issuer'
import type { People, PeopleOf } from '#serving/people/people'
import { tokenBook } from '#serving/token-file'
import { httpApp } from './app.ts'
import { evaluatingBy } from './evaluations/evaluating.ts'
import { extAuthzApp, isFromEdge } from './evaluations/ext-authz.ts'
import { callersBy } from './callers.ts'
import { provenAs, type TokensOfIssuer } from './credentials.ts'
import type { Door } from './door.ts'

export interface HttpServingOptions extends ServingAt {
  readonly runtime: Runtime
  /** The origins of pages in browsers that may ask; of others none may. */
  readonly origins?: readonly string[]
  /** The file of its callers' tokens. */
  readonly tokens: string
  readonly rate?: Rate
  /** Whose signed tokens count beside them. */
  readonly oidc?: OidcOptions
  /** Absent where they are not to be seen. */
  readonly metrics?: Metrics
  /** By what hooks of coding agents are judged; absent where none are answered. */
  readonly hooks?: HookJudge
}

export interface OidcOptions {
  /** The identifier of the issuer, as its tokens say it. */
  readonly issuer: string
  /** What its access tokens must be for; without it none counts. */
  readonly audience?: string
  /** As what people sign in there; without it no one does. */
  readonly client?: ClientAt
}

/** Of each caller. */
const rateDefault: Rate = { perSecond: 100, burst: 200 }
/** Grows with the words, not with the package. */
const wordsVersion = '1.0.0'

export async function serveHttp(options: HttpServingOptions): Promise<Serving> {
  const { runtime, listen, url, origins = [], tokens, metrics } = options
  const { rate = rateDefault, oidc } = options
  const closing = new AbortController()
  const agents = doorAgents(runtime, httpDoor)
  const { clock } = runtime
  const catalog = () => runtime.follower.state.catalog
  const ownPages = oidc?.client !== undefined
  let answered = { listen, url: 'http://localhost', publicUrl: url ?? null, origins, ownPages }
  const urlOf = () => answered.publicUrl ?? answered.url
  const principalOf = (identity: Identity) => provenAs({ catalog }, identity).principal
  const vouchers = await vouchersOf(runtime, oidc, { url: urlOf, known: principalOf })
  const callers = callersBy({ tokens: tokenBook(tokens), ...vouchers, catalog, rate, clock })
  const door: Door = {
    name: httpDoor,
    runtime,
    closing: closing.signal,
    url: urlOf,
    agentFor: ({ principal }) => agents.agentFor(principal),
    admit: ({ principal }) => agents.admit(principal),
    ...callers,
  }
  const evaluating = evaluatingBy()
  const edge = extAuthzApp(door, evaluating)
  const app = httpApp({
    door,
    answersFor: () => answered,
    metrics: metrics ?? null,
    issuer: vouchers.issuer,
    signingIn: { people: vouchers.people, principalOf },
    hooks: options.hooks ?? null,
    evaluating,
    version: wordsVersion,
  })
  const server = await serve({
    ...options,
    fetch: (request) => (isFromEdge(request) ? edge : app).fetch(request),
    timer: runtime.timer,
    stop() {
      closing.abort()
      // Each wait ends now, with what its intent still waits for.
      agents.close()
    },
  })
  answered = { ...answered, url: server.at }
  const watching = contentsBeside(runtime).watch()
  return {
    ...server,
    async close(drainMs) {
      await server.close(drainMs)
      await watching.stop()
    },
  }
}

interface Vouchers {
  readonly issuer: LoginIssuer | null
  readonly bearers: TokensOfIssuer | null
  readonly people: People | null
}

/** The packages that an issuer needs are loaded here alone. */
async function vouchersOf(
  { clock, logger }: Runtime,
  oidc: OidcOptions | undefined,
  here: Pick<PeopleOf, 'url' | 'known'>,
): Promise<Vouchers> {
  if (oidc === undefined) return { issuer: null, bearers: null, people: null }
  const { audience, client } = oidc
  const { issuerOf } = await import('#serving/issuer')
  const { peopleOf } = await import('#serving/people/people')
  const as = client ?? { id: audience ?? oidc.issuer, secret: null }
  const issuer = issuerOf({ url: oidc.issuer, client: as, clock, logger })
  // Asks for it now, so that who comes first need not wait.
  issuer.state()
  return {
    issuer,
    bearers: audience === undefined ? null : { issuer, audience },
    people: client === undefined ? null : peopleOf({ issuer, clientId: as.id, clock, ...here }),
  }
}
