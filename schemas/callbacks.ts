// Why the callback or the condition of a policy did not answer, as a code with parameters: nothing
// that an engine or an author put into words, so that the same fault is the same fact with any
// version of either.
import { z } from 'zod'
import { later } from './later.ts'

/** What differs from run to run, and is therefore out of the reach of a callback. */
export const NotRepeatable = later(() =>
  z.enum(['time', 'zone', 'local_time', 'randomness', 'locale', 'code']),
)
export type NotRepeatable = z.infer<typeof NotRepeatable>

/** The name of a class of errors; there is none where no error was thrown. */
export const ErrorClass = later(() => z.string().regex(/^[A-Za-z_$][\w$]{0,63}$/))

const none = later(() => z.strictObject({}))

export const CallbackFault = later(() =>
  z.discriminatedUnion('code', [
    /** The catalog names no module. */
    z.strictObject({ code: z.literal('module_unpinned'), params: none }),
    /** The module that the catalog names is not here, or not with that digest. */
    z.strictObject({ code: z.literal('module_missing'), params: none }),
    /** It is no module of one file. */
    z.strictObject({ code: z.literal('module_invalid'), params: none }),
    /** The module exports no such function. */
    z.strictObject({ code: z.literal('callback_missing'), params: none }),
    z.strictObject({
      code: z.literal('threw'),
      params: z.strictObject({ error: ErrorClass.optional() }),
    }),
    z.strictObject({
      code: z.literal('timed_out'),
      params: z.strictObject({ ms: z.int().min(1) }),
    }),
    z.strictObject({ code: z.literal('answer_invalid'), params: none }),
    z.strictObject({ code: z.literal('answer_not_json'), params: none }),
    /** Only a callback that looks outside may answer later. */
    z.strictObject({ code: z.literal('answered_promise'), params: none }),
    z.strictObject({
      code: z.literal('not_repeatable'),
      params: z.strictObject({ what: NotRepeatable }),
    }),
    /** The thread died of it. */
    z.strictObject({ code: z.literal('thread_failed'), params: none }),
    z.strictObject({ code: z.literal('not_called'), params: none }),
    /** The condition cannot be evaluated for any call of the capability. */
    z.strictObject({ code: z.literal('condition_invalid'), params: none }),
    /** It reads what is not there, or what it works out has no value. */
    z.strictObject({ code: z.literal('condition_failed'), params: none }),
    /** It reads what was done in the session before, and the call is in none. */
    z.strictObject({ code: z.literal('condition_sessionless'), params: none }),
    /** It reads that, and the call only asks about another, or is judged without a log. */
    z.strictObject({ code: z.literal('condition_actless'), params: none }),
    /** It converts a text that is no such value: no number, bool, moment or span. */
    z.strictObject({ code: z.literal('condition_unconverted'), params: none }),
    /** Working it out would take too many steps. */
    z.strictObject({ code: z.literal('condition_too_costly'), params: none }),
  ]),
)
export type CallbackFault = z.infer<typeof CallbackFault>

/** What one check said, or why it said nothing. */
export const CallbackAnswer = later(() =>
  z.strictObject({
    policy: z.string(),
    source: z.string(),
    target: z.string(),
    callback: z.string(),
    /** Absent when it faulted. */
    passed: z.boolean().optional(),
    message: z.string().optional(),
    applies: z.boolean().optional(),
    fault: CallbackFault.optional(),
    /** It looked outside, so its answer is read back on replay and not derived. */
    recorded: z.boolean().optional(),
  }),
)
export type CallbackAnswer = z.infer<typeof CallbackAnswer>

/** What came back: the answer of the function, or why there is none. */
export type CallbackReply =
  | { readonly answer: unknown; readonly recorded: boolean }
  | { readonly fault: CallbackFault; readonly recorded?: boolean }
