// The routes of the table of operations: what is the caller's business, and for who may read all of
// the log, all of it.
import type { Hono } from 'hono'
import { readerRefusal } from '#rules/catalog/doors/log-readers'
import { realmOf } from '#client/asked'
import { answerRequest } from '#operations/requests'
import { allOperations } from '#schemas/operations/table'
import type { Door } from './door.ts'
import { addRoute } from './routed.ts'

export function addAsked(app: Hono, door: Door): void {
  const { log, follower, callbacks, clock } = door.runtime
  const { state } = follower
  for (const name of allOperations) {
    addRoute(app, name, async (c) => {
      const caller = await door.callerOf(c)
      door.agentFor(caller)
      const { principal } = caller
      const by = { principal, readsAll: readerRefusal(state.catalog, principal) === null }
      const realm = realmOf([{ log, state, callbacks }], clock.now())
      const texts = { ...c.req.queries(), ...c.req.param() }
      return c.json(await answerRequest(name, { realm, by }, texts))
    })
  }
}
