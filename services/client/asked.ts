// What a program asks of a realm by the table of operations, on a log that it has open.
import type { RealmLog } from '#operations/realm'
import type { Runtime } from '#runtime/engine/runtime'
import type { OperationAnswer, OperationInput, OperationName } from '#schemas/operations/table'

export interface RealmReader {
  /**
   * The answer to an operation of the table, such as `read('contracts', { state: 'ended' })`: what
   * `warrant contracts --state ended --json` prints.
   */
  read<Name extends OperationName>(
    name: Name,
    given?: OperationInput<Name>,
  ): Promise<OperationAnswer<Name>>
}

/** Who has opened a log reads all of it. */
export function readingOn({ log, follower, clock }: Runtime): RealmReader {
  const { state } = follower
  return {
    async read(name, given) {
      const { askRealm } = await import('#operations/answers')
      const { position } = await log.head()
      await follower.reached(position)
      const here: RealmLog = { log, state }
      const asking = {
        realm: { logs: [here], now: clock.now() },
        by: { principal: null, readsAll: true },
      }
      return (await askRealm(name, asking, given ?? {})).answer
    },
  }
}
