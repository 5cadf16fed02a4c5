// One scene: a new log whose agents ask without a pause in their work while something is done to
// it, and what the log must hold when all of that has ended.
import { expect } from 'vitest'
import { stages } from '#workers/stages'
import { newRealm, type Realm } from '../../support/kill-realm.ts'
import { readingBy } from '../../support/intents.ts'
import { place } from '../../support/scene.ts'
import type { NatsServer } from '../../support/servers/nats-server.ts'
import { builtFile } from '../../support/vitest/built.ts'
import { Victim } from '../kill-victim.ts'
import { foundByReplay, isWorked, missingInStreams } from './check.ts'
import { startOwnLoad, type Asked, type Load } from './load.ts'
import { startPythonLoad } from './python.ts'
import { Tally, type Counts } from './tally.ts'

/** What a scene does something to. */
export interface Trial {
  readonly url: string
  readonly servers: readonly NatsServer[]
  readonly realm: Realm
  readonly load: Load
  /** Ends the worker of that stage as a failure of its machine does, and starts another. */
  readonly replace: (stage: string) => Promise<void>
}

export interface Course {
  readonly servers: readonly NatsServer[]
  readonly replicas?: number
  /** Whether agents in plain Python ask half of it. */
  readonly isHalfPython?: boolean
  /** Gives what was asked by the way. */
  readonly disturb: (trial: Trial) => Promise<readonly Asked[] | void>
}

const agents = Array.from({ length: 16 }, (_, index) => `agent${index}`)
const inPython = Array.from({ length: 16 }, (_, index) => `python${index}`)
/** Has more open than is served. */
export const flooder = 'flooder'
/** Asks until there is no room. */
export const filler = 'filler'

const clean = { lost: 0, doubled: 0, twoVerdicts: 0, noVerdict: 0, faults: 0 }
const ackWaitMs = 30_000

/** Nothing that was acknowledged is lost, doubled, or without one verdict that derives again. */
export async function holds(course: Course): Promise<void> {
  const { servers, replicas = 1, isHalfPython = false, disturb } = course
  const url = servers.map((server) => server.url).join(',')
  const setup = readingBy([...agents, ...inPython, flooder, filler])
  const realm = await newRealm({ url, realm: place.realm, ackWaitMs, replicas, setup })
  const workers = new Map<string, Victim>()
  const replace = async (stage: string): Promise<void> => {
    await workers.get(stage)?.end()
    workers.set(stage, await workerOf(url, stage))
  }
  for (const { name } of stages) await replace(name)
  const load = await startOwnLoad({ url, agents })
  const other = isHalfPython ? await startPythonLoad({ url, agents: inPython }) : null
  const more = await disturb({ url, servers, realm, load, replace })
  const asked = [await load.end(), (await other?.end()) ?? [], more ?? []].flat()
  expect(asked.filter(({ isTakenIn }) => isTakenIn).length).toBeGreaterThan(0)
  await expectWhole(realm, url, asked)
  for (const worker of workers.values()) await worker.stop()
  await realm.dispose()
}

async function workerOf(url: string, stage: string): Promise<Victim> {
  const worker = new Victim(builtFile('test/system/kill-worker.ts'))
  await worker.report({ kind: 'work', url, realm: place.realm, stage })
  return worker
}

async function expectWhole(realm: Realm, url: string, asked: readonly Asked[]): Promise<void> {
  const { follower } = await realm.open([])
  const tally = await Tally.open(url, place.realm)
  const isPolite = (agent: string): boolean => agent !== flooder
  const settled = async (): Promise<Partial<Counts>> => {
    // In this order: what comes to be read in the meantime was worked before.
    const worked = await isWorked(url, follower.state.place)
    await tally.read()
    const { acknowledged: _, ...counts } = tally.counts(asked, isPolite)
    return worked ? counts : {}
  }
  await expect.poll(settled, { interval: 500 }).toEqual(clean)
  const voids = tally.counts(asked, () => true).noVerdict
  await tally.close()
  expect(await missingInStreams(url)).toEqual([])
  expect(await foundByReplay(url, voids)).toEqual([])
}
