// What is asked about contracts: those that are open or have ended, and one with its attempts.
import { z } from 'zod'
import { OfCell } from '../console/positions.ts'
import { TaskContract } from '../work/contract.ts'
import { VerificationData } from '../work/facts.ts'
import { answeredAt, AnswerInstant, operation, paged, rowsPage } from './operation.ts'
import { later } from '../later.ts'

const Address = later(() => z.string().min(1).max(600))
const Name = later(() => z.string())
const Any = later(() => z.unknown().meta({}))

/** What an open contract waits for: a claim, someone to look at one, or what is found of it. */
const Waits = later(() => z.enum(['claim', 'verifier', 'verification']))
export type ContractAwaits = z.infer<typeof Waits>

const about = {
  contract: Address.describe('Its address'),
  message: Name.describe('The name of its message, which a claim refers to'),
  position: z.int().min(1),
  openedAt: AnswerInstant,
  issuer: z.string(),
}

const ending = {
  waits: Waits.nullable().describe('Null where it has ended'),
  until: AnswerInstant.nullable().describe('The last moment of that; null where it has none'),
  ended: VerificationData.shape.ended.describe('How it ended, with the score and its rule'),
}

export const ContractRow = later(() =>
  z.object({
    ...about,
    worker: z.string(),
    taskId: z.string(),
    objective: z.string(),
    workspace: z.string(),
    state: z.enum(['open', 'ended']),
    looked: z.int().min(0).describe('How many attempts were looked at'),
    pending: z.int().min(0).describe('How many claims wait for that'),
    attemptsMax: z.int().min(1),
    ...ending,
    endedAt: AnswerInstant.nullable(),
    ...OfCell,
  }),
)
export type ContractRow = z.infer<typeof ContractRow>

export const contractsAsked = operation({
  name: 'contracts',
  title: 'List the contracts that are open, or that have ended',
  who: 'party',
  path: '/contracts',
  command: 'contracts',
  input: later(() =>
    z.strictObject({
      worker: Address.optional().describe('Only those of this agent'),
      state: z.enum(['open', 'ended']).default('open').describe('Which of them'),
      ...paged,
    }),
  ),
  output: later(() =>
    rowsPage(ContractRow, 'Open ones oldest first, ended ones by when they ended, latest first'),
  ),
  examples: ['warrant contracts', 'warrant contracts --state ended --worker my-agent'],
})

const AttemptShown = later(() =>
  z.object({
    attempt: z.int().min(1),
    claim: Name.nullable().describe('Its message; null where none came in time'),
    claimedAt: AnswerInstant.nullable(),
    completion: Any.describe('As the worker wrote it'),
    found: z
      .strictObject({
        ...VerificationData.shape,
        fact: Name,
        position: z.int().min(1),
        foundAt: AnswerInstant,
      })
      .nullable()
      .describe('The verification, with its gates; null where none has ended'),
  }),
)
export type AttemptShown = z.infer<typeof AttemptShown>

const {
  taskId,
  objective,
  acceptanceCriteria,
  constraints,
  requiredFiles,
  runTests,
  document,
  workspace,
  maxRetries,
} = TaskContract.shape

/** What of a task people read. */
const TaskShown = later(() =>
  z.object({
    taskId,
    objective,
    acceptanceCriteria,
    constraints,
    requiredFiles,
    runTests,
    document,
    workspace,
    maxRetries,
  }),
)

export const ContractShown = later(() =>
  z.object({
    ...about,
    worker: z.string().nullable(),
    state: z.enum(['open', 'ended', 'void']).describe('`void`: it counts for nothing'),
    ...ending,
    attemptsMax: z.int().min(1).nullable(),
    terms: Any.describe('The contract as its issuer wrote it'),
    task: TaskShown.nullable().describe('What of it is understood; null where nothing is'),
    attempts: z.array(AttemptShown).describe('In their order'),
    ...OfCell,
  }),
)
export type ContractShown = z.infer<typeof ContractShown>

export const contractAsked = operation({
  name: 'contract',
  title: 'Show a contract with each attempt: what its worker claimed, and what was found',
  who: 'party',
  path: '/contracts/{contract}',
  command: 'contracts',
  means: 'intent',
  input: later(() => z.strictObject({ contract: Address.describe('Its address') })),
  output: later(() => z.object({ ...answeredAt, contract: ContractShown })),
  examples: ['warrant contracts 7QK2M0XA --json'],
})
