// Tools of LangChain.js behind Warrant, by middleware for all tools of an agent or one by one. What
// people must agree to is an interrupt of LangGraph, which goes on from its checkpoint.
import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools'
import { toJsonSchema } from '@langchain/core/utils/json_schema'
import { isInteropZodSchema, interopParseAsync } from '@langchain/core/utils/types'
import { interrupt, type Command } from '@langchain/langgraph'
import { createMiddleware, ToolMessage } from 'langchain'
import type { BaseMessage } from '@langchain/core/messages'
import { Fault } from '#record/fault'
import { governorOf } from './governing.ts'
import type { GovernedBy, Governor, RunTool } from './governing.ts'
import { checkedOptions, type GoverningOptions } from './options.ts'
import type { FrameworkCall } from './judged-call.ts'
import { NotRun } from './not-run.ts'
import { apart, askingReason } from './reason-argument.ts'

export type { NotRun, NotRunAnswer } from './not-run.ts'
export type { EvidenceSenders } from './evidence.ts'
export type { GovernedBy } from './governing.ts'
export type { GoverningOptions } from './options.ts'
export type { FrameworkCall } from './judged-call.ts'

export interface ThreadOptions extends Omit<GoverningOptions, 'session'> {
  /** The session of a thread, by its `thread_id`; that itself if absent. */
  readonly session?: (thread: string) => string
}

interface ToolConfig {
  readonly toolCall?: { readonly id?: string | undefined }
  readonly configurable?: Readonly<Record<string, unknown>>
}

/** A function as `tool` of LangChain takes it. */
export type ThreadTool<A extends object, T> = (
  args: A,
  config: ToolConfig,
) => Promise<T | ToolMessage>

export interface ThreadTools {
  /** The same function; it runs on an allow alone, once. Hand it to `tool` under the same name. */
  readonly governed: <A extends object, T>(
    name: string,
    execute: (args: A, config: ToolConfig) => T | Promise<T>,
  ) => ThreadTool<A, T>
}

/** The tools that models are shown with one argument more, and what they were made of. */
const shownWithReason = new WeakMap<object, StructuredToolInterface>()

/**
 * The same tool with one argument more, in which the model states why it calls it: for the `tools`
 * of an agent whose `warrantMiddleware` has that `reasonArgument`.
 */
export function withReason(
  own: StructuredToolInterface,
  reasonArgument: string,
): DynamicStructuredTool {
  const { name, description } = own
  const schema = askingReason({ ...toJsonSchema(own.schema) }, reasonArgument, name)
  const shown = new DynamicStructuredTool({
    name,
    description,
    schema,
    func: (args: object, _run, config) => own.invoke(apart(args, reasonArgument).args, config),
  })
  shownWithReason.set(shown, own)
  return shown
}

/**
 * For `middleware` of `createAgent`, which then needs a checkpointer: every tool of the agent runs
 * on an allow alone, once. While people decide the thread is interrupted; its value is what a
 * `NotRunAnswer` says. Resume it with anything: what counts is the verdict.
 */
export function warrantMiddleware(warrant: GovernedBy, options: ThreadOptions = {}) {
  const threads = threadsOf<object, ToolMessage | Command>(warrant, options)
  return createMiddleware({
    name: 'warrant',
    async wrapToolCall(request, handler) {
      const { toolCall, tool, state, runtime } = request
      const { name } = toolCall
      const why = statedIn(toolCall.args, options.reasonArgument)
      const ran = async (judged: object): Promise<ToolMessage | Command> => {
        const args = { ...judged, ...why }
        const result = await handler({ ...request, toolCall: { ...toolCall, args } })
        // It has run and failed, which its own message says to the model.
        if (ToolMessage.isInstance(result) && result.status === 'error') throw new Failed(result)
        return result
      }
      try {
        const thread = threads(runtime.configurable)
        const args = { ...(await parsed(tool, without(toolCall.args, why))), ...why }
        await NotRun.orFault(() => thread.governor.userSaid(wordsIn(state.messages)))
        return await interruptedRun(thread, { id: idOf(toolCall), tool: name, args }, ran)
      } catch (error) {
        if (error instanceof Failed) return error.result
        if (error instanceof NotRun) return refusal(error, { id: toolCall.id, name })
        throw error
      }
    },
  })
}

/**
 * The function of one tool, to be handed to LangChain's `tool` under that name: for graphs of one's
 * own, or where only some tools are governed.
 */
