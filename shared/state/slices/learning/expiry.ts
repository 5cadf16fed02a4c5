// When a question that no one answers has expired.
import type { Draft } from '#record/event'
import { nameOf } from '#record/names'
import type { State } from '../../state.ts'

/** A question that no one has answered for so long has expired. */
export const openMsMax = 7 * 24 * 60 * 60 * 1000

// The clock of a worker may run ahead of the log's, and the name of an expiry is there but once.
const marginMs = 60_000

/** When the question is due to expire; null where it is not open, or someone has agreed to it. */
export function expiresAt({ learning }: Pick<State, 'learning'>, id: string): number | null {
  const proposal = learning.open.get(id)
  if (proposal === undefined || proposal.agreed !== null) return null
  return proposal.appendedAt + openMsMax + marginMs
}

/** Null while it is not due. */
export function expiryDraft(state: State, id: string, now: number): Draft<'expiry'> | null {
  const proposal = state.learning.open.get(id)
  const due = expiresAt(state, id)
  if (proposal === undefined || due === null || now < due || state.sealed !== null) return null
  const { name, data } = proposal
  return {
    kind: 'expiry',
    name: nameOf(state.place, 'expiry', id),
    data: { proposal: name, round: data.round },
  }
}
