// The line of an open intent in a snapshot: what it may say when someone reads it back.
import { z } from 'zod'
import { AnswerDemands } from '#schemas/people/demands'
import { DecisionData, ReviewData } from '#schemas/review'
import { DecimalText, Digest } from '#schemas/values'
import { Count, Handovers, placed } from './people-lines.ts'

export const IntentLine = z.strictObject({
  address: z.string(),
  id: z.string().nullable(),
  name: z.string(),
  position: Count,
  appendedAt: Count,
  beyond: z.boolean(),
  moving: z.literal(true).optional(),
  request: Digest.optional(),
  equalTo: z.string().optional(),
  unreasoned: Count.optional(),
  judged: z.string().optional(),
  grounding: z
    .strictObject({
      name: z.string(),
      position: Count,
      attempt: z.int().min(1),
      grounded: z.boolean(),
    })
    .nullable(),
  hold: z.strictObject({ attempt: z.int(), until: z.number() }).nullable(),
  attempt: z.int(),
  shown: z.string().nullable(),
  used: z.boolean(),
  asked: z.boolean(),
  budgets: z.array(z.strictObject({ budget: z.string(), key: z.string() })).optional(),
  grants: z
    .array(z.strictObject({ grant: z.string(), use: z.int().min(1), amount: DecimalText }))
    .optional(),
  review: z
    .strictObject({
      name: z.string(),
      position: Count,
      appendedAt: Count,
      number: z.int().min(1),
      digest: Digest,
      tier: ReviewData.shape.tier,
      confirmers: z.array(z.string()),
      quorum: z.int().min(1),
      questions: Count,
      asksReason: z.boolean(),
      decideBy: z.number(),
      useWithinMs: z.int().min(1),
      demands: AnswerDemands.optional(),
      side: z.array(z.string()).optional(),
      reopens: z.strictObject({ names: z.array(z.string()), position: Count }).optional(),
    })
    .nullable(),
  spoilt: z.string().optional(),
  reopened: Count.optional(),
  taken: z.array(z.string()).optional(),
  handovers: Handovers.optional(),
  reviewNext: z.int().min(1),
  decisions: z.array(placed(DecisionData)),
  withdrawn: z.enum(['withdrawal', 'correction', 'replaced']).nullable(),
  replacedBy: z.string().optional(),
  setAside: z.string().optional(),
})
