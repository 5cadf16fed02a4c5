// What is asked of the facts of a log: those that filters mean, page by page. The filters are the
// same wherever facts are looked for, be it that they are printed, followed or counted.
import { z } from 'zod'
import { LogPositions, OfCell } from '../console/positions.ts'
import { allKinds } from '../kinds.ts'
import { ReasonCode } from '../reasons.ts'
import { VlpIssueCode } from '../vlp.ts'
import { answeredAt, AnswerInstant, operation, paged } from './operation.ts'
import { later } from '../later.ts'

export const timeSpelling = 'a time such as 2026-05-01T12:00Z, or how long ago: 90s, 15m, 24h, 7d'

const Time = later(() => z.string().min(1).max(40))
const Names = later(() => z.array(z.string().min(1).max(256)).min(1).max(16))

/** Which intents are meant. */
export const intentFilters = {
  since: Time.optional().describe(`From then on: ${timeSpelling}`),
  until: Time.optional().describe('Up to then, spelled alike'),
  agent: Names.optional().describe('Only about intents of one of these agents'),
  tool: Names.optional().describe('Only about intents for one of these tools'),
}

const verdictOutcomes = ['allow', 'deny'] as const
const callOutcomes = ['succeeded', 'failed', 'refused', 'unknown'] as const
const Outcome = later(() => z.enum([...verdictOutcomes, ...callOutcomes]))
export type OutcomeMeant = z.infer<typeof Outcome>

/** Those of verdicts; the others are of calls. */
export const ofVerdicts: ReadonlySet<OutcomeMeant> = new Set(verdictOutcomes)

/** And which of their facts, all of which hold together. */
export const factFilters = {
  ...intentFilters,
  outcome: z
    .array(Outcome)
    .min(1)
    .optional()
    .describe('Only verdicts with it, or what came of the call'),
  reason: z.array(ReasonCode).min(1).max(16).optional().describe('Only denials for that reason'),
  rule: Names.optional().describe('Only what one of these rules or policies refused or asked'),
  person: Names.optional().describe('Only what one of these people answered, ruled or signed'),
  kind: z.array(z.enum(allKinds)).min(1).max(16).optional().describe('Only facts of these kinds'),
  name: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('Only names that match, without realm and era: `verdict.>`, `vlp.my-agent.*.*`'),
  decisions: z
    .boolean()
    .optional()
    .describe('Only verdicts, each with who asked for what, and who approved it'),
  issue: VlpIssueCode.optional().describe('Only groundings of messages with that VLP issue'),
  where: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe(
      'Only where this holds, in CEL, over position, time, name, kind, agent, tool, args, ' +
        'reason, outcome, reasons, approvedBy and data, such as ' +
        '`args.amount > 100 && "ann" in approvedBy`',
    ),
}

/** As they are asked for. */
export const FactFilters = later(() => z.object(factFilters))
export type FactFilters = z.infer<typeof FactFilters>

const DecisionRow = later(() =>
  z.strictObject({
    intent: z.string().describe('Its address'),
    agent: z.string(),
    args: z
      .unknown()
      .meta({})
      .describe(
        'What it asks with; null over 4 096 bytes, of several calls, or where it is no JSON',
      ),
    outcome: z.enum(verdictOutcomes),
    reasons: z.array(ReasonCode).describe('Why it was denied, the first that counts first'),
    approvedBy: z.array(z.string()).describe('Who agreed to it'),
    reason: z.string().describe('Why the agent asks; empty where it does not say'),
  }),
)
export type DecisionRow = z.infer<typeof DecisionRow>

export const FactRow = later(() =>
  z.object({
    position: z.int().min(1),
    appendedAt: AnswerInstant,
    name: z.string(),
    tool: z
      .string()
      .nullable()
      .optional()
      .describe('The tool that the intent asks for; absent of what is about none'),
    void: z
      .string()
      .optional()
      .describe('Why its allow counts for nothing; absent where it counts'),
    says: z.string().describe('In one phrase'),
    decision: DecisionRow.optional().describe('With `decisions`: what was decided'),
    fact: z
      .unknown()
      .meta({})
      .optional()
      .describe('With `content`: its bytes as the JSON that they are'),
    cut: z.literal(true).optional().describe('It is too long for this door: read it alone'),
    ...OfCell,
  }),
)
export type FactRow = z.infer<typeof FactRow>

export const factsAsked = operation({
  name: 'facts',
  title: 'List the facts that filters mean',
  who: 'auditor',
  path: '/facts',
  command: 'log',
  lines: true,
  input: later(() =>
    z.strictObject({
      ...factFilters,
      order: z.enum(['newest', 'oldest']).default('newest').describe('Which come first'),
      content: z
        .boolean()
        .optional()
        .describe('With all that each fact says, and not only a phrase'),
      ...paged,
    }),
  ),
  output: later(() =>
    z.object({
      ...answeredAt,
      rows: z.array(FactRow).describe('In that order'),
      next: LogPositions.nullable().describe('`cursor` of the next page; null where there is none'),
      isWhole: z.boolean().describe('False where it looked no further for now: go on with `next`'),
      unclear: z.int().min(0).describe('For so many facts `where` could not be worked out'),
      asRecorded: z
        .int()
        .min(0)
        .describe('So many allows were not derived again: expired, and too far back'),
    }),
  ),
  examples: ['warrant log --outcome deny', 'warrant log --kind decision --person you'],
})
