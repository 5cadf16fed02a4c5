// Runs a gateway over HTTP until it is asked to stop, and then answers what was begun.
import { withoutEnd } from '#record/reading/text-end'
import { toolSecrets } from '#gateway/tools/secrets'
import type { GatewaySpeaker } from '#gateway/evidence'
import type { Runtime } from '#runtime/engine/runtime'
import { keyGiven, opened } from '#runtime/keys/keys'
import type { Serving, ServingAt } from '#health/serving'
import { configuration } from '#wiring/config'
import { environment } from '#wiring/environment'
import { provingOn } from '#replay/verdicts/proving'
import { gatewaysOn, type OwnGateways } from '#wiring/own-gateway'
import { missingSecrets } from '#http/gateway/secrets-needed'
import { serveGateway } from '#http/gateway/serving'
import { stages } from '#workers/stages'
import { keyAccess } from '#cli/terminal/signing'
import { usage } from '#cli/terminal/failure'
import { placeOf, upUntilStopped, type UpServerOptions } from './serving.ts'

interface GatewayUpOptions extends UpServerOptions {
  readonly issuerKey?: string
  readonly name?: string
  /** The principal in whose name results become evidence. */
  readonly as?: string
  readonly key?: string
  readonly audience?: string
}

const port = 7717
/** Those that need no function of this process. */
const drivers = 'shell, http, mcp'

export async function upGateway(options: GatewayUpOptions): Promise<number> {
  const place = placeOf(options, port)
  return upUntilStopped(options, {
    async begin(runtimes, first) {
      const { name } = options
      const speaker = await speakerOf(first, options)
      const logs = runtimes.map((runtime) => ({
        runtime,
        proving: provingOn(runtime, stages, null),
      }))
      const gateways = await gatewaysOn(logs, {
        ...(name !== undefined && { name }),
        ...(speaker !== null && { speaker }),
      })
      const server = await served(first, { ...options, ...place }, gateways)
      const fields = { drivers, missingSecrets: await secretsLacking(first) }
      const realms = runtimes.map((runtime) => runtime.place.realm).join(', ')
      const ids = gateways.served.map(({ gateway }) => gateway.id).join(', ')
      first.logger.info({ listen: server.url, realms, ...fields, gateway: ids }, 'gateway ready')
      return {
        // What still runs has its start in the log; the next gateway closes it as unknown.
        left: 'calls left open',
        async close(drainMs) {
          await server.close(drainMs)
          for (const { proving } of logs) proving.stop()
        },
      }
    },
  })
}

async function served(
  first: Runtime,
  options: GatewayUpOptions & ServingAt,
  gateways: OwnGateways,
): Promise<Serving> {
  const { listen, tls, url, issuerKey, audience } = options
  try {
    const key = issuerKey === undefined ? null : await privateKeyOf(first, issuerKey)
    return await serveGateway({
      ...gateways,
      listen,
      ...(url !== undefined && { url: withoutEnd(url, /\//) }),
      ...(tls !== undefined && { tls }),
      ...(key !== null && { issuerKey: key }),
      ...(audience !== undefined && { audience }),
    })
  } catch (error) {
    await gateways.close()
    throw error
  }
}

async function speakerOf(
  runtime: Runtime,
  { as: principal, key }: GatewayUpOptions,
): Promise<GatewaySpeaker | null> {
  if (principal === undefined) {
    if (key !== undefined) throw usage('--key goes with --as: in whose name results are published')
    return null
  }
  if (key === undefined) return { principal }
  return { principal, privateKey: await privateKeyOf(runtime, key) }
}

async function privateKeyOf({ folder }: Runtime, given: string): Promise<string> {
  const access = keyAccess(folder)
  return opened(await keyGiven({ keys: access }, given), access)
}

async function secretsLacking({ follower }: Runtime): Promise<string> {
  const folder = configuration().secrets ?? null
  const secrets = toolSecrets({ variables: environment(), folder })
  const missing = await missingSecrets(follower.state.catalog, secrets)
  return missing.length === 0 ? 'none' : missing.join(', ')
}
