// The lines of contracts that are open, and of what agents have earned.
import { z } from 'zod'
import { Digest } from '#schemas/values'
import { scoreRules, VerificationData } from '#schemas/work/facts'
import { Count, SequenceLine } from './people-lines.ts'

const at = { name: z.string(), position: Count, appendedAt: Count }
const { claim, status, verification } = VerificationData.shape

export const ContractLine = z.strictObject({
  line: z.literal('contract'),
  contract: z.strictObject({
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
    past: z.array(z.strictObject({ claim, status, verification })),
    pending: z.array(z.strictObject(at)),
    pastAt: Count.nullable(),
    started: z.strictObject({ number: Count, until: Count }),
    used: z.array(z.string()).exactOptional(),
  }),
})

const Step = z.strictObject({
  ...at,
  before: z.number(),
  after: z.number(),
  scored: z
    .strictObject({ score: z.number(), rule: z.enum(scoreRules), alpha: z.number() })
    .nullable(),
})

export const StandingLine = z.strictObject({
  line: z.literal('standing'),
  token: z.string(),
  standing: z.strictObject({
    agent: z.string(),
    value: z.number(),
    scored: Count,
    suspendedBy: z.strictObject(at).nullable(),
    steps: z.array(Step),
  }),
})

export const ReinstatementsLine = z.strictObject({
  line: z.literal('reinstatements'),
  agent: z.string(),
  next: SequenceLine,
})
