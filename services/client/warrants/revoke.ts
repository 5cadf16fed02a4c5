// A person takes back what was permitted: one warrant, or all of a capability, an agent or a grant,
// signed with the person's key. It counts for what was decided before it.
import type { RevocationTarget } from '#schemas/action/revocation'
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { token } from '#record/names'
import { signerOf, type SignsWith } from '#record/crypto/private-key'
import { revocationRefusal } from '#messages/warrants/revocations'
import type { Fact } from '#ports/log'
import { bindInEra } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'

export type Revoking = SignsWith & {
  /** Names of facts in full, such as `main.1.verdict.bot.-.01J…`. */
  readonly target: RevocationTarget
  /** A policy admin, the owner of the agent, or the signer of the grant. */
  readonly by: string
  /** Under which id it is bound; a new one if not said. */
  readonly id?: string
  readonly note?: string
}

/** Throws a Fault `revocation_void` for one that would count for nothing. */
export async function revoke(runtime: Runtime, revoking: Revoking): Promise<Fact> {
  const { follower, clock, ids } = runtime
  const { target, by, note, id = ids.next(clock.now()) } = revoking
  const bytes = (name: string): Uint8Array => {
    const { state } = follower
    const content = { target, by, ...(note !== undefined && { note }) }
    const signature = signerOf(revoking)({ log: state.log, name }, jsonOf(content))
    const data = { ...content, signature }
    const refusal = revocationRefusal(state, name, data)
    if (refusal !== null) throw new Fault('revocation_void', `nothing is bound: ${refusal}`)
    const time = new Date(clock.now()).toISOString()
    const stamp = { source: `confirmer/${token(by)}`, time, basis: state.position }
    return writeEvent('revocation', name, jsonOf(data), stamp)
  }
  const { appended, fact } = await bindInEra(runtime, { kind: 'revocation', tokens: [id], bytes })
  if (!appended) throw new Fault('conflict', `\`${id}\` is bound already`)
  return fact
}
