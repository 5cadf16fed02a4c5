// Runs the console until it is asked to stop, on all cells of a realm; on a log in a file with the
// stages, so that one command on a laptop is all there is to start.
import { withoutEnd } from '#record/reading/text-end'
import { isGuarded } from '#serving/oidc/asking-issuer'
import { traceTemplate } from '#present/auditing/trace-id'
import { isLoopback } from '#serving/loopback'
import { configuration } from '#wiring/config'
import { ownPushKey } from '#wiring/own-outreach'
import { reachBook } from '#outreach/reach-store'
import type { Runtime } from '#runtime/engine/runtime'
import type { ReachHere } from '#console/reach-routes'
import { pagesOf } from '#console/pages'
import { consoleAt } from '#console/people/console-at'
import { serveConsole, type ConsoleServingOptions } from '#console/serving'
import { reachFileAt } from '../reach/run.ts'
import { usage } from '#cli/terminal/failure'
import { keepHeapLean } from '#cli/terminal/lean-heap'
import { oidcOf, type OidcUpOptions } from './oidc.ts'
import {
  metricsAt,
  placeOf,
  stagesBeside,
  upUntilStopped,
  type UpServerOptions,
} from './serving.ts'

interface ConsoleUpOptions extends UpServerOptions, Omit<OidcUpOptions, 'oidcAudience'> {
  /** Where traces are shown. */
  readonly traceUrl?: string
  /** Requests a second of each person. */
  readonly rate?: number
  /** The file with the places where people are reached. */
  readonly reach?: string
}

const port = 7719

export async function upConsole(options: ConsoleUpOptions): Promise<number> {
  const serving = await servingOf(options)
  const beside = await stagesBeside(options)
  const metrics = await metricsAt(serving.listen)
  const files = await pagesOf()
  const growAgain = keepHeapLean()
  return upUntilStopped(options, {
    opening: { stages: beside.stages, observe: metrics === null ? [] : [metrics.observe] },
    async begin(runtimes, first) {
      const reach = await reachOf(options, first)
      const more = { ...(metrics !== null && { metrics }), ...(reach !== null && { reach }) }
      const look = async () => (await import('../doctor/run.ts')).doctorBeside(runtimes, options)
      const server = await serveConsole({ runtimes, files, look, ...serving, ...more })
      const { logger, follower } = first
      growAgain()
      const cells = runtimes.length > 1 && { cells: runtimes.length }
      logger.info({ open: server.url, ...beside.fields, ...cells }, 'console ready')
      if (consoleAt(follower.state.catalog, server.url) === null) {
        const how = 'warrant console enrol PERSON'
        logger.warn({ how }, 'the catalog has no console at this address, so no passkey works yet')
      }
      return { close: server.close, left: 'requests left open', ends: beside.ends(first) }
    },
  })
}

async function servingOf(
  options: ConsoleUpOptions,
): Promise<Omit<ConsoleServingOptions, 'runtimes' | 'files'>> {
  const { url, rate, traceUrl } = options
  const place = placeOf(options, port)
  const { host } = place.listen
  const reached = url === undefined ? null : urlOf(url)
  if (reached === null && !isLoopback(host)) {
    throw usage(`at ${host} no host is known that browsers address: give --url`)
  }
  const traces = traceUrl === undefined ? null : tracesOf(traceUrl)
  // Tokens of callers are the HTTP server's: here people alone sign in.
  const { oidcAudience: _, ...settings } = configuration()
  const oidc = await oidcOf(options, settings, true)
  return {
    ...place,
    ...(reached !== null && { url: reached }),
    ...(oidc?.client !== undefined && { issuer: { url: oidc.issuer, client: oidc.client } }),
    ...(traces !== null && { traces }),
    ...(rate !== undefined && { rate: { perSecond: rate, burst: rate * 4 } }),
  }
}

/** Of the key no more than its public half is kept. Null where there is no place for a store. */
async function reachOf(
  options: ConsoleUpOptions,
  { logger }: Pick<Runtime, 'logger'>,
): Promise<ReachHere | null> {
  const file = reachFileAt(options)
  if (file === null) return null
  const book = reachBook(file)
  try {
    return { book, publicKey: await ownPushKey(configuration()) }
  } catch (error) {
    // The console is of use without it.
    logger.warn({ error }, 'browsers cannot subscribe: no key for push')
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
