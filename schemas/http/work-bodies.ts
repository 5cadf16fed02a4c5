// What requests about contracts and standings may carry, and what they are answered.
import { z } from 'zod'
import { Completion } from '../work/contract.ts'
import { SessionId } from './bodies.ts'

const Text = z.string().min(1)
/** Any JSON. */
const Any = z.unknown().meta({})
const Word = Text.max(4000).optional().describe('A word beside it for who reads the log')

export const ContractBody = z.strictObject({
  worker: Text.max(256).describe('The agent whose task it is'),
  contract: z
    .record(z.string(), Any)
    .describe('A task contract, as `schemas/generated/task-contract.json` has it'),
  session: SessionId.optional(),
  content: Word,
})

export const ClaimBody = z.strictObject({
  completion: Completion,
  evidence: z.array(Text.max(600)).max(32).optional().describe('The names of messages of evidence'),
  session: SessionId.optional(),
  content: Word,
})

const Listed = {
  contract: z.string().describe('The address'),
  message: z.string().describe('The name of its message, which a claim refers to'),
  position: z.int().min(1),
  openedAt: z.string(),
  issuer: z.string(),
  waits: z.enum(['claim', 'verifier', 'verification']),
  until: z.string().nullable().describe('The last moment of that; null where it has none'),
}

export const AnsweredContracts = z.strictObject({
  contracts: z
    .array(
      z.strictObject({
        ...Listed,
        worker: z.string(),
        taskId: z.string(),
        objective: z.string(),
        workspace: z.string(),
        attempts: z.array(z.record(z.string(), Any)).describe('What was found of each so far'),
        attemptsMax: z.int().min(1),
      }),
    )
    .describe('Oldest first'),
})

export const AnsweredContract = z.strictObject({
  ...Listed,
  worker: z.string().nullable(),
  state: z.enum(['open', 'ended', 'void']).describe('`void`: it counts for nothing'),
  waits: Listed.waits.nullable(),
  task: Any.describe('The contract as its issuer wrote it'),
  attempts: z
    .array(
      z.strictObject({
        attempt: z.int().min(1),
        claim: z.string().nullable(),
        claimedAt: z.string().nullable(),
        completion: Any.describe('As the worker wrote it'),
        found: z
          .record(z.string(), Any)
          .nullable()
          .describe('The verification, with the gates; null where none has ended'),
      }),
    )
    .describe('In their order'),
  ended: z.record(z.string(), Any).nullable().describe('How, with the score and its rule'),
})

export const AnsweredStanding = z.strictObject({
  agent: z.string(),
  value: z.number().describe('From −1 to 1'),
  level: z.enum(['autonomous', 'standard', 'supervised', 'strict', 'suspended']),
  probation: z.int().min(0).describe('How many more tasks must be scored before it has an end'),
  scored: z.int().min(0),
  suspendedBy: z.string().nullable().describe('The name of the fact'),
  counts: z.boolean().describe('Whether the catalog goes by it'),
  steps: z.array(z.record(z.string(), Any)).describe('The latest, oldest first'),
})
