// What the console says of verified work: what agents have earned and by which steps, contracts
// with their attempts, and letting a suspended agent work again.
import { z } from 'zod'
import { TaskContract } from '../work/contract.ts'
import { scoreRules, VerificationData, WorkFound } from '../work/facts.ts'
import { ruledLevels } from '../work/settings.ts'
import { OfCell, LogPositions, PositionsText } from './positions.ts'
import { SignedThat } from './signing.ts'

const Instant = z.iso.datetime()
const Name = z.string()
const Id = z.string().min(1).max(600)
const Standing = z.number().min(-1).max(1)

const FactPlace = z.strictObject({ name: Name, position: z.int(), appendedAt: Instant })

/** One agent, be it one that has earned nothing yet. */
const StandingRow = z.strictObject({
  agent: z.string(),
  value: Standing,
  level: z.enum([...ruledLevels, 'suspended']),
  /** How many more tasks must be scored before it can be above `supervised`. */
  probation: z.int(),
  scored: z.int(),
  suspendedBy: FactPlace.nullable(),
  /** Whether it decides what the agent may do, by the catalog. */
  decides: z.boolean(),
  /** How many contracts it has open. */
  contracts: z.int(),
  ...OfCell,
})
export type StandingRow = z.infer<typeof StandingRow>

export const StandingsAnswer = z.strictObject({
  position: LogPositions,
  now: Instant,
  /** Who is suspended first, then the least first. */
  standings: z.array(StandingRow),
})
export type StandingsAnswer = z.infer<typeof StandingsAnswer>

const StepShown = z.strictObject({
  ...FactPlace.shape,
  before: Standing,
  after: Standing,
  /** Null for a reinstatement. */
  scored: z
    .strictObject({ score: Standing, rule: z.enum(scoreRules), alpha: z.number() })
    .nullable(),
  /** Which contract ended by it, at which attempt. */
  contract: z.strictObject({ address: Id, attempt: z.int() }).nullable(),
  /** Of a reinstatement; null of one by the catalog's time. */
  reinstated: z.strictObject({ by: z.string(), reason: z.string() }).nullable(),
})
export type StepShown = z.infer<typeof StepShown>

/** A contract that is open. */
const ContractRow = z.strictObject({
  contract: Id,
  position: z.int(),
  since: Instant,
  issuer: z.string(),
  worker: z.string(),
  taskId: z.string(),
  objective: z.string(),
  workspace: z.string(),
  /** How many attempts were looked at, how many wait for that, and how many there may be. */
  looked: z.int(),
  pending: z.int(),
  attempts: z.int(),
  /** Until when a claim must come; null while one waits to be looked at. */
  claimBy: Instant.nullable(),
  /** Until when the verifier that has begun may take; null where none is at it. */
  lookingUntil: Instant.nullable(),
  ...OfCell,
})
export type ContractRow = z.infer<typeof ContractRow>

export const StandingAnswer = z.strictObject({
  position: z.int(),
  now: Instant,
  standing: StandingRow,
  /** The latest, in log order. */
  steps: z.array(StepShown),
  /** How many there were before those. */
  before: z.int(),
  /** After so long it may work again by itself; null where only a person can let it. */
  reinstateAfterMs: z.int().nullable(),
  open: z.array(ContractRow),
})
export type StandingAnswer = z.infer<typeof StandingAnswer>

export const ContractsQuery = z.strictObject({
  worker: Id.optional(),
  /** `next` of the page before. */
  after: PositionsText.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export const ContractsAnswer = z.strictObject({
  position: LogPositions,
  now: Instant,
  count: z.int(),
  contracts: z.array(ContractRow),
  next: LogPositions.nullable(),
})
export type ContractsAnswer = z.infer<typeof ContractsAnswer>

const AttemptRow = z.strictObject({
  ...FactPlace.shape,
  attempt: z.int(),
  /** What was found; null where the fact does not fit its contract, and counts as not shown. */
  found: VerificationData.pick({
    claim: true,
    status: true,
    verification: true,
    gateFailed: true,
    ended: true,
  }).nullable(),
})

/** The attempt that is shown whole. */
const AttemptShown = z.strictObject({
  attempt: z.int(),
  found: WorkFound,
  /** The messages of evidence that its claim refers to. */
  sources: z.array(Name),
  /** What the worker reports; null where it says too much to be shown here, or nothing. */
  report: z.unknown(),
})

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

/** What of a contract people read. */
const TaskShown = z.strictObject({
  taskId,
  objective,
  acceptanceCriteria,
  constraints,
  requiredFiles,
  runTests,
  document,
  workspace,
  maxRetries,
})

export const ContractQuery = z.strictObject({
  /** Which attempt is shown whole; the latest if absent. */
  attempt: z.coerce.number().int().min(1).max(1_000).optional(),
})

/** One contract, be it open or long ended. */
export const ContractAnswer = z.strictObject({
  contract: Id,
  ...FactPlace.shape,
  now: Instant,
  issuer: z.string(),
  worker: z.string().nullable(),
  /** Null where its message states none that can be read. */
  task: TaskShown.nullable(),
  /** Null where it has ended, or counted for nothing. */
  open: ContractRow.nullable(),
  attempts: z.array(AttemptRow),
  shown: AttemptShown.nullable(),
  ...OfCell,
})
export type ContractAnswer = z.infer<typeof ContractAnswer>

export const ReinstateBody = z.strictObject({ reason: z.string().min(1).max(4_000) })
export const ReinstateSubmit = z.strictObject({ ...ReinstateBody.shape, signed: SignedThat })
