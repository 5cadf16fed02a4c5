// Runs a gateway over HTTP until it is asked to stop, and then answers what was begun.
import { toolSecrets } from '#adapters/tools/secrets'
import { assert } from '#core/kernel/fault'
import type { GatewaySpeaker } from '#runtime/gateway/evidence'
import { aborted, timedOut, withTimeout } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import { keyGiven, opened } from '#runtime/keys/keys'
import type { Listen } from '#runtime/serving/listening'
import { configuration } from '#runtime/wiring/config'
import { environment } from '#runtime/wiring/environment'
import { provingOn } from '#runtime/verdicts/proving'
import { gatewaysOn, type OwnGateways } from '#runtime/wiring/own-gateway'
import { drainMsDefault } from '#runtime/wiring/open'
import { exitCodes } from '#schemas/faults/exit'
import { missingSecrets } from '#services/gateway/secrets-needed'
import { serveGateway, type Serving, type ServingOptions } from '#services/gateway/serving'
import { stages } from '#services/stages'
import { keyAccess } from '../editing/signing.ts'
import { onInterrupt } from '../opening/interrupt.ts'
import { withCells } from '../opening/opened.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { usage } from '../terminal/failure.ts'

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

/** Releasing the log may take this much longer than what is under way. */
const closeMsMax = 5_000
const listenDefault: Listen = { host: '127.0.0.1', port: 7717 }
/** Those that need no function of this process. */
const drivers = 'shell, http, mcp'

export async function upGateway(options: GatewayUpOptions): Promise<number> {
  const { tlsCert, tlsKey } = options
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw usage('--tls-cert goes with --tls-key')
  }
  const interrupt = onInterrupt()
  let hasBegun = false
  // Nothing is under way yet that could be ended in order.
  interrupt.signal.addEventListener('abort', () => {
    if (!hasBegun) process.exit(exitCodes.yes)
  })
  try {
    const opening = { level: 'info', awaits: true }
    await withCells(options, opening, options.cells, async (runtimes) => {
      hasBegun = true
      await serve(runtimes, options, interrupt.signal)
    })
  } finally {
    interrupt.release()
  }
  return exitCodes.yes
}

async function serve(
  runtimes: readonly Runtime[],
  options: GatewayUpOptions,
  stopping: AbortSignal,
): Promise<void> {
  const [first] = runtimes
  assert(first !== undefined, 'there is a log to serve')
  const { logger, timer } = first
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
    await Promise.race([aborted(stopping), ...runtimes.map(failing)])
  } finally {
    logger.info({ drainMs }, 'draining')
    const closing = serving.close(drainMs)
    if ((await withTimeout(timer, drainMs + closeMsMax, closing)) === timedOut) {
      // What still runs has its start in the log; the next gateway closes it as unknown.
      logger.warn('calls left open')
      process.exit(exitCodes.yes)
    }
    for (const { proving } of logs) proving.stop()
  }
}

async function served(
  first: Runtime,
  options: GatewayUpOptions,
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
  { listen = listenDefault, url, tlsCert, tlsKey, issuerKey, audience }: GatewayUpOptions,
  gateways: OwnGateways,
): Promise<ServingOptions> {
  const key = issuerKey === undefined ? null : await privateKeyOf(first, issuerKey)
  return {
    ...gateways,
    listen,
    ...(url !== undefined && { url: url.replace(/\/+$/, '') }),
    ...(tlsCert !== undefined &&
      tlsKey !== undefined && { tls: { certFile: tlsCert, keyFile: tlsKey } }),
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

/** Rejects when the log is followed no more: nothing can be carried out here then. */
async function failing({ follower }: Runtime): Promise<never> {
  throw await follower.failed
}
