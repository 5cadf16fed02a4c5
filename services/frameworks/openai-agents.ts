// Tools of the OpenAI Agents SDK behind Warrant. What people must agree to is an interruption of
// the run; its serialised state holds the id of the call, by which the intent is found again.
import type { RunContext, RunToolApprovalItem } from '@openai/agents-core'
import { z } from 'zod'
import { Fault } from '#record/fault'
import { parseExactJson } from '#record/json'
import { governorOf } from './governing.ts'
import type { GovernedBy } from './governing.ts'
import type { GoverningOptions } from './options.ts'
import type { FrameworkCall } from './judged-call.ts'
import { NotRun } from './not-run.ts'
import { reasonZod, refuseOwnArgument } from './reason-argument.ts'

export type { NotRun } from './not-run.ts'
export type { EvidenceSenders } from './evidence.ts'
export type { GovernedBy } from './governing.ts'
export type { GoverningOptions } from './options.ts'
export type { FrameworkCall } from './judged-call.ts'

/** As zod does it, with defaults. */
export interface ParsesArguments {
  parse(written: unknown): object
}

interface CallDetails {
  readonly toolCall?: { readonly callId: string }
}

/** What `tool` takes, as far as it matters here. */
export interface AgentTool<P extends ParsesArguments, C, T> {
  readonly name: string
  readonly description: string
  readonly parameters: P
  readonly execute: (args: ReturnType<P['parse']>, context?: RunContext<C>) => T | Promise<T>
}

/** To be handed to `tool`. */
export interface GovernedAgentTool<P extends ParsesArguments, C, T> {
  name: string
  description: string
  parameters: P
  execute: (
    args: ReturnType<P['parse']>,
    context?: RunContext<C>,
    details?: CallDetails,
  ) => Promise<T>
  needsApproval: (
    context: RunContext,
    args: ReturnType<P['parse']>,
    callId?: string,
  ) => Promise<boolean>
  errorFunction: (context: unknown, error: unknown) => string
}

/** A run that was interrupted: what `run` returned, or a state that was read again. */
export interface InterruptedRun {
  readonly interruptions: readonly RunToolApprovalItem[]
  readonly state: {
    approve(item: RunToolApprovalItem): void
    reject(item: RunToolApprovalItem, options?: { message?: string }): void
  }
}

export interface GovernedAgents {
  /** The same tool; it runs on an allow alone, once. Hand it to `tool`. */
  governed<P extends ParsesArguments, C, T>(tool: AgentTool<P, C, T>): GovernedAgentTool<P, C, T>
  /**
   * Waits for the verdict on each interruption by these tools, and approves or rejects it in the
   * state: run the agent again with that. Waits for people as long as they may answer, or for
   * `waitMs` milliseconds; throws `NotRun` where one still waits then. Others are left as they are.
   */
  resume(run: InterruptedRun, waitMs?: number): Promise<void>
  /** Publishes what the user has said in the conversation, as evidence: before the agent runs. */
  userSaid(texts: readonly string[]): Promise<void>
}

export function governAgents(warrant: GovernedBy, options: GoverningOptions): GovernedAgents {
  const governor = governorOf(warrant, options)
  const parsers = new Map<string, ParsesArguments>()
  return {
    userSaid: governor.userSaid,
    governed<P extends ParsesArguments, C, T>({
      name,
      description,
      parameters: own,
      execute,
    }: AgentTool<P, C, T>): GovernedAgentTool<P, C, T> {
      const parameters = reasoned(own, options.reasonArgument, name)
      parsers.set(name, parameters)
      const runTool = governor.tool<ReturnType<P['parse']>, T>()
      return {
        name,
        description,
        parameters,
        execute: async (args, context, details) => {
          const call = { id: idIn(details), tool: name, args }
          return runTool(call, (judged) => execute(judged, context))
        },
        async needsApproval(_context, args, callId) {
          if (callId === undefined) return false
          try {
            return (await governor.judge({ id: callId, tool: name, args })).state === 'waiting'
          } catch {
            // The tool is then judged where it would run, and reports what fails.
            return false
          }
        },
        errorFunction: (_context, error) =>
          error instanceof NotRun ? error.message : 'The tool failed.',
      }
    },
    async resume({ interruptions, state }, waitMs) {
      const answers = interruptions.map(async (item) => {
        const call = callIn(item, parsers)
        if (call === null) return
        if (call instanceof NotRun) {
          state.reject(item, { message: call.message })
          return
        }
        const judged = await NotRun.orFault(() => governor.decided(call, waitMs))
        if (judged.state === 'waiting') throw judged.notRun
        if (judged.state === 'allowed') state.approve(item)
        else state.reject(item, { message: judged.notRun.message })
      })
      await Promise.all(answers)
    },
  }
}

/** A zod object with one member more, in which the model says why. */
function reasoned<P extends ParsesArguments>(own: P, field: string | undefined, name: string): P {
  if (field === undefined) return own
  const shape: unknown = Reflect.get(own, 'shape')
  const extend: unknown = Reflect.get(own, 'safeExtend')
  if (typeof shape !== 'object' || shape === null || typeof extend !== 'function') {
    throw new Fault('options_invalid', `the parameters of \`${name}\` are no object of zod 4`)
  }
  refuseOwnArgument(shape, field, name)
  return z.custom<P>().parse(Reflect.apply(extend, own, [{ [field]: reasonZod }]))
}

function idIn(details: CallDetails | undefined): string {
  const id = details?.toolCall?.callId
  if (id !== undefined) return id
  throw NotRun.of(new Error('a call without an id'))
}

/** The call as it was judged; null for one that is no call of these tools, or why it cannot be. */
function callIn(
  { rawItem }: RunToolApprovalItem,
  parsers: ReadonlyMap<string, ParsesArguments>,
): FrameworkCall | NotRun | null {
  if (rawItem.type !== 'function_call') return null
  const { callId: id, name: tool, arguments: written } = rawItem
  const parser = parsers.get(tool)
  if (parser === undefined) return null
  try {
    return { id, tool, args: parser.parse(parseExactJson(written)) }
  } catch (error) {
    return NotRun.invalid(error)
  }
}
