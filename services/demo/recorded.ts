// Recorded sessions, step by step: what agents called, what was answered, and what people said.
import { z } from 'zod'

/** Of each line: in which session it is, and where. */
export const stepBase = { session: z.string().min(1), step: z.int() }

export const CallStep = z.looseObject({
  ...stepBase,
  kind: z.literal('call'),
  tool: z.string().min(1),
  args: z.record(z.string(), z.json()),
})
export type Call = z.infer<typeof CallStep>

export const ResultStep = z.looseObject({
  ...stepBase,
  kind: z.literal('result'),
  call: z.int(),
  tool: z.string(),
  error: z.boolean(),
  value: z.json(),
  /** JSON pointers to what others may have written in it. */
  untrusted: z.array(z.string()).optional(),
  /** The step of a call without which it had never been answered so. */
  needs: z.int().optional(),
})
export type Result = z.infer<typeof ResultStep>

/** A customer of the airline spoke, and may have agreed to what was offered. */
const CustomerStep = z.looseObject({
  ...stepBase,
  kind: z.literal('customer'),
  confirmed: z.boolean(),
})

/** The user of an office said this. */
const UserStep = z.looseObject({ ...stepBase, kind: z.literal('user'), text: z.string() })

export const AirlineStep = z.discriminatedUnion('kind', [CustomerStep, CallStep, ResultStep])
export type AirlineStep = z.infer<typeof AirlineStep>

export const OfficeStep = z.discriminatedUnion('kind', [UserStep, CallStep, ResultStep])
export type OfficeStep = z.infer<typeof OfficeStep>

export interface RecordedSession<S = AirlineStep | OfficeStep> {
  readonly session: string
  readonly steps: readonly S[]
}

/** By which calls are labelled, counted and compared. */
export function callKey({ session, step }: Pick<Call, 'session' | 'step'>): string {
  return `${session} ${step}`
}
