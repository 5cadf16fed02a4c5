// What an adapter is made with, checked there: an option that is not one, or not of its
// type, would otherwise come out at the first call, as a failure that its model reads.
import { z } from 'zod'
import { Fault } from '#record/fault'
import { schemaFault } from '#record/schema-fault'
import { expectedText } from '#present/schema-text'
import { Intent } from '#schemas/intent'
import type { IntentFields } from '#client/asking'
import { refuseStrangeOptions } from '#client/strange-options'
import type { EvidenceSenders } from './evidence.ts'
import type { FrameworkCall } from './judged-call.ts'
import { ReasonArgument } from './reason-argument.ts'

/** What an intent says beside its tool and arguments. */
export type RequestFields = Omit<IntentFields, 'tool' | 'args'>

export interface GoverningOptions {
  /**
   * The session of this conversation: an id that stays the same when it goes on in another process.
   * Calls are found again by it, and its messages are evidence for its calls.
   */
  readonly session: string
  /** Capabilities by the names of tools; a tool that is not among them is called like its own. */
  readonly capabilities?: Readonly<Record<string, string>>
  /**
   * What each call says beside its arguments, such as a justification: the same for all, or made of
   * the call. What it says stands before what the model says.
   */
  readonly request?: RequestFields | ((call: FrameworkCall) => RequestFields)
  /**
   * An argument of this name, such as `reason`, in which the model states why it calls a tool. Each
   * tool takes it beside its own. It is the justification, and is neither judged nor run with.
   */
  readonly reasonArgument?: string
  /** How long a call waits for the stages, in milliseconds; 60 000 if absent. */
  readonly waitMs?: number
  /** In whose names the user's words and the results of tools become evidence. */
  readonly evidence?: EvidenceSenders
}

const isFunction = (given: unknown): boolean => typeof given === 'function'
const asFunction = z.custom(isFunction, { params: { keyword: 'type', type: 'function' } })
const client = z.looseObject({ publish: asFunction })
const Fields = z.strictObject(Intent.shape).omit({ tool: true, args: true }).partial()

const common = {
  capabilities: z.record(z.string(), z.string().min(1)).optional(),
  reasonArgument: ReasonArgument.optional(),
  waitMs: z.number().min(0).optional(),
  evidence: z.strictObject({ user: client.optional(), tools: client.optional() }).optional(),
}
const shapes = {
  conversation: z.looseObject(common).extend({ session: z.string().min(1) }),
  /** Of many conversations: what makes a session of each. */
  threads: z.looseObject(common).extend({ session: asFunction.optional() }),
}
const names = new Set(['session', 'request', ...Object.keys(common)])

/** Throws a Fault `options_invalid` that names the first option that is not one. */
export function checkedOptions<T extends Omit<GoverningOptions, 'session'>>(
  options: T,
  of: keyof typeof shapes = 'conversation',
): T {
  const given: unknown = options
  if (typeof given !== 'object' || given === null) throw invalid('the options are an object')
  refuseStrangeOptions(options, names)
  const parsed = shapes[of].safeParse(options)
  if (!parsed.success) throw unlike(parsed.error.issues, options, '')
  const { request } = options
  if (request === undefined || typeof request === 'function') return options
  const fields = Fields.safeParse(request)
  if (!fields.success) throw unlike(fields.error.issues, request, '/request')
  return options
}

function unlike(issues: readonly z.core.$ZodIssue[], value: unknown, below: string): Fault {
  const { path, keyword, expected } = schemaFault(issues, value)
  return invalid(`\`${below}${path}\` of the options ${expectedText(keyword, expected)}`)
}

function invalid(message: string): Fault {
  return new Fault('options_invalid', message)
}
