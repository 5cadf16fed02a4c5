// Runs a gateway over HTTP until it is asked to stop, and then answers what was begun.
import { toolSecrets } from '#adapters/tools/secrets'
import type { GatewaySpeaker } from '#runtime/gateway/evidence'
import { aborted, timedOut, withTimeout } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import { keyGiven, opened } from '#runtime/keys/keys'
import type { Listen } from '#runtime/serving/listening'
import { configuration } from '#runtime/wiring/config'
import { environment } from '#runtime/wiring/environment'
import { gatewayOn } from '#runtime/wiring/own-gateway'
import { drainMsDefault } from '#runtime/wiring/open'
import { exitCodes } from '#schemas/faults/exit'
import { missingSecrets } from '#services/gateway/secrets-needed'
import { serveGateway, type Serving, type ServingOptions } from '#services/gateway/serving'
import { stages } from '#services/stages'
import { keyAccess } from '../editing/signing.ts'
import { onInterrupt } from '../opening/interrupt.ts'
import { withRuntime } from '../opening/opened.ts'
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
    await withRuntime(options, { level: 'info', awaits: true }, async (runtime) => {
      hasBegun = true
      await serve(runtime, options, interrupt.signal)
    })
  } finally {
    interrupt.release()
  }
  return exitCodes.yes
}

async function serve(
  runtime: Runtime,
  options: GatewayUpOptions,
  stopping: AbortSignal,
): Promise<void> {
  const { logger, follower } = runtime
  const { name, drain: drainMs = drainMsDefault } = options
  const speaker = await speakerOf(runtime, options)
  const gateway = await gatewayOn(runtime, {
    stages,
    ...(name !== undefined && { name }),
    ...(speaker !== null && { speaker }),
  })
  const serving = await served(runtime, options, gateway)
  const fields = { drivers, missingSecrets: await secretsLacking(runtime) }
  logger.info({ listen: serving.url, ...fields, gateway: gateway.id }, 'gateway ready')
  try {
    await Promise.race([aborted(stopping), failing(follower)])
  } finally {
    logger.info({ drainMs }, 'draining')
    const closing = serving.close(drainMs)
    if ((await withTimeout(runtime.timer, drainMs + closeMsMax, closing)) === timedOut) {
      // What still runs has its start in the log; the next gateway closes it as unknown.
      logger.warn('calls left open')
      process.exit(exitCodes.yes)
    }
  }
}

async function served(
  runtime: Runtime,
  options: GatewayUpOptions,
  gateway: ServingOptions['gateway'],
): Promise<Serving> {
  try {
    return await serveGateway(await servingOf(runtime, options, gateway))
  } catch (error) {
    await gateway.close()
    throw error
  }
}

async function servingOf(
  runtime: Runtime,
  { listen = listenDefault, url, tlsCert, tlsKey, issuerKey, audience }: GatewayUpOptions,
  gateway: ServingOptions['gateway'],
): Promise<ServingOptions> {
  const key = issuerKey === undefined ? null : await privateKeyOf(runtime, issuerKey)
  return {
    runtime,
    stages,
    gateway,
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
async function failing({ failed }: Runtime['follower']): Promise<never> {
  throw await failed
}
