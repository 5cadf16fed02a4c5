// The words of the rules that are data: a condition in CEL, and what holds where it does.
import { z } from 'zod'
import { Recover } from '../reasons.ts'
import { When } from '../values.ts'
import { Id } from './terms.ts'
import { later } from '../later.ts'

const conditionBase = {
  name: Id.describe('Unique among those of its tool, or of the catalog.'),
  when: When.describe('An expression in CEL that comes to a bool, such as `args.cents > 5000`.'),
  message: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('What the agent is given as the reason.'),
}

const recovery = later(() =>
  Recover.exclude(['learn'])
    .default('never')
    .describe('What may help the agent then; absent means that nothing does.'),
)

/** A rule as data: what holds where `when` does. */
export const Condition = later(() =>
  z.discriminatedUnion('effect', [
    z.strictObject({
      ...conditionBase,
      effect: z.literal('deny').describe('Refuses where it holds.'),
      recover: recovery,
    }),
    z.strictObject({
      ...conditionBase,
      effect: z.literal('require').describe('Refuses where it does not hold.'),
      recover: recovery,
    }),
    z.strictObject({
      ...conditionBase,
      effect: z.literal('confirm').describe('Asks people where it holds.'),
      question: z.string().min(1).max(1000).optional().describe('What people are asked.'),
      confirmation: Id.optional().describe(
        'Names one of `confirmations`; absent means that of the tool, then the default.',
      ),
    }),
  ]),
)
export type Condition = z.infer<typeof Condition>

export const Conditions = later(() => z.array(Condition).max(64))
