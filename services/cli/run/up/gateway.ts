// Runs a gateway over HTTP until it is asked to stop, and then answers what was begun.
import { withoutEnd } from '#record/reading/text-end'
import { toolSecrets } from '#gateway/tools/secrets'
import { assert } from '#record/fault'
import type { GatewaySpeaker } from '#gateway/evidence'
import { aborted } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import { keyGiven, opened } from '#runtime/keys/keys'
import type { CertificateFiles, Listen } from '#serving/listening'
import { configuration } from '#wiring/config'
import { environment } from '#wiring/environment'
import { provingOn } from '#replay/verdicts/proving'
import { gatewaysOn, type OwnGateways } from '#wiring/own-gateway'
import { drainMsDefault } from '#wiring/open'
import { missingSecrets } from '#http/gateway/secrets-needed'
import { serveGateway, type Serving, type ServingOptions } from '#http/gateway/serving'
import { stages } from '#workers/stages'
import { keyAccess } from '#cli/terminal/signing'
import { withCells } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { certificateOf, drained, lost, untilStopped } from './until-stopped.ts'

export interface GatewayUpOptions extends GlobalOptions {
  readonly listen?: Listen
  /** Milliseconds. */
  readonly drain?: number
  readonly url?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly issuerKey?: string
  readonly name?: string
  /** The principal in whose name results become evidence. */
  readonly as?: string
  readonly key?: string
  readonly audience?: string
  /** Which cells of the realm; all if not stated. */
  readonly cells?: readonly number[]
}

interface GatewayServed extends GatewayUpOptions {
  readonly tls: CertificateFiles | null
}

const listenDefault: Listen = { host: '127.0.0.1', port: 7717 }
/** Those that need no function of this process. */
const drivers = 'shell, http, mcp'

export async function upGateway(options: GatewayUpOptions): Promise<number> {
  const tls = certificateOf(options)
  const opening = { level: 'info', awaits: true }
  return untilStopped((stopping, begin) =>
    withCells(options, opening, options.cells, async (runtimes) => {
      begin()
      await serve(runtimes, { ...options, tls }, stopping)
    }),
  )
}

async function serve(
  runtimes: readonly Runtime[],
  options: GatewayServed,
  stopping: AbortSignal,
): Promise<void> {
  const [first] = runtimes
  assert(first !== undefined, 'there is a log to serve')
  const { logger } = first
  const { name, drain: drainMs = drainMsDefault } = options
  const speaker = await speakerOf(first, options)
  const logs = runtimes.map((runtime) => ({ runtime, proving: provingOn(runtime, stages, null) }))
  const gateways = await gatewaysOn(logs, {
    ...(name !== undefined && { name }),
    ...(speaker !== null && { speaker }),
  })
  const serving = await served(first, options, gateways)
  const fields = { drivers, missingSecrets: await secretsLacking(first) }
  const realms = runtimes.map(({ place }) => place.realm).join(', ')
  const ids = gateways.served.map(({ gateway }) => gateway.id).join(', ')
  logger.info({ listen: serving.url, realms, ...fields, gateway: ids }, 'gateway ready')
  try {
    await Promise.race([aborted(stopping), ...runtimes.map(lost)])
  } finally {
    // What still runs has its start in the log; the next gateway closes it as unknown.
    await drained(first, drainMs, { ...serving, left: 'calls left open' })
    for (const { proving } of logs) proving.stop()
  }
}

async function served(
  first: Runtime,
  options: GatewayServed,
  gateways: OwnGateways,
): Promise<Serving> {
  try {
    return await serveGateway(await servingOf(first, options, gateways))
  } catch (error) {
    await gateways.close()
    throw error
  }
}

async function servingOf(
  first: Runtime,
  { listen = listenDefault, url, tls, issuerKey, audience }: GatewayServed,
  gateways: OwnGateways,
): Promise<ServingOptions> {
  const key = issuerKey === undefined ? null : await privateKeyOf(first, issuerKey)
  return {
    ...gateways,
    listen,
    ...(url !== undefined && { url: withoutEnd(url, /\//) }),
    ...(tls !== null && { tls }),
    ...(key !== null && { issuerKey: key }),
    ...(audience !== undefined && { audience }),
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
