// Verified work: contracts that are open, what verifiers find of them, and what agents have earned.
import { z } from 'zod'
import { later } from '#schemas/later'
import { Digest } from '#schemas/values'
import { scoreRules, VerificationData } from '#schemas/work/facts'
import { withCarried } from '#work/contracts/standings'
import {
  Count,
  inNameOrder,
  KeptInstant,
  kept,
  readSequence,
  SequenceLine,
  writtenSequence,
} from '../../part-lines.ts'
import type { Slice } from '../slice.ts'
import { evolveReinstatement, evolveVerification, evolveWorkMessage } from './evolving.ts'

const at = { name: z.string(), position: Count, appendedAt: KeptInstant }

const Contract = later(() =>
  z.strictObject({
    ...at,
    address: z.string(),
    issuer: z.string(),
    worker: z.string(),
    taskId: z.string(),
    objective: z.string(),
    digest: Digest,
    workspace: z.string(),
    maxRetries: z.int().min(1),
    claimWithinMs: z.int().min(1),
    mayTakeMs: z.int().min(1),
    past: z.array(VerificationData.pick({ claim: true, status: true, verification: true })),
    pending: z.array(z.strictObject(at)),
    pastAt: KeptInstant.nullable(),
    started: z.strictObject({ number: Count, until: KeptInstant }),
    used: z.array(z.string()).exactOptional(),
  }),
)

const Step = later(() =>
  z.strictObject({
    ...at,
    before: z.number(),
    after: z.number(),
    scored: z
      .strictObject({ score: z.number(), rule: z.enum(scoreRules), alpha: z.number() })
      .nullable(),
  }),
)

const Standing = later(() =>
  z.strictObject({
    agent: z.string(),
    value: z.number(),
    scored: Count,
    suspendedBy: z.strictObject(at).nullable(),
    steps: z.array(Step),
  }),
)

export const workSlice = {
  name: 'work',
  folds: {
    verificationstart: evolveVerification,
    verification: evolveVerification,
    reinstatement: evolveReinstatement,
  },
  message: evolveWorkMessage,
  arrive: (state, { id: agent, standing: carried }, position) => {
    if (carried === undefined) return
    state.standings = withCarried(state.standings, { agent, carried, position })
  },
  kept: [
    kept('contract', 'log', {
      shape: () => ({ contract: Contract }),
      write: ({ contracts }) => contracts.values().map((contract) => ({ contract })),
      read: (state, lines) => {
        for (const { contract } of lines) state.contracts = state.contracts.with(contract)
      },
    }),
    kept('standing', 'log', {
      shape: () => ({ token: z.string(), standing: Standing }),
      write: ({ standings }) => {
        return inNameOrder(standings).map(([agent, standing]) => ({ token: agent, standing }))
      },
      read: (state, lines) => {
        const read = lines.map(({ token: agent, standing }) => [agent, standing] as const)
        state.standings = new Map([...state.standings, ...read])
      },
    }),
    kept('reinstatements', 'log', {
      shape: () => ({ agent: z.string(), next: SequenceLine }),
      write: ({ reinstatements }) => {
        return inNameOrder(reinstatements).map(([agent, sequence]) => {
          return { agent, next: writtenSequence(sequence) }
        })
      },
      read: (state, lines) => {
        const read = lines.map(({ agent, next }) => [agent, readSequence(next)] as const)
        state.reinstatements = new Map([...state.reinstatements, ...read])
      },
    }),
  ],
  begin: (state) => {
    for (const { used, ...contract } of state.contracts.values()) {
      if (used !== undefined) state.contracts = state.contracts.with(contract)
    }
  },
} as const satisfies Slice
