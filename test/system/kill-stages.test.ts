// Workers die by SIGKILL in the middle of their jobs, again and again, while others work beside
// them: each stage in its own process, policy in two, on a real server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWorked, newRealm, untilWorked, type Realm } from '../support/kill-realm.ts'
import { startTraffic, type Said } from './kill-traffic.ts'
import { Victim } from './kill-victim.ts'
import { natsBinary, startNats, type NatsServer } from '../support/servers/nats-server.ts'
import { count } from '../support/vitest/counts.ts'
import { builtFile } from '../support/vitest/built.ts'

/** Each round has a new log. */
const rounds = count(5, 1)
const killsOfEach = count(20, 6)
/** Of those that died at work, one or another had said less than it had done. */
const sparesOfEach = 2
const lanes = ['grounding', 'policy', 'policy', 'confirmation'] as const
type StageName = (typeof lanes)[number]

const jobsBeforeMax = 12
/** So many intents are open while workers die, and none waits long for a job. */
const openMin = 150
const ackWaitMs = 1_000

/** Numbers that look random and are the same each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 0x1_0000_0000) * sides)
  }
}

describe.skipIf(natsBinary === null)('on a nats-server', () => {
  let server: NatsServer
  const script = builtFile('test/system/kill-worker.ts')

  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(async () => {
    await server.dispose()
  })

  test(`killed ${rounds * killsOfEach} times a stage in their jobs, workers lose and double nothing`, async () => {
    const kills: Record<StageName, number> = { grounding: 0, policy: 0, confirmation: 0 }
    for (let round = 0; round < rounds; round += 1) {
      const realm = await newRealm({ url: server.url, realm: `kill${round}`, ackWaitMs })
      const { said, deaths } = await killing(realm, round)
      const { counts } = await expectWorked(realm)
      expect(counts).toMatchObject({
        vlp: said.intents,
        grounding: said.intents,
        verdict: said.intents,
        rate: said.counted,
        review: said.erased,
        decision: said.decided,
        withdrawal: said.withdrawn,
      })
      await realm.dispose()
      for (const { stage, isAtWork } of deaths) if (isAtWork) kills[stage] += 1
    }
    for (const stage of lanes) {
      expect(kills[stage], stage).toBeGreaterThanOrEqual(rounds * killsOfEach)
    }
  })

  interface Death {
    readonly stage: StageName
    /** Whether jobs of it was redelivered to another: then the server had them out with it. */
    readonly isAtWork: boolean
  }

  async function killing(
    realm: Realm,
    round: number,
  ): Promise<{ readonly said: Said; readonly deaths: readonly Death[] }> {
    const traffic = await startTraffic(realm, openMin)
    const dead: { readonly stage: StageName; readonly left: readonly number[] }[] = []
    const lives: { readonly stage: StageName; readonly victim: Victim }[] = []
    const hasEnded = (stage: StageName): boolean =>
      dead.filter((each) => each.stage === stage).length >= killsOfEach + sparesOfEach
    const lane = async (stage: StageName, index: number): Promise<Victim> => {
      const roll = dice(round * lanes.length + index + 1)
      const { realm: name } = realm.place
      const order = { kind: 'work', url: server.url, realm: name, stage } as const
      let next = new Victim(script)
      for (;;) {
        const victim = next
        lives.push({ stage, victim })
        await victim.report(order)
        if (hasEnded(stage)) return victim
        // The next one starts while this one works.
        next = new Victim(script)
        const left = await victim.kill(roll(jobsBeforeMax))
        // Between the order and the death its last job may have ended.
        if (left.length > 0) dead.push({ stage, left })
      }
    }
    const survivors = await Promise.all(lanes.map(lane))
    const said = await traffic.end()
    await untilWorked(realm, lanes)
    await Promise.all(survivors.map((victim) => victim.stop()))
    const deaths = dead.map(({ stage, left }) => {
      const others = lives.filter((each) => each.stage === stage)
      const timesOf = (position: number): number =>
        others.filter(({ victim }) => victim.begun.has(position)).length
      return { stage, isAtWork: left.some((position) => timesOf(position) > 1) }
    })
    return { said, deaths }
  }
})
