// One call of a tool that a framework for agents would make: judged, and run on an allow alone,
// once, with the arguments that were judged. All adapters stand on it; none adds a rule.
import { digestOfJson } from '#record/digest'
import { jsonOf } from '#record/canonical'
import { Fault } from '#record/fault'
import { argumentsOf, copied } from '#client/guard/arguments'
import { Refused } from '#client/guard/refused'
import { Pending } from '#client/pending'
import type { IntentFields } from '#client/asking'
import type { SessionHandle } from '#client/publishing'
import type { Agent, Auditor } from '#client/warrant'
import type { JsonObject } from '#schemas/catalog'
import type { Verdict } from '#replay/verdicts/verdict'
import { callEvidenceOf, type CallEvidence } from './evidence.ts'
import type { FrameworkCall, JudgedCall } from './judged-call.ts'
import { NotRun, refusedAnswer } from './not-run.ts'
import { checkedOptions, type GoverningOptions } from './options.ts'
import { statedIn } from './reason-argument.ts'
import { genAiSchemaUrl, withinSpan } from '#health/tracing'

// The span of a governed call in the program's own traces, by OpenTelemetry's conventions for
// generative AI, and what Warrant knows beside them. Arguments and results stay out of it.

interface CallSpan {
  readonly call: FrameworkCall
  readonly capability: string
  readonly agent: string | null
  readonly session: string
}

function withinCall<T>(
  { call, capability, agent, session }: CallSpan,
  act: (add: (judged: JudgedCall) => void) => Promise<T>,
): Promise<T> {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.tool,
    'gen_ai.tool.call.id': call.id,
    'gen_ai.tool.type': 'function',
    'gen_ai.conversation.id': session,
    ...(agent !== null && { 'gen_ai.agent.id': agent }),
    'warrant.capability': capability,
  }
  const span = { name: `execute_tool ${call.tool}`, attributes, schemaUrl: genAiSchemaUrl }
  return withinSpan(span, async (add) => {
    try {
      return await act((judged) => add(judgedAttributes(judged)))
    } catch (error) {
      const type = errorType(error)
      if (type !== null) add({ 'error.type': type })
      throw error
    }
  })
}

function judgedAttributes(judged: JudgedCall) {
  if (judged.state === 'allowed') {
    const { intent, name, confirmedBy } = judged.verdict
    const by = confirmedBy.length > 0 && { 'warrant.confirmed_by': [...confirmedBy] }
    return { 'warrant.intent': intent, 'warrant.verdict': name, 'warrant.outcome': 'allow', ...by }
  }
  const { answer } = judged.notRun
  const outcome = judged.state === 'refused' ? 'deny' : 'waiting'
  return {
    'warrant.outcome': outcome,
    ...(answer.intent !== null && { 'warrant.intent': answer.intent }),
    ...(answer.status === 'refused' && {
      'warrant.reasons': answer.reasons.map(({ code }) => code),
    }),
  }
}

/** Null for a call that only waits: nothing has failed. */
function errorType(error: unknown): string | null {
  if (!(error instanceof NotRun)) return error instanceof Error ? error.name : '_OTHER'
  const { answer } = error
  switch (answer.status) {
    case 'refused':
      return answer.reasons[0]?.code ?? 'refused'
    case 'waiting':
      return null
    case 'failed':
      return answer.code
  }
}

/** What a framework is given of Warrant: an agent's client, or any that can be one. */
export type GovernedBy = Agent & Partial<Pick<Auditor, 'explain'>>

/** Judges the calls of one conversation. */
export interface Governor extends Pick<CallEvidence, 'userSaid'> {
  /** Asks, or finds what was asked before. It never waits for people, and runs nothing. */
  readonly judge: (call: FrameworkCall) => Promise<JudgedCall>
  /** Waits for the verdict, people and all, for as long as that says, or as `ask` does. */
  readonly decided: (call: FrameworkCall, waitMs?: number) => Promise<JudgedCall>
  /** Runs the calls of one tool. */
  readonly tool: <A extends object, T>() => RunTool<A, T>
}

/**
 * Judges the call and, on an allow, has it run, once. Throws `NotRun` where it does not run, and
 * what the function throws. An equal call that runs meanwhile gets what that one gets.
 */
export type RunTool<A extends object, T> = (
  call: FrameworkCall,
  execute: (args: A) => T | Promise<T>,
) => Promise<T>

