// The words of budgets: what is added up for whom, and what an agent takes along of it.
import { z } from 'zod'
import { DurationMs, Id } from '../rules/terms.ts'
import { DecimalText, instantMax, When } from '../values.ts'
import { later } from '../later.ts'

/** An expression in CEL that comes to a number, a decimal as text, or a list of those. */
const AmountOf = later(() => z.string().min(1).max(2000))

/** A decimal as a number or as text: text is exact however many digits it has. */
const Amount = later(() => z.union([z.number().positive(), DecimalText]))

/** What calls may come to in a sliding window, added up for each key. */
export const Budget = later(() =>
  z.strictObject({
    /** Unique. What was used belongs to the name, whatever else of the budget changes. */
    name: Id,
    /** What a call adds; absent means 1. A list is added up. */
    of: AmountOf.optional(),
    max: Amount,
    windowMs: DurationMs,
    /**
     * For whom it is added up: `agent`, `owner` (the topmost), `session`, `tenant`, or an
     * expression in CEL that comes to a text or a list of texts. Absent means for all together.
     */
    per: z.string().min(1).max(2000).optional(),
    /** Of which capabilities; absent means all. */
    capabilities: z.array(Id).min(1).max(256).optional(),
    /** Only calls for which it holds count. */
    when: When.optional(),
    /** Whether each cell of a realm has the whole of it, and counts its own agents alone. */
    perCell: z.literal(true).optional(),
    /** What the agent is given as the reason. */
    message: z.string().min(1).max(1000).optional(),
  }),
)
export type Budget = z.infer<typeof Budget>

/** What the calls of an agent have used of a budget, for one key. */
export const CountedBudget = later(() =>
  z.strictObject({
    /** As tokens. */
    budget: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    key: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    /** Oldest first. */
    uses: z
      .array(z.strictObject({ at: z.int().min(0).max(instantMax), amount: DecimalText }))
      .min(1),
  }),
)
export type CountedBudget = z.infer<typeof CountedBudget>
