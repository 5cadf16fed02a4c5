// A gateway that is served over HTTP: from opening it to its end, in which nothing is lost.
import { issuerRole } from '#rules/catalog/duties'
import { Fault } from '#record/fault'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Runtime } from '#runtime/engine/runtime'
import { serve, type Serving, type ServingAt } from '#health/serving'
import type { ServedLog } from '#wiring/own-gateway'
import { routesOf } from './routes.ts'
import { servedLogs } from './served-logs.ts'

export interface GatewayServingOptions extends ServingAt {
  /** Of one realm: its log, or the logs of its cells. */
  readonly served: readonly ServedLog[]
  /** Releases the gateways. */
  readonly close: () => Promise<void>
  /** PEM of a key of an issuer; without one no warrants are minted here. */
  readonly issuerKey?: string
  /** Who takes the tokens; the gateways of the realm if absent. */
  readonly audience?: string
}

/** Its address is what proofs must name. In the end it releases the gateway, too. */
export async function serveGateway(options: GatewayServingOptions): Promise<Serving> {
  const { issuerKey, audience, close: release, served, ...at } = options
  const logs = servedLogs(served)
  const { runtime } = logs.first
  let isDraining = false
  let url = at.url ?? ''
  const routes = routesOf({
    logs,
    issuer: issuerKey === undefined ? null : issuerOf(runtime, issuerKey),
    url: () => url,
    isDraining: () => isDraining,
    ...(audience !== undefined && { audience }),
  })
  const server = await serve({
    ...at,
    fetch: (request) => routes.fetch(request),
    timer: runtime.timer,
    stop: () => (isDraining = true),
  })
  url = server.url
  return {
    ...server,
    async close(drainMs) {
      // Who is cut off learns nothing more: the outcome is in the log.
      await server.close(drainMs)
      await release()
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
