// Calls of the Claude Agent SDK behind Warrant, by its permission callback, to which a hook brings
// every call. What people must agree to is deferred: the session is resumed when it is decided.
import type { CanUseTool, HookCallback, HookCallbackMatcher } from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod'
import { governorOf } from './governing.ts'
import type { GovernedBy, Governor } from './governing.ts'
import type { GoverningOptions } from './options.ts'
import type { FrameworkCall } from './judged-call.ts'
import { NotRun } from './not-run.ts'
import { apart, reasonZod, refuseOwnArgument } from './reason-argument.ts'

export type { NotRun, NotRunAnswer } from './not-run.ts'
export type { EvidenceSenders } from './evidence.ts'
export type { GovernedBy } from './governing.ts'
export type { GoverningOptions } from './options.ts'
export type { FrameworkCall } from './judged-call.ts'

type Hooked = 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure'

/** As a result of `query` names the call that its session waits for: `deferred_tool_use`. */
export interface DeferredCall {
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface GovernedClaude {
  /**
   * For the options of `query`, both: the hook brings each call to the callback, whatever rules and
   * modes of permission would let through. A call goes on when it is allowed, once, with the
   * arguments that were judged, and has run when its own hook reports it.
   */
  readonly options: {
    readonly canUseTool: CanUseTool
    readonly hooks: Record<Hooked, HookCallbackMatcher[]>
  }
  /**
   * Waits for the verdict on a deferred call: resume the session then, and the call is made again.
   * Waits for people as long as they may answer, or for `waitMs` milliseconds; throws `NotRun`
   * where it still waits then.
   */
  decided(deferred: DeferredCall, waitMs?: number): Promise<void>
  /** Publishes what the user has said in the conversation, as evidence: before the agent runs. */
  userSaid(texts: readonly string[]): Promise<void>
}

/** The members of a tool's arguments with one more, in which the model says why it calls. */
export function reasonShape<S extends z.ZodRawShape, F extends string>(
  tool: string,
  own: S,
  reasonArgument: F,
): S & Record<F, z.ZodString> {
  refuseOwnArgument(own, reasonArgument, tool)
  return z.custom<S & Record<F, z.ZodString>>().parse({ ...own, [reasonArgument]: reasonZod })
}

/** Longer than stages are waited for: a hook that is late would let its call pass. */
const hookSeconds = 3_600

export function governClaude(warrant: GovernedBy, options: GoverningOptions): GovernedClaude {
  const governor = governorOf(warrant, options)
  const { begin, ended } = callsOf(governor)
  return {
    options: {
      canUseTool: async (tool, input, { toolUseID: id }) => {
        try {
          const judged = await begin({ id, tool, args: input })
          const stated = statedIn(input, options.reasonArgument)
          return { behavior: 'allow', updatedInput: { ...judged, ...stated } }
        } catch (error) {
          return { behavior: 'deny', message: NotRun.of(error).message }
        }
      },
      hooks: {
        PreToolUse: [{ hooks: [bringing(governor)], timeout: hookSeconds, onFailure: 'block' }],
        PostToolUse: [{ hooks: [ended] }],
        PostToolUseFailure: [{ hooks: [ended] }],
      },
    },
    async decided({ id, name, input }, waitMs) {
      const call = { id, tool: name, args: input }
      const judged = await NotRun.orFault(() => governor.decided(call, waitMs))
      if (judged.state === 'waiting') throw judged.notRun
    },
    userSaid: governor.userSaid,
  }
}

/** Brings each call to the callback, or defers it while people decide. */
function bringing(governor: Governor): HookCallback {
  let deferred: string | null = null
  const decision = async (call: FrameworkCall): Promise<'ask' | 'defer'> => {
    try {
      const { state } = await governor.judge(call)
      if (deferred === call.id) deferred = null
      // A session keeps one of them: of several that wait the callback denies the others.
      if (state !== 'waiting' || deferred !== null) return 'ask'
      deferred = call.id
      return 'defer'
    } catch {
      // It is then judged by the callback, which says what fails.
      return 'ask'
    }
  }
  return async (event) => {
    if (event.hook_event_name !== 'PreToolUse') return {}
    const { hook_event_name: hookEventName, tool_use_id: id, tool_name: tool } = event
    const permissionDecision = await decision({ id, tool, args: objectIn(event.tool_input) })
    return { hookSpecificOutput: { hookEventName, permissionDecision } }
  }
}

/** What has begun, until its own hook says how it ended. */
interface Begun {
  readonly ended: (result: unknown) => void
  readonly failed: (error: Error) => void
}

function callsOf(governor: Governor) {
  const run = governor.tool<object, unknown>()
  const begun = new Map<string, Begun>()
  /** The arguments that were judged, once the call has begun; a hook reports how it ended. */
  const begin = (call: FrameworkCall) =>
    new Promise<object>((started, refuse) => {
      const running = run(call, (judged) => {
        const ending = new Promise((ended, failed) => begun.set(call.id, { ended, failed }))
        started(judged)
        return ending
      })
      running.then(() => refuse(new Error('an equal call has run')), refuse)
    })
  const ended: HookCallback = (event) => {
    if (event.hook_event_name === 'PostToolUse') {
      begun.get(event.tool_use_id)?.ended(event.tool_response)
      begun.delete(event.tool_use_id)
    } else if (event.hook_event_name === 'PostToolUseFailure') {
      begun.get(event.tool_use_id)?.failed(new Error(event.error))
      begun.delete(event.tool_use_id)
    }
    return Promise.resolve({})
  }
  return { begin, ended }
}

/** The tool as it is shown takes the reason, too. */
function statedIn(input: object, field: string | undefined): object {
  if (field === undefined || !Object.hasOwn(input, field)) return {}
  return { [field]: apart(input, field).stated }
}

function objectIn(input: unknown): object {
  return typeof input === 'object' && input !== null ? input : {}
}
