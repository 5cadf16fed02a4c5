// A person says whether that was done of which no one knows: signed with the person's key. From
// then on the same call may be asked for again without a question about it.
import { settlementRefusal, unsettledAt } from '#messages/executions/executions'
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { token, sessionIn } from '#record/names'
import { signerOf, type SignsWith } from '#record/crypto/private-key'
import type { Fact } from '#ports/log'
import { bindInEra } from '#runtime/engine/binding'
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
  const { follower, clock } = runtime
  const { intent: address, by, happened, note } = settlement
  const { state } = follower
  const open = unsettledAt(state, address)
  if (open === null) {
    throw new Fault('settlement_void', `no outcome of \`${address}\` waits to be settled`)
  }
  const session = sessionIn(address)
  const intent = { address, agent: open.agent, session: session === '-' ? null : session }
  const bytes = (name: string): Uint8Array => {
    const content = { intent, happened, by, ...(note !== undefined && { note }) }
    const signature = signerOf(settlement)({ log: state.log, name }, jsonOf(content))
    const data = { ...content, signature }
    const refusal = settlementRefusal(state, name, data, open)
    if (refusal !== null) throw new Fault('settlement_void', `nothing is bound: ${refusal}`)
    const time = new Date(clock.now()).toISOString()
    const stamp = { source: `confirmer/${token(by)}`, time, basis: state.position }
    return writeEvent('settlement', name, jsonOf(data), stamp)
  }
  const tokens = [address, token(by)]
  const { appended, fact } = await bindInEra(runtime, { kind: 'settlement', tokens, bytes })
  if (!appended) throw new Fault('decided', `\`${by}\` has answered this already`)
  await follower.reached(fact.position)
  return fact
}
