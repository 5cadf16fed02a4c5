// The logs that a gateway serves: that of its realm, or those of its cells. A warrant names the
// cell that it is of; an intent is in the cell of its agent, or where that was before it moved.
import { principalNamed } from '#rules/catalog/catalog'
import { cellOf } from '#rules/catalog/cells'
import { assert } from '#record/fault'
import { agentIn, cellIn } from '#record/names'
import { factAbout } from '#runtime/engine/binding'
import type { ServedLog } from '#wiring/own-gateway'
import type { WarrantClaims } from '#schemas/action/warrant'

export interface ServedLogs {
  readonly all: readonly ServedLog[]
  /** For what all share: catalog, clock and logger. */
  readonly first: ServedLog
  /** That of the realm and cell that a warrant claims; undefined where it is not served here. */
  claimed(of: WarrantClaims['warrant']): ServedLog | undefined
  /** That which has a verdict on the intent; that of its agent's cell where none has. */
  about(intent: string): Promise<ServedLog>
}

export function servedLogs(all: readonly ServedLog[]): ServedLogs {
  const [first] = all
  assert(first !== undefined, 'there is a log to serve')
  const placed = all.map((log) => ({ log, place: cellIn(log.runtime.place.realm) }))
  return {
    all,
    first,
    claimed({ realm, cell }) {
      const found = placed.find(({ log, place }) => {
        const of = place?.of ?? log.runtime.place.realm
        return of === realm && place?.index === cell
      })
      return found?.log
    },
    async about(intent) {
      if (all.length === 1) return first
      const { catalog } = first.runtime.follower.state
      const agent = principalNamed(catalog, agentIn(intent))
      const cell = agent === undefined ? null : cellOf(catalog, agent.id)
      const own = placed.find(({ place }) => place?.index === cell)?.log ?? first
      for (const log of [own, ...all.filter((each) => each !== own)]) {
        if ((await factAbout(log.runtime, 'verdict', intent)) !== undefined) return log
      }
      return own
    },
  }
}
