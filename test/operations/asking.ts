// Asks an operation of runtimes as they are now, in no door: as who has opened the log, if no other
// is named.
import { askRealm } from '#operations/answers'
import { realmOf } from '#client/asked'
import type { Asker, Realm } from '#operations/realm'
import type { Runtime } from '#runtime/engine/runtime'
import type { OperationAnswer, OperationName } from '#schemas/operations/table'

const opener: Asker = { principal: null, readsAll: true }

type Read = Pick<Runtime, 'follower' | 'log' | 'clock'>

/** Of one log, or of the cells of a realm in their order. */
function realmOn(runtimes: readonly Read[]): Realm {
  const isOnly = runtimes.length === 1
  const logs = runtimes.map(({ log, follower: { state } }, cell) => {
    return { log, state, ...(!isOnly && { cell }) }
  })
  return realmOf(logs, runtimes[0]?.clock.now() ?? 0)
}

export async function asked<Name extends OperationName>(
  on: Read,
  name: Name,
  given: object = {},
  by: Asker = opener,
): Promise<OperationAnswer<Name>> {
  return (await askRealm(name, { realm: realmOn([on]), by }, given)).answer
}
