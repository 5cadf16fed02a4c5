// A person has a question asked again that was skipped, rejected, or that no one answered in time.
// What would count for nothing is not bound: its name would be used for it.
import { Fault } from '#record/fault'
import { keyOfAsked } from '#messages/learning/learning'
import { token } from '#record/names'
import type { SignsWith } from '#record/crypto/private-key'
import { reopeningRefusal } from '#state/slices/learning/rulings'
import type { Fact } from '#ports/log'
import { bindSigned, type BindsSigned } from '../engine/binding.ts'

export type Reopening = SignsWith & {
  /** The id of a question that is not open any more. */
  readonly proposal: string
  readonly note?: string
  readonly confirmer: string
}

/** Throws a Fault `reopening_void` for what would count for nothing. */
export async function reopen(runtime: BindsSigned, reopening: Reopening): Promise<Fact> {
  const { learning } = runtime.follower.state
  const { proposal: id, confirmer, note } = reopening
  const asked = learning.history.get(keyOfAsked(learning, id) ?? '')
  if (asked === undefined) {
    throw new Fault('no_proposal', `\`${id}\` is not what was asked last of its gap`)
  }
  const content = { confirmer, proposal: asked.name, ...(note !== undefined && { note }) }
  const { appended, fact } = await bindSigned(
    runtime,
    {
      kind: 'reopening',
      tokens: [id, token(confirmer)],
      by: confirmer,
      signs: reopening,
      content: () => content,
      refusal: (state, said) => reopeningRefusal(state, id, said),
    },
    'reopening_void',
  )
  if (!appended) throw new Fault('ruled', `\`${confirmer}\` has reopened this already`)
  return fact
}
