// Runs the HTTP server until it is asked to stop; on a log in a file with the stages, so that one
// command on a laptop is all there is to start.
import { withoutEnd } from '#record/reading/text-end'
import { isGuarded } from '#serving/oidc/asking-issuer'
import { findLog, isRemote } from '#runtime/logs/log-url'
import { aborted } from '#runtime/engine/timeout'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { hookKey, hookKeyFile } from '#judging/digest-key'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { judgingPool } from '#judging/judging-pool'
import type { Listen } from '#serving/listening'
import { isLoopback } from '#serving/loopback'
import { configuration } from '#wiring/config'
import { drainMsDefault } from '#wiring/open'
import { serveHttp, type HttpServingOptions } from '#http/serving'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { usage } from '#cli/terminal/failure'
import { tokenFileFor } from '#cli/agents/tokens/run'
import { metricsAt } from './metrics.ts'
import { oidcOf, type OidcUpOptions } from './oidc.ts'
import { certificateOf, drained, lost, untilStopped } from './until-stopped.ts'

export interface HttpUpOptions extends GlobalOptions, OidcUpOptions {
  readonly listen?: Listen
  /** Milliseconds. */
  readonly drain?: number
  readonly url?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly origin?: readonly string[]
  readonly tokens?: string
  /** Requests a second of each caller. */
  readonly rate?: number
  /** Folders whose files are read for the difference that an edit makes. */
  readonly project?: readonly string[]
}

const listenDefault: Listen = { host: '127.0.0.1', port: 7718 }
const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

export async function upHttp(options: HttpUpOptions): Promise<number> {
  const serving = await servingOf(options)
  const stages = await clientStages(options)
  const metrics = await metricsAt(serving.listen)
  const folders = shippedHookSeeds(packageRoot())
  const hooks = judgingPool({
    tables: await readHookTables(folders),
    folders,
    key: hookKey(hookKeyFile(configuration())),
    readable: options.project ?? [],
  })
  const observe = metrics === null ? [] : [metrics.observe]
  const opening = { stages, level: 'info', awaits: true, observe }
  return untilStopped((stopping, begin) =>
    withRuntime(options, opening, async (runtime) => {
      begin()
      const served = { runtime, hooks, ...serving, ...(metrics !== null && { metrics }) }
      await serveUntil(stopping, served, options)
    }),
  )
}

async function servingOf(options: HttpUpOptions): Promise<Omit<HttpServingOptions, 'runtime'>> {
  const { listen = listenDefault, url, origin = [], rate } = options
  const tls = certificateOf(options)
  if (wildcards.has(listen.host) && url === undefined) {
    throw usage(`at ${listen.host} no host is known that clients address: give --url`)
  }
  const reached = url === undefined ? null : urlOf(url)
  const isPrivate = reached === null ? tls !== null || isLoopback(listen.host) : isGuarded(reached)
  const oidc = await oidcOf(options, configuration(), isPrivate)
  return {
    listen,
    tokens: tokenFileFor(options),
    origins: origin.map(originOf),
    ...(oidc !== null && { oidc }),
    ...(reached !== null && { url: reached }),
    ...(tls !== null && { tls }),
    ...(rate !== undefined && { rate: { perSecond: rate, burst: rate * 2 } }),
  }
}

function urlOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) {
    return withoutEnd(text, /\//)
  }
  throw usage(`--url takes an address such as https://warrant.example, not \`${text}\``)
}

function originOf(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text
  throw usage(`--origin takes an origin such as https://app.example, not \`${text}\``)
}

async function serveUntil(
  stopping: AbortSignal,
  serving: HttpServingOptions,
  options: HttpUpOptions,
): Promise<void> {
  const { runtime, listen, tls } = serving
  const { logger, workers } = runtime
  const { drain: drainMs = drainMsDefault } = options
  const server = await serveHttp(serving)
  const place = findLog(options.log, configuration())
  const runs = options.stages && !isRemote(place) ? 'here' : 'elsewhere'
  const fields = { log: withoutSecrets(place.url), stages: runs, tokens: serving.tokens }
  logger.info({ listen: server.url, ...fields }, 'http ready')
  if (tls === undefined && !isLoopback(listen.host)) {
    logger.warn({ listen: server.url }, 'tokens come in the clear here, unless a proxy ends TLS')
  }
  try {
    const ends = runs === 'here' ? [workers] : []
    await Promise.race([aborted(stopping), lost(runtime), ...ends])
  } finally {
    // What was asked stands in the log; a caller finds it there.
    await drained(runtime, drainMs, { ...server, left: 'requests left open' })
  }
}
