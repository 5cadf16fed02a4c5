// Servers and workers are killed and frozen, the store is full, eras rotate and an agent floods
// while others ask: what was acknowledged is in the log once, with one verdict that derives
// again.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, test } from 'vitest'
import { untilTaken } from '#log/jetstream/patience'
import { natsRotation } from '#log/nats-admin/rotation'
import { bufferedMax } from '#log/nats-config/server-config'
import { rotate } from '#replay/eras/rotate'
import { keys } from '../../support/runtime.ts'
import { messagesIn } from '../../support/intents.ts'
import { place } from '../../support/scene.ts'
import {
  canStartNats,
  startNats,
  startNatsCluster,
  storeLimit,
  type NatsServer,
  type NatsServerOptions,
} from '../../support/servers/nats-server.ts'
import { isFull } from '../../support/vitest/counts.ts'
import { killedAndFrozen, untilTheyAnswer } from './cluster.ts'
import { filled, flooded } from './flood.ts'
import { hasPython } from './python.ts'
import { filler, flooder, holds, type Course, type Trial } from './trial.ts'

/** As `warrant nats-config` has it. */
const asDeployed: NatsServerOptions = { syncAlways: true, bufferedMax }
/** So many intents more, between one blow and the next. */
const betweenMin = 300
const kills = 4
const turns = 5
const floodSize = 20_000
const storeBytes = { small: 8_000_000, large: 8_000_000_000 }
/** Of what the store has no room for, at most. */
const fillingMax = 100_000
/** A server that did not answer is asked the same again: it goes on from there. */
const turnMsMax = 600_000

describe.runIf(isFull && canStartNats)('nothing is lost, doubled or left undecided', () => {
  let running: readonly NatsServer[] = []
  afterEach(async () => {
    await Promise.all(running.map((server) => server.dispose()))
  })

  async function onOne(
    disturb: (trial: Trial, server: NatsServer) => ReturnType<Course['disturb']>,
    { isHalfPython = false, ...more }: NatsServerOptions & { isHalfPython?: boolean } = {},
  ): Promise<void> {
    const server = await startNats({ ...asDeployed, ...more })
    running = [server]
    await holds({ servers: running, isHalfPython, disturb: (trial) => disturb(trial, server) })
  }

  test('where the server is killed again and again', () =>
    onOne(async ({ load }, server) => {
      for (let count = 0; count < kills; count += 1) {
        await load.untilAnswered(betweenMin)
        await server.kill()
        await server.start()
      }
      await load.untilAnswered(betweenMin)
    }))

  test('where workers are killed and replaced', () =>
    onOne(async ({ load, replace }) => {
      for (const stage of ['grounding', 'policy', 'grounding', 'policy']) {
        await load.untilAnswered(betweenMin)
        await replace(stage)
      }
      await load.untilAnswered(betweenMin)
    }))

  test('where servers of a cluster are killed and frozen, and all killed at once', async () => {
    running = await startNatsCluster(asDeployed)
    await untilTheyAnswer(running)
    await holds({ servers: running, replicas: 3, disturb: killedAndFrozen })
  })

  test('where the store is full until it gets more room', () =>
    onOne(
      async ({ url, load }, server) => {
        const asked = await filled(url, filler, messagesIn(place, fillingMax, { agents: [filler] }))
        await load.untilAsked(betweenMin)
        const file = join(server.folder, 'server.conf')
        const text = readFileSync(file, 'utf8')
        const [small, large] = [storeLimit(storeBytes.small), storeLimit(storeBytes.large)]
        await server.stop()
        writeFileSync(file, text.replace(small, large))
        await server.start()
        await load.untilAnswered(betweenMin)
        return asked
      },
      { storeBytesMax: storeBytes.small },
    ))

  test(`where the era is rotated ${turns} times, and others ask in plain Python`, () =>
    onOne(
      async ({ url, realm, load }) => {
        const admin = await realm.open([])
        const [access, author] = [{ servers: url }, { id: 'root', privateKey: keys.root }]
        for (let turn = 0; turn < turns; turn += 1) {
          await load.untilAnswered(betweenMin)
          const turned = () => rotate(admin, author, natsRotation(access, access))
          await untilTaken(turned, {
            waitMs: turnMsMax,
            isWorthIt: ({ retry }) => retry === 'soon',
          })
        }
        await load.untilAnswered(betweenMin)
      },
      { isHalfPython: hasPython },
    ))

  test(`where one agent writes ${floodSize} at once`, () =>
    onOne(async ({ url, load }) => {
      await load.untilAnswered(betweenMin)
      const entries = [...messagesIn(place, floodSize, { agents: [flooder] })]
      const asked = await flooded(url, flooder, entries)
      await load.untilAnswered(betweenMin)
      return asked
    }))
})
