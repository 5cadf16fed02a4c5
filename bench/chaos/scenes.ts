// The scenes of one server: what is done to it, to the workers and to the log while agents ask.
import { setTimeout as sleep } from 'node:timers/promises'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { untilTaken } from '#adapters/jetstream/patience'
import { natsRotation } from '#adapters/nats-admin/rotation'
import { assert } from '#core/kernel/fault'
import { rotate } from '#runtime/eras/rotate'
import { keys } from '../../test/support/runtime.ts'
import { storeLimit, type NatsServerOptions } from '../../test/support/servers/nats-server.ts'
import { messages } from '../nats/deployment.ts'
import { asOperator, onServer } from '../nats/server.ts'
import { startWorker } from '../nats/worker.ts'
import { inCluster } from './cluster.ts'
import { flooded } from './flood.ts'
import { asDeployed, tried, type Course, type Options, type Outcome } from './trial.ts'

export type Scene = (options: Options) => Promise<Outcome>

const killsMin = 3
const killEverySeconds = 8

const kill = onOne(({ seconds }) => {
  const kills = Math.max(killsMin, Math.floor(seconds / killEverySeconds))
  return {
    disturb: async ({ servers: [server] }) => {
      for (let count = 0; count < kills; count += 1) {
        await sleep((seconds * 1_000) / (kills + 1))
        await server?.kill()
        await server?.start()
      }
      return { done: `the server is killed and started ${kills} times` }
    },
  }
})

const workers = onOne(({ seconds }) => ({
  disturb: async ({ url, workers: running }) => {
    const killed = ['grounding', 'policy', 'grounding', 'policy']
    for (const stage of killed) {
      await sleep((seconds * 1_000) / (killed.length + 1))
      await running.get(stage)?.kill()
      running.set(stage, await startWorker(url, stage))
    }
    return { done: 'grounding and policy are killed and replaced, twice each' }
  },
}))

const storeBytes = { small: 8_000_000, large: 8_000_000_000 }
const fullMs = 5_000

const disk = onOne(
  ({ seconds }) => ({
    disturb: async ({ url, servers: [server] }) => {
      assert(server !== undefined, 'there is a server')
      const bytes = await untilFull(url, seconds * 1_000)
      await sleep(fullMs)
      const file = join(server.folder, 'server.conf')
      const text = readFileSync(file, 'utf8')
      const [small, large] = [storeLimit(storeBytes.small), storeLimit(storeBytes.large)]
      await server.stop()
      writeFileSync(file, text.replace(small, large))
      await server.start()
      const done = `the store is full at ${bytes} bytes, and has room ${fullMs / 1_000} s later`
      return { done }
    },
  }),
  { storeBytesMax: storeBytes.small },
)

/** What a policy admin does where a server did not answer: the same again goes on from there. */
const turnMsMax = 120_000

const rotation = onOne(({ seconds, turns }) => ({
  isHalfPython: true,
  disturb: async ({ url, deployment }) => {
    const access = { servers: url }
    const author = { id: 'root', privateKey: keys.root }
    let longestMs = 0
    for (let turn = 0; turn < turns; turn += 1) {
      await sleep((seconds * 1_000) / (turns + 1))
      const start = performance.now()
      const turned = () => rotate(deployment.runtime, author, natsRotation(access, access))
      await untilTaken(turned, { waitMs: turnMsMax, isWorthIt: ({ retry }) => retry === 'soon' })
      longestMs = Math.max(longestMs, performance.now() - start)
    }
    const longest = (longestMs / 1_000).toFixed(1)
    return { done: `${turns} turns, each within ${longest} s; half of it in Python` }
  },
}))

const flooder = 'bot'
const floodSize = 20_000

const flood = onOne(({ seconds }) => ({
  disturb: async ({ url, deployment }) => {
    await sleep((seconds * 1_000) / 4)
    const entries = [...messages(deployment, floodSize, null, [flooder])]
    const asked = await flooded(url, flooder, entries)
    return {
      done: `${floodSize} at once by one agent, of which ${asked.length} are acknowledged`,
      asked,
    }
  },
}))

const lookMs = 1_000
const Usage = z.object({ storage: z.number() })

/** Resolves with how many bytes are stored, once no more are from one look to the next. */
async function untilFull(url: string, waitMs: number): Promise<number> {
  return asOperator(url, async (requests) => {
    const end = Date.now() + waitMs
    let before = 0
    for (;;) {
      const { bytes } = await requests.ask(`${requests.link.api}.INFO`, '')
      const { storage } = Usage.parse(JSON.parse(Buffer.from(bytes).toString()))
      if (storage === before) return storage
      assert(Date.now() < end, 'the store is full before the scene ends: ask more')
      before = storage
      await sleep(lookMs)
    }
  })
}

export const scenes: ReadonlyMap<string, Scene> = new Map([
  ['kill', kill],
  ['cluster', inCluster],
  ['workers', workers],
  ['disk', disk],
  ['rotate', rotation],
  ['flood', flood],
])

function onOne(courseFor: (options: Options) => Course, more: NatsServerOptions = {}): Scene {
  return (options) =>
    onServer({ ...asDeployed, ...more }, (server) => tried([server], options, courseFor(options)))
}
