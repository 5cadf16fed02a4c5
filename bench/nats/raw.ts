// The bare competitor: the library of NATS alone, connected with its default options, with
// the promise of the log and none of its work. It knows no name, no fact and no stage.
import { jetstream, type JetStreamClient, type JsMsg } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { operate } from '#adapters/nats/api'
import { NatsLink } from '#adapters/nats/link'
import { Requests } from '#adapters/nats/requests'
import { queueConfig, streamNames } from '#adapters/nats/stream'
import { patternOf } from '#core/kernel/names'
import type { Entry } from '#ports/log'
import type { Pipeline } from '../embedded/latency.ts'
import { rawPlace } from './server.ts'

/** How many messages the library asks for at once. */
const pageMax = 1_000
const stream = streamNames(rawPlace).log

export interface Raw {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
}

export async function openRaw(url: string): Promise<Raw> {
  const connection = await connect({ servers: url })
  return { connection, client: jetstream(connection) }
}

/** The name of an entry of the log, in the realm of the bare stream. */
function rawName(name: string): string {
  return `${rawPlace.realm}${name.slice(name.indexOf('.'))}`
}

/** Publishes them all, with so many acknowledgements awaited at any time; seconds. */
export async function publishSeconds(
  { client }: Raw,
  entries: readonly Entry[],
  outstanding: number,
): Promise<number> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let entry = entries[next++]; entry !== undefined; entry = entries[next++]) {
      await client.publish(rawName(entry.name), entry.bytes)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: outstanding }, lane))
  return (performance.now() - start) / 1_000
}

/** Reads so many messages of a stream in order, and parses each as JSON; seconds. */
export async function readSeconds({ client }: Raw, from: string, count: number): Promise<number> {
  const start = performance.now()
  const reader = await client.consumers.get(from, { deliver_policy: 'all' })
  let left = count
  await new Promise<void>((resolve, reject) => {
    const callback = ({ data }: JsMsg): void => {
      JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString('utf8'))
      left -= 1
      if (left === 0) resolve()
    }
    reader.consume({ max_messages: pageMax, callback }).catch(reject)
  })
  return (performance.now() - start) / 1_000
}

const legs = ['vlp', 'grounding', 'verdict'] as const

/**
 * Three awaited publishes with two queues between them: each publishes what it was given under
 * the next kind of name, and then acknowledges. Through is what was acknowledged the third time.
 */
export async function rawPipeline(raw: Raw, url: string): Promise<Pipeline> {
  const { client } = raw
  const listeners = new Set<(address: string) => void>()
  await makeQueues(url)
  const [first, second, third] = legs
  await pass(raw, first, async (address, bytes) => {
    await client.publish(patternOf(rawPlace, second, address, 'x'), bytes)
  })
  await pass(raw, second, async (address, bytes) => {
    await client.publish(patternOf(rawPlace, third, address), bytes)
    for (const through of listeners) through(address)
  })
  return {
    publish: ({ name, bytes }) => void client.publish(rawName(name), bytes),
    listen: (through) => {
      listeners.add(through)
      return () => listeners.delete(through)
    },
  }
}

async function makeQueues(url: string): Promise<void> {
  const requests = new Requests(await NatsLink.open({ servers: url }))
  for (const kind of legs.slice(0, 2)) {
    const config = queueConfig(kind, [patternOf(rawPlace, kind)])
    const body = { stream_name: stream, config, action: 'create' }
    await operate(requests, `CONSUMER.DURABLE.CREATE.${stream}.${kind}`, body)
  }
  requests.close()
  await requests.link.close()
}

async function pass(
  { client }: Raw,
  kind: string,
  on: (address: string, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const queue = await client.consumers.get(stream, kind)
  const receive = async (message: JsMsg): Promise<void> => {
    const address = message.subject.split('.').slice(3, 6).join('.')
    await on(address, message.data)
    message.ack()
  }
  await queue.consume({ max_messages: pageMax, callback: (message) => void receive(message) })
}
