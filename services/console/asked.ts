// The routes of the table of operations, for auditors: the logs of all cells are asked as one.
import type { Hono } from 'hono'
import { realmOf } from '#client/asked'
import type { Fact } from '#ports/log'
import type { Realm, RealmLog } from '#operations/realm'
import { answerRequest } from '#operations/requests'
import { allOperations } from '#schemas/operations/table'
import type { ConsoleOn } from './console.ts'
import { ofCell } from './logs.ts'
import { addFor } from './routed.ts'

const cost = 5
/** To say what counts, the log is folded up to its end. */
const foldCost = 20

export function addOperations(app: Hono, served: ConsoleOn): void {
  for (const name of allOperations) {
    addFor(
      app,
      served,
      name,
      async ({ c, person: { id: principal, rights } }) => {
        const by = { principal, readsAll: rights.includes('auditor') }
        const texts = { ...c.req.queries(), ...c.req.param() }
        return c.json(await answerRequest(name, { realm: realmServed(served), by }, texts))
      },
      name === 'trace' ? foldCost : cost,
    )
  }
}

export function realmServed({ logs, runtime }: ConsoleOn): Realm {
  const all = logs.map((on) => {
    const { log, follower, callbacks } = on.runtime
    const weigh = (facts: readonly Fact[]) => on.allows.forgedAmong(facts)
    const countAttention: RealmLog['countAttention'] = (counts, meant) => {
      return on.attention.countInto(counts, meant)
    }
    return { log, state: follower.state, callbacks, weigh, countAttention, ...ofCell(on) }
  })
  return realmOf(all, runtime.clock.now())
}
