// A real NATS server that is started for one bench, with a log on it as an operator makes it, and a
// whole runtime there. Nothing of it is left behind, however the process ends.
import { rmSync } from 'node:fs'
import { jetStreamLog } from '#adapters/jetstream/log'
import { operate } from '#adapters/nats/api'
import { NatsLink } from '#adapters/nats/link'
import { makeLog } from '#adapters/nats-admin/operator'
import { Requests } from '#adapters/nats/requests'
import { logStream, streamNames } from '#adapters/nats/stream'
import { shapesOf, type Place } from '#core/kernel/names'
import type { Stage } from '#core/stages/stage'
import { jobsOf } from '#runtime/engine/era-watch'
import { stages as allStages } from '#services/stages'
import {
  startNats,
  type NatsServer,
  type NatsServerOptions,
} from '../../test/support/servers/nats-server.ts'
import { deployOn, type Deployment } from './deployment.ts'

export const place: Place = { realm: 'main', era: 1 }
/** Where the library alone publishes, into a stream that is configured as the log is. */
export const rawPlace: Place = { realm: 'raw', era: 1 }

export async function onServer<T>(
  options: NatsServerOptions,
  work: (server: NatsServer) => Promise<T>,
): Promise<T> {
  const server = await startNats(options)
  return whileTheyRun([server], () => work(server))
}

/** Ends the servers with the work, or with this process. */
export async function whileTheyRun<T>(
  servers: readonly NatsServer[],
  work: () => Promise<T>,
): Promise<T> {
  const end = (): void => servers.forEach(endNow)
  process.once('exit', end)
  try {
    return await work()
  } finally {
    process.off('exit', end)
    for (const server of servers) await server.dispose()
  }
}

// A process that exits waits for nothing: a server in a container goes with its container.
function endNow(server: NatsServer): void {
  void server.signal('SIGKILL')
  rmSync(server.folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Makes stream, mirror and queues. */
export async function makeLogOn(
  { url }: Pick<NatsServer, 'url'>,
  { replicas = 1 }: { readonly replicas?: number } = {},
): Promise<void> {
  await asOperator(url, async (requests) => {
    const queues = allStages.map((stage) => {
      const { queue, names } = jobsOf(stage, place)
      return { name: queue, names }
    })
    await makeLog(requests, place, { replicas, queues })
  })
}

/** Makes the bare stream of that place, which takes every kind, with no mirror and no queue. */
export async function makeStreamOn({ url }: NatsServer, at: Place): Promise<void> {
  await asOperator(url, async (requests) => {
    const stream = logStream(at, { replicas: 1, subjects: shapesOf(at) })
    await operate(requests, `STREAM.CREATE.${streamNames(at).log}`, stream)
  })
}

/** Without accounts everyone is an operator. */
export async function asOperator<T>(
  url: string,
  work: (requests: Requests) => Promise<T>,
): Promise<T> {
  const requests = new Requests(await NatsLink.open({ servers: url }))
  try {
    return await work(requests)
  } finally {
    requests.close()
    await requests.link.close()
  }
}

/** A runtime on the log that was made there; stages that are not named run elsewhere. */
export async function deployThere(
  { url }: Pick<NatsServer, 'url'>,
  stages: readonly Stage[] = allStages,
  others?: readonly string[],
): Promise<Deployment> {
  const link = await NatsLink.open({ servers: url })
  return deployOn(await jetStreamLog(link, { realm: place.realm }), stages, others)
}
