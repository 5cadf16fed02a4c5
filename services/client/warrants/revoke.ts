// A person takes back what was permitted: one warrant, or all of a capability, an agent or a grant,
// signed with the person's key. It counts for what was decided before it.
import type { RevocationTarget } from '#schemas/action/revocation'
import { jsonOf } from '#core/kernel/canonical'
import { writeEvent } from '#core/kernel/event'
import { Fault } from '#core/kernel/fault'
import { token } from '#core/kernel/names'
import { signData } from '#core/kernel/crypto/private-key'
import { revocationRefusal } from '#core/warrants/revocations'
import type { Fact } from '#ports/log'
import { bindInEra } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'

export interface Revoking {
  /** Names of facts in full, such as `main.1.verdict.bot.-.01J…`. */
  readonly target: RevocationTarget
  /** A policy admin, the owner of the agent, or the signer of the grant. */
  readonly by: string
  /** PEM of that person's Ed25519 private key. */
  readonly privateKey: string
  readonly note?: string
}

/** Throws a Fault `revocation_void` for one that would count for nothing. */
export async function revoke(
  runtime: Runtime,
  { target, by, privateKey, note }: Revoking,
): Promise<Fact> {
  const { follower, clock, ids } = runtime
  const bytes = (name: string): Uint8Array => {
    const { state } = follower
    const content = { target, by, ...(note !== undefined && { note }) }
    const signature = signData({ log: state.log, name }, jsonOf(content), privateKey)
    const data = { ...content, signature }
    const refusal = revocationRefusal(state, name, data)
    if (refusal !== null) throw new Fault('revocation_void', `nothing is bound: ${refusal}`)
    const time = new Date(clock.now()).toISOString()
    const stamp = { source: `confirmer/${token(by)}`, time, basis: state.position }
    return writeEvent('revocation', name, jsonOf(data), stamp)
  }
  const { fact } = await bindInEra(runtime, {
    kind: 'revocation',
    tokens: [ids.next(clock.now())],
    bytes,
  })
  return fact
}
