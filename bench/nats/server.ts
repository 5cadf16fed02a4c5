// A real NATS server that is started for one bench, with a log on it as an operator makes it, and a
// whole runtime there. Nothing of it is left behind, however the process ends.
import { rmSync } from 'node:fs'
import { jetStreamLog } from '#log/jetstream/log'
import { operate } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { makeLog } from '#log/nats-admin/operator'
import { logStream, streamNames } from '#log/nats/stream'
import { shapesOf, type Place } from '#record/names'
import { jobsOf } from '#runtime/engine/era-watch'
import { stages } from '#workers/stages'
import {
  startNats,
  type NatsServer,
  type NatsServerOptions,
} from '../../test/support/servers/nats-server.ts'
import { place } from '../../test/support/scene.ts'
import { asOperator } from '../../test/support/servers/as-operator.ts'
import type { Runtime } from '#runtime/engine/runtime'
import { deployOn } from '../deployment.ts'

/** Where the library alone publishes, into a stream that is configured as the log is. */
export const rawPlace: Place = { realm: 'raw', era: 1 }

/** Ends the server with the work, or with this process. */
export async function onServer<T>(
  options: NatsServerOptions,
  work: (server: NatsServer) => Promise<T>,
): Promise<T> {
  const server = await startNats(options)
  // A process that exits waits for nothing: a server in a container goes with its container.
  const end = (): void => {
    void server.signal('SIGKILL')
    rmSync(server.folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', end)
  try {
    return await work(server)
  } finally {
    process.off('exit', end)
    await server.dispose()
  }
}

/** Makes stream, mirror and queues. */
export async function makeLogOn({ url }: Pick<NatsServer, 'url'>): Promise<void> {
  await asOperator(url, async (requests) => {
    const queues = stages.map((stage) => {
      const { queue, names } = jobsOf(stage, place)
      return { name: queue, names }
    })
    await makeLog(requests, place, { replicas: 1, queues })
  })
}

/** Makes the bare stream of that place, which takes every kind, with no mirror and no queue. */
export async function makeStreamOn({ url }: NatsServer, at: Place): Promise<void> {
  await asOperator(url, async (requests) => {
    const stream = logStream(at, { replicas: 1, subjects: shapesOf(at) })
    await operate(requests, `STREAM.CREATE.${streamNames(at).log}`, stream)
  })
}

/** A runtime on the log that was made there. */
export async function deployThere({ url }: Pick<NatsServer, 'url'>): Promise<Runtime> {
  const link = await NatsLink.open({ servers: url })
  return deployOn(await jetStreamLog(link, { realm: place.realm }))
}
