// A governed call in one process, from the ask to the frame, against as many bare durable inserts
// one after the other as it has facts.
import { join } from 'node:path'
import { sqliteLog } from '#log/sqlite/log'
import { assert } from '#record/fault'
import { publicKeyOf } from '#record/crypto/private-key'
import { connect } from '#client/connect'
import { testKey } from '#testing/setup'
import { capability, file, intentOf } from '../../test/support/intents.ts'
import { testRuntime } from '../../test/support/runtime.ts'
import { inFolder } from '../deployment.ts'
import { atMost, cpuOf, inLanes, inRounds, percentiles, sized, type Bench } from '../harness.ts'
import { insertTimes } from './raw.ts'

const rounds = 5
const inRound = sized(60)
/** The message, its grounding, its verdict, the start and the outcome. */
const factsOfCall = 5
const factBytes = 700

/** Of five fields, of which one is sensitive by its name. */
const answer = Array.from({ length: 50 }, (_, index) => ({
  id: index,
  booking: `ZX${index}QL`,
  paid: index % 2 === 0,
  cents: index * 125,
  email: `a${index}@example.com`,
}))

const inserts = `${factsOfCall} bare durable inserts`
const whole = 'a governed call'
const cpu = 'CPU of it'

export const bench: Bench = {
  title: 'A governed call in one process, whose tool answers with 50 rows',
  run: () =>
    inFolder(async (folder) => {
      const { call, stop } = await calling(join(folder, 'log.db'))
      const ran = await inRounds(rounds, async (round) => {
        let times: readonly number[] = []
        const lines = Array.from({ length: inRound }, (_, index) => round * inRound + index)
        const used = await cpuOf(async () => {
          times = await inLanes(lines, 1, call)
        })
        return {
          ...percentiles(whole, times),
          ...percentiles(inserts, bareInserts(join(folder, `bare-${round}.db`))),
          [cpu]: used / inRound,
        }
      })
      await stop()
      const aims = atMost(3)
      return [
        ran.figure(`${whole}, p50`, 'ms', { against: `${inserts}, p50`, aims }),
        ran.figure(`${whole}, p99`, 'ms', { against: `${inserts}, p99` }),
        ran.figure(cpu, 'µs a call'),
      ]
    }),
}

/** One who asks for a call and makes it, of the n-th thing that is asked for. */
export async function calling(path: string) {
  const privateKey = testKey('gate')
  const { runtime } = await testRuntime({
    log: await sqliteLog(path),
    catalog: {
      capabilities: [{ ...capability, driver: { kind: 'local', operation: capability.id } }],
      principals: [{ id: 'gate', roles: ['issuer'], keys: [publicKeyOf(privateKey)] }],
      limits: [{ safetyClass: 'READ', uses: 'unlimited', windowMs: 60_000 }],
    },
    graph: { primitives: [file] },
  })
  const tools = { [capability.id]: () => answer }
  const client = await connect({ as: 'bot', runtime, tools, issuer: { id: 'gate', privateKey } })
  const call = async (n: number): Promise<void> => {
    const { intent } = await client.ask(intentOf(n))
    assert((await client.call(intent)).frame.handle !== null, 'the result is kept')
  }
  const stop = async (): Promise<void> => {
    await client.close()
    await runtime.stop()
  }
  return { call, stop }
}

/** How long as many rows take as a call has facts. */
function bareInserts(path: string): readonly number[] {
  const bytes = new Uint8Array(factBytes)
  const rows = Array.from({ length: inRound * factsOfCall }, (_, index) => {
    return { name: `main.1.vlp.${index}`, bytes }
  })
  const each = insertTimes(path, rows)
  return Array.from({ length: inRound }, (_, call) =>
    each.slice(call * factsOfCall, (call + 1) * factsOfCall).reduce((sum, one) => sum + one, 0),
  )
}
