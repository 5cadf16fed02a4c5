// What stops agents, and lifts that: the blocks of each, of groups and of sessions.
import { z } from 'zod'
import { later } from '#schemas/later'
import { token } from '#record/names'
import { newAgent } from '../agent-state.ts'
import { evolveLift, withAgent } from '../agents.ts'
import {
  Count,
  inNameOrder,
  kept,
  readSequence,
  SequenceLine,
  writtenSequence,
} from '../part-lines.ts'
import { newSequence, take } from '../sequence.ts'
import type { Slice } from './slice.ts'

const Block = later(() => z.strictObject({ name: z.string(), sender: z.string(), position: Count }))

export const stopsSlice = {
  name: 'stops',
  folds: { lift: evolveLift },
  arrive: (state, { id, block }, position) => {
    if (block === null) return
    const before = state.agents.get(token(id)) ?? newAgent
    withAgent(state, token(id), { ...before, block: { ...block, position } })
  },
  // Its block goes along: where it comes back, what was lifted meanwhile stays lifted.
  leave: (state, { id }) => {
    const before = state.agents.get(token(id))
    if (before !== undefined) withAgent(state, token(id), { ...before, block: null })
  },
  kept: [
    kept('agent', 'log', {
      shape: () => ({
        agent: z.string(),
        block: Block.nullable(),
        liftedThrough: Count,
        lifts: SequenceLine,
      }),
      *write({ agents }) {
        // Who only has an intent open is in no line.
        for (const [agent, { block, liftedThrough, lifts }] of inNameOrder(agents)) {
          const isNew = block === null && liftedThrough === 0 && lifts.next === 1
          if (isNew && lifts.used.size === 0) continue
          yield { agent, block, liftedThrough, lifts: writtenSequence(lifts) }
        }
      },
      read: (state, lines) => {
        for (const { agent, block, liftedThrough, lifts } of lines) {
          const { open } = state.agents.get(agent) ?? newAgent
          withAgent(state, agent, { open, block, liftedThrough, lifts: readSequence(lifts) })
        }
      },
    }),
    kept('groupBlock', 'log', {
      shape: () => ({ group: z.string(), block: Block }),
      write: ({ groupBlocks }) => [...groupBlocks].map(([group, block]) => ({ group, block })),
      read: ({ groupBlocks }, lines) => {
        for (const { group, block } of lines) groupBlocks.set(group, block)
      },
    }),
    kept('sessionBlock', 'log', {
      shape: () => ({ session: z.string(), block: Block }),
      write: ({ sessionBlocks }) => {
        return [...sessionBlocks].map(([session, block]) => ({ session, block }))
      },
      read: ({ sessionBlocks }, lines) => {
        for (const { session, block } of lines) sessionBlocks.set(session, block)
      },
    }),
  ],
  begin: (state) => {
    for (const [agent, before] of state.agents) {
      if (before.lifts.used.size === 0) continue
      withAgent(state, agent, { ...before, lifts: { ...newSequence, next: before.lifts.next } })
    }
  },
  numbers: {
    lift: (state, agent, number) => {
      const before = state.agents.get(agent) ?? newAgent
      withAgent(state, agent, { ...before, lifts: take(before.lifts, number) })
    },
  },
} as const satisfies Slice
