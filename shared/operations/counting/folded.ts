// Folds the logs that are asked, from their beginnings up to where they are now, for what only the
// facts say. Others are answered meanwhile.
import { setImmediate as turn } from 'node:timers/promises'
import type { Fact } from '#ports/log'
import { soundBeginningOf } from '#replay/eras/beginning'
import type { AnswerBegin } from '#schemas/operations/operation'
import { evolve } from '#state/fold/evolve'
import type { Folded } from '#state/folded'
import type { State } from '#state/state'
import { answeredNow, type Realm, type RealmLog } from '../realm.ts'

const factsBetweenTurns = 256

type Take = (fact: Fact, folded: Folded, state: State) => void | Promise<void>

/** A log that is to be folded up to there. */
export interface ToFold {
  readonly at: RealmLog
  readonly to: number
}

/** As of now, however far those who follow the logs are when it has been folded. */
export function foldsOf(realm: Realm): { readonly begin: AnswerBegin; readonly logs: ToFold[] } {
  const logs = realm.logs.map((at) => ({ at, to: at.state.position }))
  return { begin: answeredNow(realm), logs }
}

/** Returns the state then, and from when on facts were there: 0 for all of the log. */
export async function folding({ at: { log, state: now }, to }: ToFold, take: Take) {
  const { state } = await soundBeginningOf(log, now.place, now.rootKey)
  const from = state.position === 0 ? 0 : state.appendedAt
  for await (const fact of log.read({ from: state.position + 1, to })) {
    const taken = take(fact, evolve(state, fact), state)
    if (taken !== undefined) await taken
    if (fact.position % factsBetweenTurns === 0) await turn()
  }
  return { state, from }
}
