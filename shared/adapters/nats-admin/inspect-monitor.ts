// What a server's monitoring says of how it keeps what it was given: the JetStream API does not say
// it. Monitoring knows no users, so an address with a password is refused.
import { z } from 'zod'
import { Fault } from '#core/kernel/fault'

export interface Monitored {
  readonly name: string
  readonly version: string
  /** Whether what is acknowledged is on the disk. */
  readonly syncsAlways: boolean
}

export interface MonitorSeen {
  readonly url: string
  /** Null where it did not say. */
  readonly said: Monitored | null
  /** Why it did not. */
  readonly why: string
}

const answerMsMax = 3_000

const Varz = z.looseObject({
  server_name: z.string(),
  version: z.string(),
  jetstream: z.looseObject({
    config: z.looseObject({ sync_always: z.boolean().default(false) }).optional(),
  }),
})

export async function inspectMonitor(address: string): Promise<MonitorSeen> {
  const url = varzOf(address)
  try {
    const signal = AbortSignal.timeout(answerMsMax)
    const response = await fetch(url, { signal, redirect: 'error' })
    const { server_name: name, version, jetstream } = Varz.parse(await response.json())
    const syncsAlways = jetstream.config?.sync_always === true
    return { url: address, said: { name, version, syncsAlways }, why: '' }
  } catch (error) {
    const isOther = error instanceof z.ZodError || error instanceof SyntaxError
    const why = isOther ? 'it is not the monitoring of a nats-server' : 'it does not answer'
    return { url: address, said: null, why }
  }
}

function varzOf(address: string): URL {
  try {
    const url = new URL('/varz', address)
    const hasSecret = url.username !== '' || url.password !== ''
    if (/^https?:$/.test(url.protocol) && !hasSecret) return url
  } catch {
    // What is no address may hold a secret, so it is not repeated.
  }
  const message = 'an address of monitoring is `http://host:port`, with no user and no password'
  throw new Fault('monitor_invalid', message)
}