export function governorOf(warrant: GovernedBy, given: GoverningOptions): Governor {
  const options = checkedOptions(given)
  const { capabilities = {}, request = {}, reasonArgument, evidence: senders = {} } = options
  const session = warrant.session(options.session)
  const evidence = callEvidenceOf(senders, { session: session.id, receiver: warrant.principal })
  const capabilityOf = ({ tool }: FrameworkCall): string =>
    Object.hasOwn(capabilities, tool) ? (capabilities[tool] ?? tool) : tool
  const judging = (whole: FrameworkCall, wait: Waiting): Promise<JudgedCall> => {
    const { call, justification } = statedIn(whole, reasonArgument)
    const said = typeof request === 'function' ? request(call) : request
    const fields = {
      ...(justification !== null && { justification }),
      ...said,
      tool: capabilityOf(call),
      args: judgedArguments(call),
    }
    return judgedAs(warrant, fields, { session, key: keyOf(call, fields), wait })
  }
  const { waitMs } = options
  const judge: Governor['judge'] = (call) =>
    judging(call, { onReview: () => false, ...(waitMs !== undefined && { waitMs }) })
  return {
    judge,
    userSaid: evidence.userSaid,
    decided: (call, longMs) => judging(call, longMs === undefined ? {} : { waitMs: longMs }),
    tool: <A extends object, T>(): RunTool<A, T> => {
      const running = new Map<string, Promise<T>>()
      return (call, execute) => {
        const capability = capabilityOf(call)
        const of = { call, capability, agent: warrant.principal, session: session.id }
        return withinCall(of, async (add) => {
          const verdict = await allowedOrThrow(judge, call, add)
          const { intent } = verdict
          const joined = running.get(intent)
          if (joined !== undefined) return joined
          const redeeming = redeemed(warrant, { capability, verdict }, execute)
          const result = evidence.answered(redeeming, { call, capability, verdict })
          running.set(intent, result)
          try {
            return await result
          } finally {
            running.delete(intent)
          }
        })
      }
    },
  }
}

async function allowedOrThrow(
  judge: Governor['judge'],
  call: FrameworkCall,
  add: (judged: JudgedCall) => void,
): Promise<Verdict> {
  const judged = await NotRun.orFault(() => judge(call))
  add(judged)
  if (judged.state !== 'allowed') throw judged.notRun
  return judged.verdict
}

interface Waiting {
  readonly waitMs?: number
  readonly onReview?: () => boolean
}

interface Asking {
  readonly session: SessionHandle
  readonly key: string
  readonly wait: Waiting
}

async function judgedAs(
  warrant: GovernedBy,
  fields: IntentFields,
  { session, key, wait }: Asking,
): Promise<JudgedCall> {
  try {
    const verdict = await warrant.ask(fields, { session, key, ...wait })
    if (verdict.outcome === 'allow') return { state: 'allowed', verdict }
    const refused = new Refused(verdict, fields.tool)
    const fixes = await fixesFor(warrant, fields, { session, verdict })
    return { state: 'refused', notRun: new NotRun(refusedAnswer(refused, fixes), refused) }
  } catch (error) {
    if (!(error instanceof Pending)) throw error
    return { state: 'waiting', notRun: NotRun.waiting(error) }
  }
}

/** What would close its gaps, where this client can read what is known. */
async function fixesFor(
  { explain }: GovernedBy,
  fields: IntentFields,
  { session, verdict }: { readonly session: SessionHandle; readonly verdict: Verdict },
): Promise<readonly string[]> {
  if (verdict.gaps.length === 0 || explain === undefined) return []
  try {
    const { fixes } = await explain(fields, { session })
    return fixes.map(({ text }) => text)
  } catch (error) {
    // The refusal stands without them.
    if (error instanceof Fault) return []
    throw error
  }
}

/** Those that JSON can hold, as they are; a Fault for any other. */
function judgedArguments({ args }: FrameworkCall): JsonObject {
  return argumentsOf(copied(args))
}

const keyCharacters = 40

// A model may repeat the id of a call, for another tool or with other arguments.
function keyOf({ id }: FrameworkCall, { tool, args }: IntentFields): string {
  const digest = digestOfJson(jsonOf({ id, tool, args }))
  return `call-${digest.slice('sha256:'.length, 'sha256:'.length + keyCharacters)}`
}

interface Redeeming {
  readonly capability: string
  readonly verdict: Verdict
}

/** Runs it with what the log has as the arguments of the intent. */
async function redeemed<A extends object, T>(
  warrant: GovernedBy,
  { capability, verdict }: Redeeming,
  execute: RunsWith<A, T>,
): Promise<T> {
  const begun = { isBegun: false }
  const guarded = warrant.guard<A, T>(capability, (args) => {
    begun.isBegun = true
    return execute(args)
  })
  try {
    return await guarded.redeem(verdict.intent)
  } catch (error) {
    throw begun.isBegun ? error : NotRun.of(error)
  }
}

type RunsWith<A, T> = (args: A) => T | Promise<T>
