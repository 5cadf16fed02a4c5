// A gateway that is served over HTTP: from opening it to its end, in which nothing is lost.
import { issuerRole } from '#rules/catalog/duties'
import { Fault } from '#record/fault'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Runtime } from '#runtime/engine/runtime'
import { timedOut, withTimeout } from '#runtime/engine/timeout'
import { listening, type CertificateFiles, type Listen } from '#serving/listening'
import type { ServedLog } from '#wiring/own-gateway'
import { routesOf } from './routes.ts'
import { servedLogs } from './served-logs.ts'

export interface ServingOptions {
  /** Of one realm: its log, or the logs of its cells. */
  readonly served: readonly ServedLog[]
  /** Releases the gateways. */
  readonly close: () => Promise<void>
  readonly listen: Listen
  readonly tls?: CertificateFiles
  /** What clients address, where that is not where it listens: behind a proxy. */
  readonly url?: string
  /** PEM of a key of an issuer; without one no warrants are minted here. */
  readonly issuerKey?: string
  /** Who takes the tokens; the gateways of the realm if absent. */
  readonly audience?: string
}

export interface Serving {
  /** What proofs must name: where it listens, or what was given. */
  readonly url: string
  /** Answers what was begun, for at most so long, and then releases the gateway. */
  close(drainMs: number): Promise<void>
}

export async function serveGateway(options: ServingOptions): Promise<Serving> {
  const { listen, tls, issuerKey, audience } = options
  const logs = servedLogs(options.served)
  const { runtime } = logs.first
  let isDraining = false
  let url = options.url ?? ''
  const routes = routesOf({
    logs,
    issuer: issuerKey === undefined ? null : issuerOf(runtime, issuerKey),
    url: () => url,
    isDraining: () => isDraining,
    ...(audience !== undefined && { audience }),
  })
  const server = await listening({
    listen,
    tls: tls ?? null,
    fetch: (request) => routes.fetch(request),
  })
  url ||= server.url
  return {
    url,
    async close(drainMs) {
      isDraining = true
      const drained = server.drained()
      const ended = await withTimeout(runtime.timer, drainMs, drained)
      // Who is left learns nothing more: the outcome is in the log.
      const closed = options.close()
      if (ended === timedOut) server.cut()
      await Promise.all([closed, drained])
    },
  }
}

/** The principal whose key it is. Throws a Fault where the catalog has none. */
function issuerOf({ follower }: Runtime, privateKey: string) {
  const publicKey = publicKeyOf(privateKey)
  const { principals } = follower.state.catalog
  const found = [...principals.values()].find(({ keys, roles, suspended }) => {
    return roles.includes(issuerRole) && !suspended && keys.includes(publicKey)
  })
  if (found !== undefined) return { id: found.id, privateKey }
  throw new Fault('issuer_unknown', 'the catalog has no issuer with the key of --issuer-key')
}
