// The demo's place on a NATS server: a new realm with a log of its own, made as an operator makes
// one, and every stage in its own process. What is left there afterwards is printed, never removed.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { ulidIds } from '#system/ids'
import { makeLog, openOperator } from '#log/nats-admin/operator'
import { streamNames } from '#log/nats/stream'
import type { Place } from '#record/names'
import { loadModule } from '#authoring/callback-store'
import { natsAccess, type LogPlace } from '#runtime/logs/log-url'
import { openRuntime } from '#wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import type { RunnableStage } from '#runtime/engine/worker'
import { replay } from '#replay/replay'
import { jobsOf } from '#runtime/engine/era-watch'
import { startStages } from './stage-processes.ts'
import { furtherLines, type Replayed, type Venue } from './venue.ts'

export async function venueOnNats(log: LogPlace, stages: readonly RunnableStage[]): Promise<Venue> {
  const { url } = log
  const realm = `demo-${ulidIds().next(Date.now())}`
  const place = { realm, era: 1 }
  await makeOn(log, place, stages)
  const folder = resolve(join('.warrant', realm))
  await mkdir(folder, { recursive: true })
  const apart = startStages({ url, realm, folder, stages })
  try {
    const runtime = await openRuntime({ log: { ...log, folder }, realm, stages: [] })
    return {
      runtime,
      realm,
      broken: apart.broken,
      further: [
        ...furtherLines([`export WARRANT_LOG=${url} WARRANT_HOME=${folder}`], ` --realm ${realm}`),
        ...leftLines(place),
      ],
      async drain() {
        await apart.stop()
        return replayed(runtime, folder, stages)
      },
      async close() {
        await apart.stop()
        await runtime.stop()
      },
    }
  } catch (error) {
    await apart.stop()
    throw error
  }
}

async function makeOn(
  log: LogPlace,
  place: Place,
  stages: readonly RunnableStage[],
): Promise<void> {
  const operator = await openOperator(natsAccess(log))
  try {
    const queues = stages.map((stage) => {
      const { queue, names } = jobsOf(stage, place)
      return { name: queue, names }
    })
    await makeLog(operator.atLog, place, { replicas: 1, queues }, operator.mirrors)
  } finally {
    await operator.close()
  }
}

async function replayed(
  { log, place }: Runtime,
  folder: string,
  stages: readonly RunnableStage[],
): Promise<Replayed> {
  const callbacks = threadCallbacks((digest) => loadModule(folder, digest))
  try {
    const began = performance.now()
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    return { report, ms: performance.now() - began }
  } finally {
    await callbacks.close()
  }
}

function leftLines(place: Place): readonly string[] {
  const { log, mirror } = streamNames(place)
  return ['', 'The log stays on the server until an operator removes it:'].concat(
    [mirror, log].map((stream) => `nats stream rm ${stream}`),
  )
}