export function threadTools(warrant: GovernedBy, options: ThreadOptions = {}): ThreadTools {
  const checked = checkedOptions(options, 'threads')
  return {
    governed<A extends object, T>(
      name: string,
      execute: (args: A, config: ToolConfig) => T | Promise<T>,
    ): ThreadTool<A, T> {
      const threads = threadsOf<A, T>(warrant, checked)
      return async (args, config) => {
        try {
          const call = { id: idOf(config.toolCall), tool: name, args }
          const thread = threads(config.configurable)
          return await interruptedRun(thread, call, (judged) => execute(judged, config))
        } catch (error) {
          if (error instanceof NotRun) return refusal(error, { id: config.toolCall?.id, name })
          throw error
        }
      }
    },
  }
}

/** So often a thread may be resumed before the verdict is there. */
const interruptsMax = 1_000

/** An interrupt ends the task by throwing; resumed, the task begins again and finds the intent. */
async function interruptedRun<A extends object, T>(
  { governor, run }: Thread<A, T>,
  call: FrameworkCall,
  execute: (args: A) => T | Promise<T>,
): Promise<T> {
  for (let round = 0; round < interruptsMax; round += 1) {
    const judged = await NotRun.orFault(() => governor.judge(call))
    if (judged.state !== 'waiting') break
    interrupt(judged.notRun.answer)
  }
  return run(call, execute)
}

interface Thread<A extends object, T> {
  readonly governor: Governor
  readonly run: RunTool<A, T>
}

const threadsMax = 1_000

/** The latest threads; an older one is made again, and finds its intents. */
function threadsOf<A extends object, T>(
  warrant: GovernedBy,
  given: ThreadOptions,
): (configurable: Readonly<Record<string, unknown>> | undefined) => Thread<A, T> {
  const { session = (thread: string) => thread, ...options }: ThreadOptions = checkedOptions(
    given,
    'threads',
  )
  const threads = new Map<string, Thread<A, T>>()
  const made = (id: string): Thread<A, T> => {
    const governor = governorOf(warrant, { ...options, session: session(id) })
    return { governor, run: governor.tool<A, T>() }
  }
  return (configurable) => {
    const id = configurable?.['thread_id']
    if (typeof id !== 'string') {
      throw NotRun.of(new Fault('intent_invalid', 'a thread needs an id: `thread_id`'))
    }
    const thread = threads.get(id) ?? made(id)
    threads.delete(id)
    threads.set(id, thread)
    const [oldest = id] = threads.keys()
    if (threads.size > threadsMax) threads.delete(oldest)
    return thread
  }
}

/** That argument alone, which the tool as it is shown demands and its own schema may not know. */
function statedIn(args: object, field: string | undefined): Readonly<Record<string, unknown>> {
  return field === undefined ? {} : { [field]: apart(args, field).stated ?? '' }
}

function without(args: object, stated: object): object {
  const [field] = Object.keys(stated)
  return field === undefined ? args : apart(args, field).args
}

class Failed extends Error {
  readonly result: ToolMessage

  constructor(result: ToolMessage) {
    super('the tool failed')
    this.name = 'ToolFailed'
    this.result = result
  }
}

/** As the tool will read them, with its defaults. */
async function parsed(tool: unknown, args: unknown): Promise<object> {
  const own = typeof tool === 'object' && tool !== null ? (shownWithReason.get(tool) ?? tool) : null
  const schema: unknown = own !== null && Reflect.get(own, 'schema')
  try {
    const read: unknown = isInteropZodSchema(schema) ? await interopParseAsync(schema, args) : args
    if (typeof read === 'object' && read !== null) return read
  } catch (error) {
    throw NotRun.invalid(error)
  }
  throw NotRun.invalid(new Error('they are not an object'))
}

function idOf(call: { readonly id?: string | undefined } | undefined): string {
  if (call?.id !== undefined && call.id !== '') return call.id
  throw NotRun.of(new Fault('intent_invalid', 'a call needs an id'))
}

function refusal(
  { message }: NotRun,
  { id = '', name }: { readonly id: string | undefined; readonly name: string },
): ToolMessage {
  return new ToolMessage({ content: message, tool_call_id: id, name, status: 'error' })
}

/** What the person has said, and nothing that others have written. */
function wordsIn(messages: readonly BaseMessage[]): readonly string[] {
  return messages.flatMap((message) => (message.type === 'human' ? [message.text] : []))
}
