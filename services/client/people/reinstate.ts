// A policy admin lets an agent work again that its standing has suspended: signed with that
// person's key, with a reason for anyone who reads the log.
import { Fault } from '#record/fault'
import { token } from '#record/names'
import type { SignsWith } from '#record/crypto/private-key'
import { nextReinstatement } from '#state/slices/work/drafts'
import { reinstatementRefusal } from '#state/slices/work/evolving'
import type { Fact } from '#ports/log'
import { bindSigned, type SignedFact } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'

export type Reinstatement = SignsWith & {
  /** The principal that is suspended. */
  readonly agent: string
  /** A policy admin. */
  readonly by: string
  readonly reason: string
}

/** Others that do the same at the same moment, before something must be wrong. */
const roundsMax = 16

/** Throws a Fault `reinstatement_refused` for one that would count for nothing. */
export async function reinstate(runtime: Runtime, reinstating: Reinstatement): Promise<Fact> {
  const { agent, by, reason } = reinstating
  const { state } = runtime.follower
  const { suspendedBy = null } = state.standings.get(token(agent)) ?? {}
  if (suspendedBy === null) {
    const why = `\`${agent}\` is not suspended by its standing`
    throw new Fault('reinstatement_refused', `nothing is bound: ${why}`)
  }
  for (let round = 0; round < roundsMax; round += 1) {
    const signing: SignedFact<'reinstatement'> = {
      kind: 'reinstatement',
      tokens: nextReinstatement(state, agent).split('.').slice(3),
      by,
      signs: reinstating,
      as: 'person',
      content: () => ({ agent, by, reason }),
      refusal: reinstatementRefusal,
    }
    const { appended, fact } = await bindSigned(runtime, signing, 'reinstatement_refused')
    if (appended) return fact
  }
  throw new Fault('conflict', `others reinstated \`${agent}\` at the same time`)
}
