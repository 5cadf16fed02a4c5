// Whom an entry of the catalog is about: in the lists of a capability, and of those who ask about
// others.
import { z } from 'zod'
import { Id } from './terms.ts'
import { later } from '../later.ts'

const nameAlone = 'say what the name is of: `{ "principal": "…" }` or `{ "role": "…" }`'

/** Whom a list is about: all that is named must fit. */
export const Matcher = later(() =>
  z
    .strictObject(
      {
        principal: Id.optional(),
        role: Id.optional(),
        attributes: z.record(z.string(), z.string()).optional(),
      },
      { error: ({ input }) => (typeof input === 'string' ? nameAlone : undefined) },
    )
    .refine((one) => Object.keys(one).length > 0, 'name a principal, a role or attributes'),
)
export type Matcher = z.infer<typeof Matcher>

/** About whom a gateway or an application may ask, and whether it acts by the answers. */
export const Evaluates = later(() =>
  z.strictObject({
    /** What a subject is called there, and which principals may be meant by it. */
    subjects: z
      .array(z.strictObject({ type: Id, who: Matcher }))
      .max(64)
      .default([]),
    /** Whether what is allowed counts as used: then limits and budgets are not only read. */
    enforces: z.boolean().default(false),
    /**
     * Whether people may be asked in its requests about others; what they agree to it may start.
     */
    asks: z.boolean().exactOptional(),
  }),
)
export type Evaluates = z.infer<typeof Evaluates>
