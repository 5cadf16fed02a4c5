// What a revocation makes of the state: what was decided before it no longer counts.
import { readEvent } from '#record/event'
import { endGrant } from '../grants/granting.ts'
import { revocationRefusal, withRevocation } from '#messages/warrants/revocations'
import type { LoggedFact } from '../folded.ts'
import type { State } from '../state.ts'

export function evolveRevocation(state: State, fact: LoggedFact): string | null {
  const reading = readEvent('revocation', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const refusal = revocationRefusal(state, fact.name, data)
  if (refusal !== null) return refusal
  const { name, position } = fact
  if ('grant' in data.target) endGrant(state, data.target.grant, name)
  state.revocations = withRevocation(state.revocations, { target: data.target, name, position })
  return null
}
