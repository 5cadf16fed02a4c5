// The routes of the table of operations, for auditors: the logs of all cells are asked as one.
import type { Hono } from 'hono'
import { realmOf } from '#client/asked'
import type { Realm, RealmLog } from '#operations/realm'
import { answerRequest } from '#operations/requests'
import { allOperations, type OperationName } from '#schemas/operations/table'
import type { ConsoleOn } from './console.ts'
import { ofCell } from './logs.ts'
import { addFor } from './routed.ts'

const cost = 5
/** What the log is folded for, up to its end or to a moment. */
const costs: Partial<Record<OperationName, number>> = { trace: 20, concepts: 10, graphParts: 10 }

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
      costs[name] ?? cost,
    )
  }
}

export function realmServed({ logs, runtime }: ConsoleOn): Realm {
  return realmOf(logs.map(realmLogOf), runtime.clock.now())
}

export function realmLogOf(on: ConsoleOn): RealmLog {
  const { log, follower, callbacks } = on.runtime
  return {
    log,
    state: follower.state,
    callbacks,
    weigh: (facts) => on.allows.forgedAmong(facts),
    lastApproved: on.lastApproved.of,
    countAttention: (counts, meant) => on.attention.countInto(counts, meant),
    ...ofCell(on),
  }
}
