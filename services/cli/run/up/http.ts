// Runs the HTTP server until it is asked to stop; on a log in a file with the stages, so that one
// command on a laptop is all there is to start.
import { withoutEnd } from '#record/reading/text-end'
import { isGuarded } from '#serving/oidc/asking-issuer'
import { hookKey, hookKeyFile } from '#judging/digest-key'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { judgingPool } from '#judging/judging-pool'
import { isLoopback } from '#serving/loopback'
import { configuration } from '#wiring/config'
import { serveHttp, type HttpServingOptions } from '#http/serving'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { usage } from '#cli/terminal/failure'
import { tokenFileFor } from '#cli/agents/tokens/run'
import { oidcOf, type OidcUpOptions } from './oidc.ts'
import {
  metricsAt,
  placeOf,
  stagesBeside,
  upUntilStopped,
  type UpServerOptions,
} from './serving.ts'

interface HttpUpOptions extends UpServerOptions, OidcUpOptions {
  readonly origin?: readonly string[]
  readonly tokens?: string
  /** Requests a second of each caller. */
  readonly rate?: number
  /** Folders whose files are read for the difference that an edit makes. */
  readonly project?: readonly string[]
}

const port = 7718
const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

export async function upHttp(options: HttpUpOptions): Promise<number> {
  const serving = await servingOf(options)
  const { listen, tls } = serving
  const beside = await stagesBeside(options)
  const metrics = await metricsAt(listen)
  const folders = shippedHookSeeds(packageRoot())
  const hooks = judgingPool({
    tables: await readHookTables(folders),
    folders,
    key: hookKey(hookKeyFile(configuration())),
    readable: options.project ?? [],
  })
  return upUntilStopped(options, {
    isOfOneLog: true,
    opening: { stages: beside.stages, observe: metrics === null ? [] : [metrics.observe] },
    async begin(_, runtime) {
      const more = { ...serving, ...(metrics !== null && { metrics }) }
      const server = await serveHttp({ runtime, hooks, ...more })
      const { logger } = runtime
      const fields = { ...beside.fields, tokens: serving.tokens }
      logger.info({ listen: server.url, ...fields }, 'http ready')
      if (tls === undefined && !isLoopback(listen.host)) {
        logger.warn(
          { listen: server.url },
          'tokens come in the clear here, unless a proxy ends TLS',
        )
      }
      // What was asked stands in the log; a caller finds it there.
      return { close: server.close, left: 'requests left open', ends: beside.ends(runtime) }
    },
  })
}

async function servingOf(options: HttpUpOptions): Promise<Omit<HttpServingOptions, 'runtime'>> {
  const { url, origin = [], rate } = options
  const place = placeOf(options, port)
  const { listen, tls } = place
  if (wildcards.has(listen.host) && url === undefined) {
    throw usage(`at ${listen.host} no host is known that clients address: give --url`)
  }
  const reached = url === undefined ? null : urlOf(url)
  const isPrivate =
    reached === null ? tls !== undefined || isLoopback(listen.host) : isGuarded(reached)
  const oidc = await oidcOf(options, configuration(), isPrivate)
  return {
    ...place,
    tokens: tokenFileFor(options),
    origins: origin.map(originOf),
    ...(oidc !== null && { oidc }),
    ...(reached !== null && { url: reached }),
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
