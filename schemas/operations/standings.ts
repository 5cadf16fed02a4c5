// What is asked about standings: what agents have earned by verified work, and by which steps.
import { z } from 'zod'
import { OfCell } from '../console/positions.ts'
import { scoreRules } from '../work/facts.ts'
import { ruledLevels } from '../work/settings.ts'
import { ContractRow } from './contracts.ts'
import { answeredAt, AnswerInstant, operation, paged, rowsPage } from './operation.ts'
import { later } from '../later.ts'

const Agent = later(() => z.string().min(1).max(256))
const Standing = later(() => z.number().min(-1).max(1))

const FactPlace = later(() =>
  z.object({
    name: z.string(),
    position: z.int().min(1),
    appendedAt: AnswerInstant,
  }),
)

/** One agent, be it one that has earned nothing yet. */
export const StandingRow = later(() =>
  z.object({
    agent: z.string(),
    value: Standing.describe('From −1 to 1'),
    level: z.enum([...ruledLevels, 'suspended']),
    probation: z.int().min(0).describe('How many more tasks must be scored before it has an end'),
    scored: z.int().min(0).describe('How many of its tasks were'),
    suspendedBy: FactPlace.nullable().describe('The fact that did; null where none has'),
    counts: z.boolean().describe('Whether the catalog goes by it'),
    contracts: z.int().min(0).describe('How many it has open'),
    ...OfCell,
  }),
)
export type StandingRow = z.infer<typeof StandingRow>

export const standingsAsked = operation({
  name: 'standings',
  title: 'List where agents stand by what was found of their work',
  who: 'party',
  path: '/standings',
  command: 'standing',
  ofState: true,
  input: later(() => z.strictObject(paged)),
  output: later(() => rowsPage(StandingRow, 'Who is suspended first, then the least first')),
  examples: ['warrant standing'],
})

const StepShown = later(() =>
  z.object({
    ...FactPlace.shape,
    before: Standing,
    after: Standing,
    scored: z
      .strictObject({ score: Standing, rule: z.enum(scoreRules), alpha: z.number() })
      .nullable()
      .describe('Null for a reinstatement'),
    contract: z
      .strictObject({ address: z.string(), attempt: z.int().min(1) })
      .nullable()
      .describe('Which contract ended by it, at which attempt'),
    reinstated: z
      .strictObject({ by: z.string(), reason: z.string() })
      .nullable()
      .describe('By whom; null for one by the time of the catalog'),
  }),
)
export type StepShown = z.infer<typeof StepShown>

export const standingAsked = operation({
  name: 'standing',
  title: 'Show where an agent stands, with the steps that moved it',
  who: 'party',
  path: '/standings/{agent}',
  command: 'standing',
  ofState: true,
  input: later(() => z.strictObject({ agent: Agent.describe('The principal') })),
  output: later(() =>
    z.object({
      ...answeredAt,
      standing: StandingRow,
      steps: z.array(StepShown).describe('The latest, oldest first'),
      before: z.int().min(0).describe('How many tasks were scored before those'),
      reinstateAfterMs: z
        .int()
        .nullable()
        .describe('After so long it may work again by itself; null where only a person can let it'),
      open: z.array(ContractRow).describe('Its open contracts'),
    }),
  ),
  examples: ['warrant standing my-agent --at 2026-05-01T12:00Z'],
})
