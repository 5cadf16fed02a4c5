// The console's server on the log of a realm, or on those of its cells, from its socket to its end.
// It holds no key: what a person signs is signed in the browser, and verified before it is bound.
import { buckets, type Rate } from '#serving/buckets'
import type { ClientAt } from '#serving/oidc/issuer-client'
import type { Runtime } from '#runtime/engine/runtime'
import { contentsBeside } from '#judging/kept-contents'
import type { Metrics } from '#health/metrics'
import { serve, type Serving, type ServingAt } from '#health/serving'
import { isLoopback } from '#serving/loopback'
import type { Listen } from '#serving/listening'
import { browserSessions } from '#serving/people/browser-sessions'
import { linksOnce } from '#serving/people/one-time-link'
import { ownCookie } from '#serving/people/own-cookies'
import { personSessions } from '#serving/people/person-sessions'
import { attentionOf } from '#operations/attention/kept'
import { consoleApi, consoleRoutes } from '#schemas/console/routes'
import { consoleApp } from './app.ts'
import type { ReachHere } from './reach-routes.ts'
import { broadcastOn } from './broadcast.ts'
import type { ConsoleLog, ConsoleOn } from './console.ts'
import { firstAmong, logAbout } from './logs.ts'
import type { PageFiles } from './pages.ts'
import type { LookAround } from './operating/findings-route.ts'
import { stageActivityOn } from './operating/stage-activity.ts'
import { challenges } from './people/passkey-routes.ts'
import { enrolmentsOf } from './people/enrolments.ts'
import type { IssuerThere } from './people/issuer-there.ts'
import type { RecognisedBy } from './people/recognised.ts'
import { allowsShownOn } from './allows-shown.ts'
import { inboxOn } from './reviews/inbox.ts'
import { lastApprovedOn } from './reviews/last-approved.ts'

export interface ConsoleServingOptions extends ServingAt {
  /** Of the realm, or of each of its cells in their order. */
  readonly runtimes: readonly Runtime[]
  readonly files: PageFiles
  readonly rate?: Rate
  /** Where people sign in beside; absent where no issuer does. */
  readonly issuer?: { readonly url: string; readonly client: ClientAt }
  /** Where people are reached, and by which key browsers subscribe; absent where none can. */
  readonly reach?: ReachHere
  /** Where traces are shown, with `{trace}` in place of the id. */
  readonly traces?: string
  /** Absent where they are not to be seen. */
  readonly metrics?: Metrics
  /** What `warrant doctor` finds; absent where who serves it cannot look. */
  readonly look?: LookAround
}

/** Of each person: a page asks for several things at once. */
const rateDefault: Rate = { perSecond: 50, burst: 200 }
/** Of all who are not signed in. */
const enteringRate: Rate = { perSecond: 10, burst: 60 }

export async function serveConsole(options: ConsoleServingOptions): Promise<Serving> {
  const { runtimes, listen, url, files, metrics, look } = options
  const { clock, timer } = firstAmong(runtimes)
  const closing = new AbortController()
  let answered = {
    listen,
    url: 'http://localhost',
    publicUrl: url ?? null,
    origins: [],
    ownPages: true,
  }
  const urlOf = (): string => answered.publicUrl ?? answered.url
  const on = await consoleOn(options, urlOf, closing.signal)
  const app = consoleApp({
    on,
    files,
    challenges: challenges(clock),
    reach: options.reach ?? null,
    answersFor: () => answered,
    metrics: metrics ?? null,
    look: look ?? null,
  })
  const server = await serve({
    ...options,
    fetch: (request) => app.fetch(request),
    timer,
    stop() {
      closing.abort()
      on.broadcast.stop()
      for (const { inbox, lastApproved, activity, attention, allows } of on.logs) {
        for (const each of [inbox, lastApproved, activity, attention, allows]) each.stop()
      }
    },
  })
  answered = { ...answered, url: namedUrl(server.at, listen) }
  const watching = runtimes.map((runtime) => contentsBeside(runtime).watch())
  return {
    url: urlOf(),
    at: server.at,
    async close(drainMs) {
      await server.close(drainMs)
      await Promise.all(watching.map((each) => each.stop()))
    },
  }
}

/** What its routes stand on. */
async function consoleOn(
  options: ConsoleServingOptions,
  urlOf: () => string,
  closing: AbortSignal,
): Promise<ConsoleOn> {
  const { runtimes, rate = rateDefault, traces = null } = options
  // What all cells share is in each of their logs.
  const { clock, follower } = firstAmong(runtimes)
  const where = {
    begin: `${consoleApi}${consoleRoutes.passkeyBegin.path}`,
    session: `${consoleApi}${consoleRoutes.session.path}`,
  }
  const cookie = ownCookie('warrant-console', urlOf, 'Strict')
  const shared = {
    url: urlOf,
    closing,
    sessions: browserSessions({
      sessions: personSessions<RecognisedBy>(clock),
      cookie,
      url: urlOf,
      where,
    }),
    links: linksOnce({
      known: () => follower.state,
      origin: () => new URL(urlOf()).origin,
      clock,
    }),
    enrolments: enrolmentsOf({ catalog: () => follower.state.catalog, url: urlOf, clock }),
    traces,
    issuer: await issuerFor(options, urlOf),
    broadcast: broadcastOn(runtimes),
    rates: { person: buckets(rate, clock), entering: buckets(enteringRate, clock) },
  }
  const logs: ConsoleOn[] = []
  const about = (intent: string): Promise<ConsoleOn> => logAbout(logs, intent)
  for (const runtime of runtimes) logs.push({ ...shared, ...consoleLogOn(runtime), logs, about })
  return firstAmong(logs)
}

function consoleLogOn(runtime: Runtime): ConsoleLog {
  return {
    runtime,
    inbox: inboxOn(runtime),
    lastApproved: lastApprovedOn(runtime),
    activity: stageActivityOn(runtime),
    attention: attentionOf(runtime),
    allows: allowsShownOn(runtime),
  }
}

/** On this machine by the one name at which browsers let passkeys be used without TLS. */
function namedUrl(url: string, { host }: Listen): string {
  if (!isLoopback(host)) return url
  const named = new URL(url)
  named.hostname = 'localhost'
  return named.origin
}

/** The packages that an issuer needs are loaded here alone. */
async function issuerFor(
  { runtimes, issuer: given }: ConsoleServingOptions,
  url: () => string,
): Promise<IssuerThere | null> {
  if (given === undefined) return null
  const { clock, logger } = firstAmong(runtimes)
  const { issuerOf } = await import('#serving/issuer')
  const { issuerThere } = await import('./people/issuer-there.ts')
  const { client } = given
  const issuer = issuerOf({ url: given.url, client, clock, logger })
  // Asks for it now, so that who comes first need not wait.
  issuer.state()
  return issuerThere({ issuer, clientId: client.id, url, clock })
}
