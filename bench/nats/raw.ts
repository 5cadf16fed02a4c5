// The bare competitor: the library of NATS alone, connected with its default options, with
// the promise of the log and none of its work. It knows no name, no fact and no stage.
import { jetstream, type JetStreamClient } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Entry } from '#ports/log'
import { inLanes, timed } from '../harness.ts'
import { rawPlace } from './server.ts'

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
  const publish = ({ name, bytes }: Entry) => client.publish(rawName(name), bytes)
  return (await timed(() => inLanes(entries, outstanding, publish))) / 1_000
}

/** How long each takes until it is acknowledged, one at a time, in milliseconds. */
export async function publishTimes(
  { client }: Raw,
  entries: readonly Entry[],
): Promise<readonly number[]> {
  return inLanes(entries, 1, ({ name, bytes }) => client.publish(rawName(name), bytes))
}
