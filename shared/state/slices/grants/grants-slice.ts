// Grants: what people have answered beforehand, and what is used of it.
import { z } from 'zod'
import { GrantData } from '#schemas/action/grant'
import { DecimalText } from '#schemas/values'
import { readData } from '#record/event'
import { amountText, amountWritten } from '#rules/budgets/decimal'
import { grantsOf, noGrantUses, withGrantEnded } from '#rules/grants/book'
import {
  Count,
  inNameOrder,
  kept,
  readSequence,
  SequenceLine,
  writtenSequence,
} from '../../part-lines.ts'
import { newSequence, take } from '../../sequence.ts'
import type { State } from '../../state.ts'
import type { CountedFact, Slice } from '../slice.ts'
import { evolveGrant, evolveGrantUse, returnGrantUses } from './granting.ts'

// From then on no call rests on it.
function endRevoked(state: State, { fact }: CountedFact): void {
  const target = readData('revocation', fact)?.target
  if (target === undefined || !('grant' in target)) return
  state.grants = withGrantEnded(state.grants, target.grant, fact.name)
}

export const grantsSlice = {
  name: 'grants',
  folds: { grant: evolveGrant, use: evolveGrantUse },
  beside: { verdict: returnGrantUses, revocation: endRevoked },
  kept: [
    kept('grantUses', 'log', {
      shape: () => ({ grant: z.string(), next: SequenceLine, taken: Count, total: DecimalText }),
      write: ({ grantUses }) => {
        return inNameOrder(grantUses).map(([grant, { sequence, taken, total }]) => {
          return { grant, next: writtenSequence(sequence), taken, total: amountText(total) }
        })
      },
      read: ({ grantUses }, lines) => {
        for (const { grant, next, taken, total } of lines) {
          const uses = { sequence: readSequence(next), taken, total: amountWritten(total) }
          grantUses.set(grant, uses)
        }
      },
    }),
    kept('grant', 'all_cells', {
      shape: () => ({
        id: z.string(),
        name: z.string(),
        position: Count,
        appendedAt: Count,
        endedBy: z.string().nullable(),
        data: GrantData,
      }),
      write: ({ grants }) => {
        return [...grants.byId.values()].map((grant) => {
          const { id, name, position, appendedAt, endedBy, data } = grant
          return { id, name, position, appendedAt, endedBy, data }
        })
      },
      read: (state, lines) => {
        const all = lines.map((grant) => ({ ...grant, until: Date.parse(grant.data.until) }))
        state.grants = grantsOf(all)
      },
    }),
    kept('grantDropped', 'all_cells', {
      shape: () => ({ grant: z.string() }),
      write: ({ grants }) => [...grants.dropped].map((grant) => ({ grant })),
      read: (state, lines) => {
        const dropped = new Set(lines.map(({ grant }) => grant))
        state.grants = { ...state.grants, dropped }
      },
    }),
  ],
  begin: ({ grantUses }) => {
    for (const [id, uses] of grantUses) {
      if (uses.sequence.used.size === 0) continue
      grantUses.set(id, { ...uses, sequence: { ...newSequence, next: uses.sequence.next } })
    }
  },
  numbers: {
    use: ({ grantUses }, id, number) => {
      const uses = grantUses.get(id) ?? noGrantUses
      grantUses.set(id, { ...uses, sequence: take(uses.sequence, number) })
    },
  },
} as const satisfies Slice
