// One scene: a new deployment whose agents ask at a steady rate while something is done to it, and
// what the log holds when all of that has ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { bufferedMax } from '#adapters/nats-config/server-config'
import { stages } from '#services/stages'
import type { NatsServer, NatsServerOptions } from '../../test/support/servers/nats-server.ts'
import type { Deployment } from '../nats/deployment.ts'
import { deployThere, makeLogOn } from '../nats/server.ts'
import { startWorker, type NatsWorker } from '../nats/worker.ts'
import { foundByReplay, isWorked, missingInStreams } from './check.ts'
import { startOwnLoad, type Asked, type Load } from './load.ts'
import { startPythonLoad } from './python.ts'
import { Tally, type Counts } from './tally.ts'

export interface Options {
  readonly rate: number
  readonly seconds: number
  readonly turns: number
}

/** How every server of a scene is configured, as `warrant nats-config` has it. */
export const asDeployed: NatsServerOptions = { syncAlways: true, bufferedMax }

/** What a scene does something to. */
export interface Trial {
  readonly url: string
  readonly servers: readonly NatsServer[]
  readonly deployment: Deployment
  /** By its stage. */
  readonly workers: Map<string, NatsWorker>
}

export interface Course {
  readonly replicas?: number
  /** Whether agents in plain Python ask half of it. */
  readonly isHalfPython?: boolean
  readonly disturb: (trial: Trial) => Promise<Disturbed>
}

export interface Disturbed {
  /** What was done, in words. */
  readonly done: string
  /** What was asked by the way. */
  readonly asked?: readonly Asked[]
}

export interface Outcome extends Counts {
  readonly done: string
  readonly verdictMs: readonly number[]
  /** What is wrong in the streams and in what replay finds; empty where all is well. */
  readonly wrong: readonly string[]
  /** Acknowledged, and the agent itself had no verdict in time. */
  readonly unanswered: number
}

const agentsMax = 16
const agents = Array.from({ length: agentsMax }, (_, index) => `agent${index}`)
const inPython = Array.from({ length: agentsMax }, (_, index) => `python${index}`)
/** Anyone else floods, and has more open than is served. */
const isPolite = (agent: string): boolean => agents.includes(agent) || inPython.includes(agent)

/** Runs it on these servers. */
export async function tried(
  servers: readonly NatsServer[],
  { rate, seconds }: Options,
  { replicas = 1, isHalfPython = false, disturb }: Course,
): Promise<Outcome> {
  const url = servers.map((server) => server.url).join(',')
  await makeLogOn({ url }, { replicas })
  const deployment = await deployThere({ url }, [], [...agents, ...inPython])
  const workers = new Map<string, NatsWorker>()
  for (const { name } of stages) workers.set(name, await startWorker(url, name))
  const loads: readonly Load[] = isHalfPython
    ? [
        await startOwnLoad({ url, agents, rate: rate / 2 }),
        startPythonLoad({ url, agents: inPython, rate: rate / 2 }),
      ]
    : [await startOwnLoad({ url, agents, rate })]
  const [{ done, asked: more = [] }] = await Promise.all([
    disturb({ url, servers, deployment, workers }),
    sleep(seconds * 1_000),
  ])
  const asked = [more, ...(await Promise.all(loads.map((load) => load.end())))].flat()
  const outcome = await outcomeOf({ url, deployment, asked })
  await Promise.all([...workers.values()].map((worker) => worker.stop()))
  await deployment.runtime.stop()
  return { done, ...outcome }
}

interface Ended {
  readonly url: string
  readonly deployment: Deployment
  readonly asked: readonly Asked[]
}

async function outcomeOf({ url, deployment, asked }: Ended): Promise<Omit<Outcome, 'done'>> {
  const tally = await Tally.open(url, deployment.runtime.place.realm)
  await untilSettled(tally, { url, deployment, asked })
  const counts = tally.counts(asked, isPolite)
  const voids = tally.counts(asked, () => true).noVerdict - counts.noVerdict
  await tally.close()
  const answered = asked.flatMap(({ verdictMs }) => (verdictMs === null ? [] : [verdictMs]))
  return {
    ...counts,
    verdictMs: answered,
    unanswered: asked.filter(isUnanswered).length,
    wrong: [...(await missingInStreams(url)), ...(await foundByReplay(url, voids))],
  }
}

function isUnanswered({ agent, isTakenIn, verdictMs }: Asked): boolean {
  return isPolite(agent) && isTakenIn && verdictMs === null
}

const settleMsMax = 180_000
const lookMs = 1_000

/** What is not there then is missing for good. */
async function untilSettled(tally: Tally, { url, deployment, asked }: Ended): Promise<void> {
  const end = Date.now() + settleMsMax
  while (Date.now() < end) {
    // In this order: what comes to be read in the meantime was worked before.
    const worked = await isWorked(url, deployment.runtime.follower.state.place)
    await tally.read()
    const { lost, noVerdict } = tally.counts(asked, isPolite)
    if (worked && lost + noVerdict === 0) return
    await sleep(lookMs)
  }
}
