// What is counted of a log: what became of intents, what observed calls would have come to, which
// allowed calls went well by luck, and what people make of the questions that they are asked.
import { z } from 'zod'
import { OfCell } from '../console/positions.ts'
import { intentFilters } from './facts.ts'
import { answeredAt, AnswerInstant, operation } from './operation.ts'
import { later } from '../later.ts'
import { Pointer, ValueKind } from '../values.ts'

const Count = later(() => z.int().min(0))
const Share = later(() => z.number().min(0).max(1).nullable())
const Milliseconds = later(() => z.number().min(0).nullable())

/** More than a screen shows, for a spreadsheet. */
export const countedRowsMax = 100_000

const input = later(() =>
  z.strictObject({
    ...intentFilters,
    limit: z.int().min(1).max(countedRowsMax).default(50).describe('Of each table, so many rows'),
  }),
)

const tallyFields = {
  intents: Count,
  allowed: Count.describe('Those that people agreed to among them'),
  confirmed: Count.describe('Of those allowed: after people agreed'),
  denied: Count,
  open: Count,
  observed: Count.describe('Of all these: decided, and nothing enforced'),
  reasons: z.record(z.string(), Count).describe('Denials by their first reason'),
}

export const TallyCounts = later(() => z.object(tallyFields))
export type TallyCounts = z.infer<typeof TallyCounts>

/** The middle, the 95th of a hundred and the longest; null where there is none. */
const Spread = later(() =>
  z.object({
    count: Count,
    medianMs: Milliseconds,
    p95Ms: Milliseconds,
    maxMs: Milliseconds,
  }),
)
export type Spread = z.infer<typeof Spread>

const BudgetLeft = later(() =>
  z.object({
    budget: z.string(),
    key: z.string().nullable().describe('Null for all together'),
    used: z.string(),
    limit: z.string(),
    left: z.string().describe('0 where more is used than the budget allows by now'),
    freesAt: AnswerInstant.describe('When the oldest use frees'),
    ...OfCell,
  }),
)
export type BudgetLeft = z.infer<typeof BudgetLeft>

export const countsAsked = operation({
  name: 'counts',
  title: 'Count intents: by tool, agent, reason and confirmer, and the time to decide',
  who: 'auditor',
  path: '/counts',
  command: 'stats',
  tool: 'count_intents',
  input,
  output: later(() =>
    z.object({
      ...answeredAt,
      counts: z
        .literal('recorded')
        .describe('Allows are counted as recorded: none is derived again'),
      all: TallyCounts,
      tools: z
        .array(z.object({ tool: z.string(), ...tallyFields }))
        .describe('The most asked first'),
      agents: z.array(z.object({ agent: z.string(), ...tallyFields })),
      confirmers: z.array(
        z.object({ confirmer: z.string(), agreed: Count, declined: Count, timeToAnswer: Spread }),
      ),
      timeToDecide: z
        .object({ withoutPeople: Spread, withPeople: Spread })
        .describe('From the message to the verdict'),
      calls: z.record(z.string(), Count).describe('What came of them'),
      budgets: z
        .array(BudgetLeft)
        .describe('What is used now, whatever time is asked about, the fullest first'),
      found: z
        .object({ tools: Count, agents: Count, confirmers: Count, budgets: Count })
        .describe('How many rows each has where all are asked for'),
    }),
  ),
  examples: ['warrant stats --since 7d'],
})

const ObservedRow = later(() =>
  z.object({
    tool: z.string(),
    would: z.enum(['allow', 'ask', 'deny']),
    reason: z.string().nullable().describe('The code of the first one; null of an allow'),
    calls: Count,
  }),
)
export type ObservedRow = z.infer<typeof ObservedRow>

export const observedCountsAsked = operation({
  name: 'observedCounts',
  title: 'Count observed calls alone, by what they would have come to',
  who: 'auditor',
  path: '/counts/observed',
  command: 'stats --observed',
  tool: 'count_observed_calls',
  input,
  output: later(() =>
    z.object({
      ...answeredAt,
      calls: Count,
      allow: Count,
      ask: Count.describe('People would be asked'),
      deny: Count,
      rows: z.array(ObservedRow).describe('The most called first'),
      count: Count.describe('How many rows there are where all are asked for'),
    }),
  ),
  examples: ['warrant stats --observed --since 1d'],
})

