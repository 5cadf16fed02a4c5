// What requests about contracts may carry.
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
