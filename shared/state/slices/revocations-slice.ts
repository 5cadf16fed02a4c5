// What a revocation makes of the state: what was decided before it no longer counts.
import { z } from 'zod'
import { RevocationTarget } from '#schemas/action/revocation'
import { readEvent } from '#record/event'
import { revocationRefusal, withRevocation } from '#messages/warrants/revocations'
import { Count, kept } from '../part-lines.ts'
import type { LoggedFact } from '../folded.ts'
import type { State } from '../state.ts'
import type { Slice } from './slice.ts'

function evolveRevocation(state: State, fact: LoggedFact): string | null {
  const reading = readEvent('revocation', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const refusal = revocationRefusal(state, fact.name, data)
  if (refusal !== null) return refusal
  const { name, position } = fact
  state.revocations = withRevocation(state.revocations, { target: data.target, name, position })
  return null
}

export const revocationsSlice = {
  name: 'revocations',
  folds: { revocation: evolveRevocation },
  kept: [
    kept('revocation', 'log', {
      shape: () => ({ target: RevocationTarget, name: z.string(), position: Count }),
      write: ({ revocations }) => revocations.values(),
      read: (state, lines) => {
        for (const line of lines) state.revocations = withRevocation(state.revocations, line)
      },
    }),
  ],
} as const satisfies Slice
