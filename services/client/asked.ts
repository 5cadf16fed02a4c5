// What a program asks of a realm by the table of operations, on a log that it has open.
import type { Realm, RealmLog } from '#operations/realm'
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

/** As every door asks it, now. A question that derives nothing loads no stage. */
export function realmOf(logs: readonly RealmLog[], now: number): Realm {
  return { logs, now, stages: async () => (await import('#workers/stages')).stages }
}

/** Who has opened a log reads all of it. */
export function readingOn({ log, follower, callbacks, clock }: Runtime): RealmReader {
  const { state } = follower
  return {
    async read(name, given) {
      const { askRealm, readsWhole } = await import('#operations/answers')
      const { position } = await log.head()
      await follower.reached(position)
      const realm = realmOf([{ log, state, callbacks }], clock.now())
      return (await askRealm(name, { realm, by: readsWhole }, given ?? {})).answer
    },
  }
}
