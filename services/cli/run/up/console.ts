// Runs the console until it is asked to stop, on all cells of a realm; on a log in a file with the
// stages, so that one command on a laptop is all there is to start.
import { withoutEnd } from '#record/reading/text-end'
import { isGuarded } from '#serving/oidc/asking-issuer'
import { assert } from '#record/fault'
import { aborted } from '#runtime/engine/timeout'
import { findLog, isRemote } from '#runtime/logs/log-url'
import { traceTemplate } from '#present/auditing/trace-id'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import type { Listen } from '#serving/listening'
import { isLoopback } from '#serving/loopback'
import { configuration } from '#wiring/config'
import { drainMsDefault } from '#wiring/open'
import { ownPushKey } from '#wiring/own-outreach'
import { reachBook } from '#outreach/reach-store'
import type { Runtime } from '#runtime/engine/runtime'
import type { ReachHere } from '#console/attending/reach-routes'
import { pagesOf } from '#console/pages'
import { consoleAt } from '#console/people/console-at'
import { serveConsole, type ConsoleServingOptions } from '#console/serving'
import { clientStages, withCells } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { reachFileAt } from '../reach/run.ts'
import { usage } from '#cli/terminal/failure'
import { metricsAt } from './metrics.ts'
import { oidcOf, type OidcUpOptions } from './oidc.ts'
import { certificateOf, drained, lost, untilStopped } from './until-stopped.ts'

export interface ConsoleUpOptions extends GlobalOptions, Omit<OidcUpOptions, 'oidcAudience'> {
  readonly listen?: Listen
  /** Milliseconds. */
  readonly drain?: number
  readonly url?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  /** Where traces are shown. */
  readonly traceUrl?: string
  /** Requests a second of each person. */
  readonly rate?: number
  /** The file with the places where people are reached. */
  readonly reach?: string
}

const listenDefault: Listen = { host: '127.0.0.1', port: 7719 }

export async function upConsole(options: ConsoleUpOptions): Promise<number> {
  const serving = await servingOf(options)
  const stages = await clientStages(options)
  const metrics = await metricsAt(serving.listen)
  const files = await pagesOf()
  const observe = metrics === null ? [] : [metrics.observe]
  const opening = { stages, level: 'info', awaits: true, observe }
  return untilStopped((stopping, begin) =>
    withCells(options, opening, undefined, async (runtimes) => {
      begin()
      const reach = await reachOf(options, runtimes)
      const more = { ...(metrics !== null && { metrics }), ...(reach !== null && { reach }) }
      const look = async () => (await import('../doctor/run.ts')).doctorBeside(runtimes, options)
      const served = { runtimes, files, look, ...serving, ...more }
      await serveUntil(stopping, served, options)
    }),
  )
}

async function servingOf(
  options: ConsoleUpOptions,
): Promise<Omit<ConsoleServingOptions, 'runtimes' | 'files'>> {
  const { listen = listenDefault, url, rate, traceUrl } = options
  const tls = certificateOf(options)
  const reached = url === undefined ? null : urlOf(url)
  if (reached === null && !isLoopback(listen.host)) {
    throw usage(`at ${listen.host} no host is known that browsers address: give --url`)
  }
  const traces = traceUrl === undefined ? null : tracesOf(traceUrl)
  // Tokens of callers are the HTTP server's: here people alone sign in.
  const { oidcAudience: _, ...settings } = configuration()
  const oidc = await oidcOf(options, settings, true)
  return {
    listen,
    ...(reached !== null && { url: reached }),
    ...(oidc?.client !== undefined && { issuer: { url: oidc.issuer, client: oidc.client } }),
    ...(tls !== null && { tls }),
    ...(traces !== null && { traces }),
    ...(rate !== undefined && { rate: { perSecond: rate, burst: rate * 4 } }),
  }
}

/** Of the key no more than its public half is kept. Null where there is no place for a store. */
async function reachOf(
  options: ConsoleUpOptions,
  [first]: readonly Pick<Runtime, 'logger'>[],
): Promise<ReachHere | null> {
  const file = reachFileAt(options)
  if (file === null) return null
  const book = reachBook(file)
  try {
    return { book, publicKey: await ownPushKey(configuration()) }
  } catch (error) {
    // The console is of use without it.
    first?.logger.warn({ error }, 'browsers cannot subscribe: no key for push')
    return { book, publicKey: null }
  }
}

/** Without TLS browsers use no passkey but at `localhost`. */
function urlOf(text: string): string {
  const isOrigin = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  const url = withoutEnd(text, /\//)
  if (isOrigin && new URL(text).origin === url) {
    if (isGuarded(url) && new URL(url).hostname !== '127.0.0.1') return url
    throw usage(`--url takes https, or http://localhost: passkeys work at no other, \`${text}\``)
  }
  throw usage(`--url takes an origin such as https://console.example, not \`${text}\``)
}

function tracesOf(text: string): string {
  const template = traceTemplate(text)
  if (template !== null) return template
  const example = 'https://traces.example/trace/{trace}'
  throw usage(`--trace-url takes http(s) with {trace} in it, such as ${example}, not \`${text}\``)
}

async function serveUntil(
  stopping: AbortSignal,
  serving: ConsoleServingOptions,
  options: ConsoleUpOptions,
): Promise<void> {
  const { runtimes } = serving
  const [first] = runtimes
  assert(first !== undefined, 'there is a log to serve')
  const { logger, follower, workers } = first
  const { drain: drainMs = drainMsDefault } = options
  const server = await serveConsole(serving)
  const place = findLog(options.log, configuration())
  const runs = options.stages && !isRemote(place) ? 'here' : 'elsewhere'
  const cells = runtimes.length > 1 && { cells: runtimes.length }
  const at = { open: server.url, log: withoutSecrets(place.url), stages: runs, ...cells }
  logger.info(at, 'console ready')
  if (consoleAt(follower.state.catalog, server.url) === null) {
    const how = 'warrant console enrol PERSON'
    logger.warn({ how }, 'the catalog has no console at this address, so no passkey works yet')
  }
  try {
    const ends = runs === 'here' ? [workers] : []
    await Promise.race([aborted(stopping), ...runtimes.map(lost), ...ends])
  } finally {
    await drained(first, drainMs, { ...server, left: 'requests left open' })
  }
}
