// Eras are rotated one after the other while agents ask: nothing that was taken in is left without
// its verdict, whichever era took it.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { natsRotation } from '#log/nats-admin/rotation'
import { replay } from '#replay/replay'
import { rotate } from '#replay/eras/rotate'
import { connect } from '#client/connect'
import type { Verdict } from '#replay/verdicts/verdict'
import { stages } from '#workers/stages'
import { newRealm, type Realm } from '../support/kill-realm.ts'
import { keys } from '../support/runtime.ts'
import { canStartNats, startNats, type NatsServer } from '../support/servers/nats-server.ts'
import { isFull } from '../support/vitest/counts.ts'

const turns = 3
const intentsMin = 300
const everyMs = 20
const root = { id: 'root', privateKey: keys.root }

describe.skipIf(!canStartNats)('eras that turn while agents ask', () => {
  let server: NatsServer
  let realm: Realm
  beforeAll(async () => {
    server = await startNats()
    realm = await newRealm({ url: server.url, realm: 'turns', ackWaitMs: 30_000 })
  })
  afterAll(async () => {
    await realm.dispose()
    await server.dispose()
  })

  test.runIf(isFull)('leave nothing that was taken in without its verdict', async () => {
    for (const stage of stages) await realm.open([stage])
    const asked: Promise<Verdict>[] = []
    let turning = true
    const asking = askEach(asked, () => turning || asked.length < intentsMin)
    const admin = await realm.open([])
    const access = { servers: server.url }
    for (let turn = 0; turn < turns; turn += 1) {
      await rotate(admin, root, natsRotation(access, access))
    }
    turning = false
    await asking
    const verdicts = await Promise.all(asked)
    expect(new Set(verdicts.map(({ outcome }) => outcome))).toEqual(new Set(['allow']))
    const intents = verdicts.map(({ intent }) => intent).toSorted()
    expect(await addressesOf('vlp')).toEqual(intents)
    expect(await addressesOf('verdict')).toEqual(intents)
    const { log, place } = admin
    const callbacks = threadCallbacks(() => Promise.resolve(null))
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    await callbacks.close()
    expect(report).toMatchObject({ differences: 0, open: 0, voidCount: 0, eras: turns + 1 })
  })

  /** Asks as two agents in turn, and waits for no answer. */
  async function askEach(asked: Promise<Verdict>[], goesOn: () => boolean): Promise<void> {
    const options = { log: server.url, realm: 'turns', reads: 'own' } as const
    const agents = [
      await connect({ ...options, as: 'ann' }),
      await connect({ ...options, as: 'ben' }),
    ] as const
    while (goesOn()) {
      asked.push(agents[asked.length % 2 === 0 ? 0 : 1].ask({ tool: 'look' }))
      await sleep(everyMs)
    }
    await Promise.allSettled(asked)
    await Promise.all(agents.map((agent) => agent.close()))
  }

  /** The intents of all facts of that kind, in all eras. */
  async function addressesOf(kind: 'vlp' | 'verdict'): Promise<readonly string[]> {
    const { log } = await realm.open([])
    const addresses: string[] = []
    for await (const { name } of log.read({}, [`turns.*.${kind}.>`])) {
      addresses.push(name.split('.').slice(3).join('.'))
    }
    return addresses.toSorted()
  }
})
