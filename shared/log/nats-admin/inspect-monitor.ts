// What a server's monitoring says of how it keeps what it was given, and how much room it has: the
// JetStream API does not say it. Monitoring knows no users, so an address with a password is
// refused.
import { z } from 'zod'
import { Fault } from '#record/fault'

export interface Monitored {
  readonly name: string
  readonly version: string
  /** Whether what is acknowledged is on the disk. */
  readonly syncsAlways: boolean
  /** On its disk, and in its memory, where three servers have the mirrors. */
  readonly rooms: Readonly<Record<'storage' | 'memory', Room>>
}

/** In bytes. At its limit a server takes no fact any more. */
export interface Room {
  readonly used: number
  readonly limit: number
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
    config: z.looseObject({
      sync_always: z.boolean().default(false),
      max_memory: z.number().default(0),
      max_storage: z.number().default(0),
    }),
    stats: z.looseObject({ memory: z.number().default(0), storage: z.number().default(0) }),
  }),
})

export async function inspectMonitor(address: string): Promise<MonitorSeen> {
  const url = varzOf(address)
  try {
    const signal = AbortSignal.timeout(answerMsMax)
    const response = await fetch(url, { signal, redirect: 'error' })
    const { server_name: name, version, jetstream } = Varz.parse(await response.json())
    const { config, stats } = jetstream
    const rooms = {
      storage: { used: stats.storage, limit: config.max_storage },
      memory: { used: stats.memory, limit: config.max_memory },
    }
    const said = { name, version, syncsAlways: config.sync_always, rooms }
    return { url: address, said, why: '' }
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
