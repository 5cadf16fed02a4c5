// A person has a question asked again that was skipped, rejected, or that no one answered in time.
// What would count for nothing is not bound: its name would be used for it.
import { ReopeningData } from '#schemas/learning'
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { keyOfAsked, type AskedBefore } from '#messages/learning/learning'
import { token } from '#record/names'
import { signerOf, type SignsWith } from '#record/crypto/private-key'
import { reopeningRefusal } from '#state/slices/learning/rulings'
import type { Fact } from '#ports/log'
import { bindInEra } from '../engine/binding.ts'
import type { Runtime } from '../engine/runtime.ts'

export type Reopening = SignsWith & {
  /** The id of a question that is not open any more. */
  readonly proposal: string
  readonly note?: string
  readonly confirmer: string
}

type Reopened = Pick<Runtime, 'log' | 'follower' | 'clock' | 'timer'>

/** Throws a Fault `reopening_void` for what would count for nothing. */
export async function reopen(runtime: Reopened, reopening: Reopening): Promise<Fact> {
  const { learning } = runtime.follower.state
  const { proposal: id, confirmer } = reopening
  const asked = learning.history.get(keyOfAsked(learning, id) ?? '')
  if (asked === undefined) {
    throw new Fault('no_proposal', `\`${id}\` is not what was asked last of its gap`)
  }
  const bytes = (name: string): Uint8Array => written(runtime, reopening, { asked, name })
  const tokens = [id, token(confirmer)]
  const { appended, fact } = await bindInEra(runtime, { kind: 'reopening', tokens, bytes })
  if (!appended) throw new Fault('ruled', `\`${confirmer}\` has reopened this already`)
  return fact
}

function written(
  { follower, clock }: Reopened,
  reopening: Reopening,
  { asked, name }: { readonly asked: AskedBefore; readonly name: string },
): Uint8Array {
  const { proposal: id, confirmer, note } = reopening
  const { state } = follower
  const { log } = state
  const content = { confirmer, proposal: asked.name, ...(note !== undefined && { note }) }
  const data = { ...content, signature: signerOf(reopening)({ log, name }, jsonOf(content)) }
  const parsed = ReopeningData.safeParse(data)
  const [issue] = parsed.error?.issues ?? []
  const refusal = parsed.success
    ? reopeningRefusal(state, id, { name, data: parsed.data })
    : `/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'unreadable'}`
  if (refusal !== null) throw new Fault('reopening_void', `nothing is bound: ${refusal}`)
  const time = new Date(clock.now()).toISOString()
  const stamp = { source: `confirmer/${token(confirmer)}`, time, basis: state.position }
  return writeEvent('reopening', name, jsonOf(data), stamp)
}
