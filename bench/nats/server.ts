// A real NATS server that is started for one bench, with a log on it as an operator makes it, and a
// whole runtime there. Nothing of it is left behind, however the process ends.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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
  natsBinary,
  startNats,
  type NatsServer,
  type NatsServerOptions,
} from '../../test/support/servers/nats-server.ts'
import { deployOn, inFolder, type Deployment } from './deployment.ts'

export const place: Place = { realm: 'main', era: 1 }
/** Where the library alone publishes, into a stream that is configured as the log is. */
export const rawPlace: Place = { realm: 'raw', era: 1 }

export function onServer<T>(
  options: NatsServerOptions,
  work: (server: NatsServer) => Promise<T>,
): Promise<T> {
  return inFolder(async (folder) => {
    const pidFile = join(folder, 'pid')
    const config = `${options.config ?? ''}\npid_file: ${JSON.stringify(pidFile)}`
    const server = await startNats({ ...options, config })
    const end = (): void => endNow(pidFile, server.folder)
    // Before all folders are removed, since it reads one.
    process.prependOnceListener('exit', end)
    try {
      return await work(server)
    } finally {
      await server.dispose()
      process.off('exit', end)
    }
  })
}

// A process that exits waits for nothing.
function endNow(pidFile: string, folder: string): void {
  // In a container it is not a process of this machine, and goes with its container.
  if (natsBinary === null) return
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
  } catch {
    // It has ended already.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Makes stream, mirror and queues. */
export async function makeLogOn({ url }: NatsServer): Promise<void> {
  await asOperator(url, async (requests) => {
    const queues = allStages.map((stage) => {
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

async function asOperator(url: string, work: (requests: Requests) => Promise<void>): Promise<void> {
  const requests = new Requests(await NatsLink.open({ servers: url }))
  try {
    await work(requests)
  } finally {
    requests.close()
    await requests.link.close()
  }
}

/** A runtime on the log that was made there; stages that are not named run elsewhere. */
export async function deployThere(
  { url }: NatsServer,
  stages: readonly Stage[] = allStages,
  others?: readonly string[],
): Promise<Deployment> {
  const link = await NatsLink.open({ servers: url })
  return deployOn(await jetStreamLog(link, { realm: place.realm }), stages, others)
}
