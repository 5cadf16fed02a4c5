// A policy admin lets an agent work again that its standing has suspended: signed with that
// person's key, with a reason for anyone who reads the log.
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { token } from '#record/names'
import { signerOf, type SignsWith } from '#record/crypto/private-key'
import { nextReinstatement } from '#state/slices/work/drafts'
import { reinstatementRefusal } from '#state/slices/work/evolving'
import type { Fact } from '#ports/log'
import { bindInEra } from '#runtime/engine/binding'
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
  const { follower, clock } = runtime
  const { suspendedBy = null } = follower.state.standings.get(token(agent)) ?? {}
  if (suspendedBy === null) {
    const why = `\`${agent}\` is not suspended by its standing`
    throw new Fault('reinstatement_refused', `nothing is bound: ${why}`)
  }
  for (let round = 0; round < roundsMax; round += 1) {
    const { state } = follower
    const tokens = nextReinstatement(state, agent).split('.').slice(3)
    const bytes = (name: string): Uint8Array => {
      const content = { agent, by, reason }
      const signature = signerOf(reinstating)({ log: state.log, name }, jsonOf(content))
      const data = { ...content, signature }
      const appendedAt = clock.now()
      const refusal = reinstatementRefusal(state, { name, appendedAt, data })
      if (refusal !== null) {
        throw new Fault('reinstatement_refused', `nothing is bound: ${refusal}`)
      }
      const time = new Date(appendedAt).toISOString()
      const stamp = { source: `person/${token(by)}`, time, basis: state.position }
      return writeEvent('reinstatement', name, jsonOf(data), stamp)
    }
    const bound = await bindInEra(runtime, { kind: 'reinstatement', tokens, bytes })
    await follower.reached(bound.fact.position)
    if (bound.appended) return bound.fact
  }
  throw new Fault('conflict', `others reinstated \`${agent}\` at the same time`)
}
