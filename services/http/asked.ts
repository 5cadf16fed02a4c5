// The routes of the table of operations: what is the caller's business, and for who may read all of
// the log, all of it.
import type { Hono } from 'hono'
import { readerRefusal } from '#rules/catalog/doors/log-readers'
import { realmOf } from '#client/asked'
import { answerRequest } from '#operations/requests'
import { allOperations, type OperationName } from '#schemas/operations/table'
import type { Door } from './door.ts'
import { addRoute } from './routed.ts'

/** Anyone may ask these, and each folds the log: as how many requests one counts more. */
const foldCost = 20
const folding: ReadonlySet<OperationName> = new Set(['trace', 'attention'])

export function addAsked(app: Hono, door: Door): void {
  const { log, follower, callbacks, clock } = door.runtime
  const { state } = follower
  for (const name of allOperations) {
    addRoute(app, name, async (c) => {
      const caller = await door.callerOf(c)
      door.admit(caller)
      const { principal } = caller
      const by = { principal, readsAll: readerRefusal(state.catalog, principal) === null }
      if (!by.readsAll && folding.has(name)) door.charge(caller, foldCost)
      const realm = realmOf([{ log, state, callbacks }], clock.now())
      const texts = { ...c.req.queries(), ...c.req.param() }
      return c.json(await answerRequest(name, { realm, by }, texts))
    })
  }
}