const LuckRow = later(() =>
  z.object({
    tool: z.string(),
    arg: Pointer.describe('What the calls name there; `*` is each item, or a name of no schema'),
    kind: ValueKind,
    calls: Count.describe('Allowed calls that name something there'),
    agentAlone: Count.describe('No one but the agent had said it'),
    others: Count.describe('Only what others can have written had shown it'),
    unread: Count.describe('No reading call of the session had shown it'),
    shownBy: z.array(z.string()).describe('Tools whose results showed such things'),
  }),
)
export type LuckRow = z.infer<typeof LuckRow>

export const luckAsked = operation({
  name: 'luck',
  title: 'Count allowed calls that change something by what no one had checked',
  who: 'auditor',
  path: '/counts/luck',
  command: 'stats --luck',
  tool: 'count_lucky_calls',
  input,
  output: later(() =>
    z.object({
      ...answeredAt,
      calls: Count.describe('Allowed calls of tools that change something'),
      agreed: Count.describe('Of those: people agreed, and they are counted no further'),
      lucky: Count.describe('Of the others: at least one row counts it'),
      rows: z.array(LuckRow).describe('What was checked least comes first'),
      count: Count.describe('How many rows there are where all are asked for'),
      demands: z
        .array(z.record(z.string(), z.json()))
        .describe('Operations of the catalog that would have demanded it, for `catalog apply`'),
      undeclared: z
        .array(z.string())
        .describe('Of the tools that showed such things: those without `untrusted`'),
    }),
  ),
  examples: ['warrant stats --luck'],
})

const rateFields = {
  answers: Count.describe('Those that count'),
  agreed: Count,
  declined: Count,
  agreedShare: Share.describe('Of the answers'),
  quick: Count.describe('Within three seconds'),
  quickShare: Share,
  timeToDecide: z.object({ medianMs: Milliseconds, p90Ms: Milliseconds }),
}

const Rates = later(() => z.object(rateFields))
export type Rates = z.infer<typeof Rates>

const PersonAttention = later(() =>
  z.object({
    person: z.string(),
    ...rateFields,
    asked: Count,
    unanswered: Count.describe('Reviews that expired without an answer of this person'),
    perDay: z.object({ mean: z.number(), most: Count }),
    answersLeft: z
      .object({ perDay: Count, left: Count })
      .nullable()
      .describe(
        'How many answers count one by one within 24 hours; null where nothing limits them',
      ),
  }),
)
export type PersonAttention = z.infer<typeof PersonAttention>

const RuleAttention = later(() =>
  z.object({
    kind: z.string().describe('Of the question'),
    rule: z.string().nullable(),
    ...rateFields,
    questions: Count,
    refused: Count.describe('Questions that someone declined'),
    refusedShare: Share,
    expired: Count,
    changesNothing: z.boolean().describe('Whether it has `answersMin` answers, all of them yes'),
  }),
)
export type RuleAttention = z.infer<typeof RuleAttention>

export const attentionAsked = operation({
  name: 'attention',
  title: 'Count how people answer, and how the questions of each rule are answered',
  who: 'party',
  path: '/attention',
  command: 'stats --people --rules',
  tool: 'count_answers',
  input,
  output: later(() =>
    z.object({
      ...answeredAt,
      from: AnswerInstant.nullable().describe('Since when it is counted; null: all of the log'),
      all: z.object({
        ...rateFields,
        reviews: Count,
        expired: Count,
        waitedMs: z.number().min(0).describe('How long agents waited, all together'),
      }),
      people: z
        .array(PersonAttention)
        .describe('Who asks alone, or everyone for a policy admin; who is asked most comes first'),
      rules: z.array(RuleAttention).describe('What asks most comes first'),
      answersMin: Count.describe('So many answers a rule must have for `changesNothing`'),
    }),
  ),
  examples: ['warrant stats --people --rules --since 30d'],
})

export type AttentionAnswer = z.infer<typeof attentionAsked.output>
