// A person takes back what was permitted: one warrant, or all of a capability, an agent or a grant,
// signed with the person's key. It counts for what was decided before it.
import type { RevocationTarget } from '#schemas/action/revocation'
import { Fault } from '#record/fault'
import type { SignsWith } from '#record/crypto/private-key'
import { revocationRefusal } from '#messages/warrants/revocations'
import type { Fact } from '#ports/log'
import { bindSigned, type SignedFact } from '#runtime/engine/binding'
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
  const { clock, ids } = runtime
  const { target, by, note, id = ids.next(clock.now()) } = revoking
  const signing: SignedFact<'revocation'> = {
    kind: 'revocation',
    tokens: [id],
    by,
    signs: revoking,
    content: () => ({ target, by, ...(note !== undefined && { note }) }),
    refusal: (state, { name, data }) => revocationRefusal(state, name, data),
  }
  const { appended, fact } = await bindSigned(runtime, signing, 'revocation_void')
  if (!appended) throw new Fault('conflict', `\`${id}\` is bound already`)
  return fact
}
