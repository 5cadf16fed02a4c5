// A person says whether that was done of which no one knows: signed with the person's key. From
// then on the same call may be asked for again without a question about it.
import { settlementRefusal, unsettledAt } from '#messages/executions/executions'
import { Fault } from '#record/fault'
import { token, sessionIn } from '#record/names'
import type { SignsWith } from '#record/crypto/private-key'
import type { Fact } from '#ports/log'
import { bindSigned, type SignedFact } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'

export type Settlement = SignsWith & {
  /** The address of the intent whose outcome is not known. */
  readonly intent: string
  /** The agent's owner, or a person who signs change sets. */
  readonly by: string
  /** Whether what was asked for has happened. */
  readonly happened: boolean
  readonly note?: string
}

/** Throws a Fault `settlement_void` for what would count for nothing. */
export async function settleOutcome(runtime: Runtime, settlement: Settlement): Promise<Fact> {
  const { intent: address, by, happened, note } = settlement
  const open = unsettledAt(runtime.follower.state, address)
  if (open === null) {
    throw new Fault('settlement_void', `no outcome of \`${address}\` waits to be settled`)
  }
  const session = sessionIn(address)
  const intent = { address, agent: open.agent, session: session === '-' ? null : session }
  const signing: SignedFact<'settlement'> = {
    kind: 'settlement',
    tokens: [address, token(by)],
    by,
    signs: settlement,
    content: () => ({ intent, happened, by, ...(note !== undefined && { note }) }),
    refusal: (state, { name, data }) => settlementRefusal(state, name, data, open),
  }
  const { appended, fact } = await bindSigned(runtime, signing, 'settlement_void')
  if (!appended) throw new Fault('decided', `\`${by}\` has answered this already`)
  return fact
}
