// Tools of the Vercel AI SDK, versions 5 to 7, behind Warrant. What people must agree to suspends
// by the SDK's own approval parts, or in 5, which has none, as a call that the program answers.
// The SDK's own yes never lets a tool run, a verdict does.
import { asSchema, jsonSchema } from 'ai'
import type { ModelMessage, ToolCallPart, ToolModelMessage, ToolSet } from 'ai'
import { z } from 'zod'
import { Fault } from '#record/fault'
import { asJson } from './evidence.ts'
import { governorOf } from './governing.ts'
import type { GovernedBy, Governor } from './governing.ts'
import type { GoverningOptions } from './options.ts'
import type { JudgedCall, FrameworkCall } from './judged-call.ts'
import { NotRun } from './not-run.ts'
import { apart, askingReason } from './reason-argument.ts'
import { lastPartOf, streamedRun } from './streamed.ts'

export type { NotRun } from './not-run.ts'
export type { EvidenceSenders } from './evidence.ts'
export type { GovernedBy } from './governing.ts'
export type { GoverningOptions } from './options.ts'
export type { FrameworkCall } from './judged-call.ts'

/** For `toolApproval` of version 7; the reason is shown to the approver, or to the model. */
export interface ToolApprovalAnswer {
  readonly type: 'approved' | 'denied' | 'user-approval'
  readonly reason: string
}

/** For version 7, where it decides before `needsApproval` of a tool would. */
export type AskToolApproval = (asked: {
  readonly toolCall: {
    readonly toolCallId: string
    readonly toolName: string
    readonly input: unknown
  }
  readonly messages: readonly ModelMessage[]
}) => Promise<ToolApprovalAnswer>

/** As `@ai-sdk/policy-opa` takes it; give `policyInput` to `opaPolicy` as its `toInput`. */
export interface PolicyAnswers {
  evaluate<TResult = unknown>(path: string, input: unknown): Promise<TResult>
}

export interface GovernedTools<TOOLS> {
  /** The same tools; each runs on an allow alone, once. */
  readonly tools: TOOLS
  readonly toolApproval: AskToolApproval
  readonly policyClient: PolicyAnswers
  /**
   * Waits for the verdict on each approval request that these messages leave open, and answers it:
   * append the message and generate again. Null where none is open. Waits for people as long as
   * they may answer, or for `waitMs` milliseconds; throws `NotRun` where one still waits then.
   */
  approvals(messages: readonly ModelMessage[], waitMs?: number): Promise<ToolModelMessage | null>
  /**
   * The same tools without `execute`, as version 5 suspends: each call ends the generation, and
   * `answers` runs it.
   */
  readonly definitions: TOOLS
  /**
   * Runs each call that these messages leave open, on an allow alone, once: append the message and
   * generate again. A call that does not run is answered by why. Null where none is open. Waits for
   * people like `approvals`, and throws `NotRun` where one still waits then: no call has run, and
   * all are open still, here and elsewhere.
   */
  answers(messages: readonly ModelMessage[], waitMs?: number): Promise<ToolModelMessage | null>
}

/** What `tool` of either version makes. */
export interface AiTool {
  readonly execute?: ((input: never, options: never) => unknown) | undefined
  readonly needsApproval?: boolean | ((input: never, options: never) => unknown) | undefined
}

/** Throws a Fault `not_guarded` for a tool that runs elsewhere, where nothing could stop it. */
export function governTools<TOOLS extends Readonly<Record<string, AiTool>>>(
  warrant: GovernedBy,
  tools: TOOLS,
  options: GoverningOptions,
): GovernedTools<TOOLS>
export function governTools(
  warrant: GovernedBy,
  tools: ToolSet,
  options: GoverningOptions,
): GovernedTools<ToolSet> {
  const governor = governorOf(warrant, options)
  const shown = Object.entries(tools).map(([name, tool]): [string, AnyTool] => {
    return [name, reasoned(tool, name, options.reasonArgument)]
  })
  const governed = shown.map(([name, tool]): [string, AnyTool] => {
    return [name, toolOf(governor, name, tool)]
  })
  const toolApproval: AskToolApproval = async ({ toolCall, messages }) => {
    const { toolCallId: id, toolName: tool, input } = toolCall
    return approvalOf(() => saidAndJudged(governor, { id, tool, args: objectIn(input) }, messages))
  }
  return {
    tools: Object.fromEntries(governed),
    toolApproval,
    policyClient: {
      async evaluate<TResult>(_path: string, input: unknown): Promise<TResult> {
        const { type, reason } = await evaluated(toolApproval, input)
        const decision = decisions[type]
        return z.custom<TResult>().parse({ decision, reason })
      },
    },
    approvals: async (messages, waitMs) => {
      const open = openRequests(messages)
      if (open.length === 0) return null
      const content = open.map(async ({ approvalId, call }) => {
        const judged = await NotRun.orFault(() => governor.decided(call, waitMs))
        if (judged.state === 'waiting') throw judged.notRun
        const refusal = judged.state === 'refused' && { reason: judged.notRun.message }
        const approved = judged.state === 'allowed'
        return { type: 'tool-approval-response' as const, approvalId, approved, ...refusal }
      })
      return { role: 'tool', content: await Promise.all(content) }
    },
    definitions: Object.fromEntries(shown.map(([name, tool]) => [name, definitionOf(tool)])),
    answers: (messages, waitMs) =>
      answered({ governor, tools: new Map(governed) }, messages, waitMs),
  }
}

type AnyTool = ToolSet[string]
type AsksApproval = Extract<AnyTool['needsApproval'], (...asked: never) => unknown>
type ApprovalAsked = Parameters<AsksApproval>

function toolOf(governor: Governor, name: string, tool: AnyTool): AnyTool {
  const { execute, needsApproval } = tool
  if (execute === undefined) {
    const what = `\`${name}\` has no \`execute\`: it runs where nothing here could stop it`
    throw new Fault('not_guarded', `${what}; leave it out`)
  }
  const run = governor.tool<object, unknown>()
  return {
    ...tool,
    execute: streamedRun(execute, async (input, options, begin) => {
      await NotRun.orFault(() => governor.userSaid(wordsIn(options.messages)))
      return run({ id: options.toolCallId, tool: name, args: objectIn(input) }, begin)
    }),
    async needsApproval(input: ApprovalAsked[0], options: ApprovalAsked[1]) {
      const { toolCallId: id, messages } = options
      const isOwn =
        typeof needsApproval === 'function' ? await needsApproval(input, options) : needsApproval
      // What was suspended goes on as what was approved, though it is decided by now.
      if (isOwn === true || isRequested(messages, id)) return true
      try {
        const call = { id, tool: name, args: objectIn(input) }
        return (await saidAndJudged(governor, call, messages)).state === 'waiting'
      } catch {
        // The tool is then judged where it would run, and reports what fails.
        return false
      }
    },
  }
}

/** As a model is shown it; what is called comes to the program. */
function definitionOf(tool: AnyTool): AnyTool {
  const shown = { ...tool }
  delete shown.execute
  delete shown.needsApproval
  return shown
}

interface Answering {
  readonly governor: Governor
  readonly tools: ReadonlyMap<string, AnyTool>
}

async function answered(
  { governor, tools }: Answering,
  given: readonly ModelMessage[],
  waitMs: number | undefined,
): Promise<ToolModelMessage | null> {
  const messages = [...given]
  const open = openCalls(messages).filter(({ tool }) => tools.has(tool))
  if (open.length === 0) return null
  await NotRun.orFault(() => governor.userSaid(wordsIn(messages)))
  const decided = open.map((call) => NotRun.orFault(() => decidedWithin(governor, call, waitMs)))
  // What has run must be answered, so nothing runs while another of them still waits.
  for (const judged of await Promise.all(decided)) {
    if (judged.state === 'waiting') throw judged.notRun
  }
  const content = open.map(async ({ id: toolCallId, tool: toolName, args }) => {
    const result = { type: 'tool-result' as const, toolCallId, toolName }
    try {
      const ran: unknown = tools
        .get(toolName)
        ?.execute?.(args, { toolCallId, messages, context: {} })
      return { ...result, output: outputOf(await lastPartOf(ran, () => undefined)) }
    } catch (error) {
      if (error instanceof NotRun && error.answer.status === 'waiting') throw error
      const value = error instanceof Error ? error.message : 'the tool failed'
      return { ...result, output: { type: 'error-text' as const, value } }
    }
  })
  return { role: 'tool', content: await Promise.all(content) }
}

/** Stages are waited for, though people may not be. */
async function decidedWithin(governor: Governor, call: FrameworkCall, waitMs?: number) {
  const judged = await governor.judge(call)
  return judged.state === 'waiting' && waitMs !== 0 ? governor.decided(call, waitMs) : judged
}

function outputOf(value: unknown) {
  if (typeof value === 'string') return { type: 'text' as const, value }
  return { type: 'json' as const, value: z.json().parse(asJson(value)) }
}

/** The tool with one argument more, in which the model says why; its own schema reads the rest. */
function reasoned(tool: AnyTool, name: string, field: string | undefined): AnyTool {
  if (field === undefined) return tool
  const own = asSchema(tool.inputSchema)
  const asking = (shown: object) => askingReason({ ...shown }, field, name)
  // Version 5 knows none that is there later.
  const { jsonSchema: shown } = own
  const inputSchema = jsonSchema(isLater(shown) ? () => shown.then(asking) : asking(shown), {
    async validate(written) {
      const { stated, args } = apart(objectIn(written), field)
      const read = (await own.validate?.(args)) ?? { success: true as const, value: args }
      if (!read.success || stated === undefined) return read
      return { success: true, value: { ...objectIn(read.value), [field]: stated } }
    },
  })
  return { ...tool, inputSchema }
}

function isLater<T extends object>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof Reflect.get(value, 'then') === 'function'
}

async function saidAndJudged(
  governor: Governor,
  call: FrameworkCall,
  messages: readonly ModelMessage[],
): Promise<JudgedCall> {
  await governor.userSaid(wordsIn(messages))
  return governor.judge(call)
}

async function approvalOf(judge: () => Promise<JudgedCall>): Promise<ToolApprovalAnswer> {
  try {
    const judged = await judge()
    if (judged.state === 'allowed') {
      return { type: 'approved', reason: `allowed as ${judged.verdict.intent}` }
    }
    const { answer } = judged.notRun
    return judged.state === 'refused'
      ? { type: 'denied', reason: answer.text }
      : { type: 'user-approval', reason: `waits as ${answer.intent}` }
  } catch (error) {
    return { type: 'denied', reason: NotRun.of(error).message }
  }
}

const decisions = {
  approved: 'allow',
  denied: 'deny',
  'user-approval': 'requires-approval',
} as const satisfies Record<ToolApprovalAnswer['type'], string>

/** What `opaPolicy` hands over, with the id by which a call is found again. */
export function policyInput<M>({
  toolCall: { toolCallId, toolName, input },
  messages,
}: {
  readonly toolCall: {
    readonly toolCallId: string
    readonly toolName: string
    readonly input: unknown
  }
  readonly messages: M
}) {
  return { toolCall: { toolCallId, toolName, input }, messages }
}

/** What a generation added to its messages, as either version gives it. */
export function addedMessages({ responseMessages, response }: Generated): readonly ModelMessage[] {
  const added = responseMessages ?? response.messages
  if (added !== undefined) return added
  throw new Fault('options_invalid', 'it is no result of `generateText`: it has no messages')
}

/** Of `generateText`: version 7 has the messages on the result, version 6 in its response. */
export interface Generated {
  readonly responseMessages?: readonly ModelMessage[]
  readonly response: { readonly messages?: readonly ModelMessage[] }
}

const PolicyInput = z.object({
  toolCall: z.object({ toolCallId: z.string(), toolName: z.string(), input: z.unknown() }),
  messages: z.array(z.custom<ModelMessage>()),
})

async function evaluated(ask: AskToolApproval, input: unknown): Promise<ToolApprovalAnswer> {
  const parsed = PolicyInput.safeParse(input)
  if (parsed.success) return ask(parsed.data)
  const reason = 'no id of the call: give `policyInput` to `opaPolicy` as `toInput`'
  return { type: 'denied', reason }
}

function objectIn(input: unknown): object {
  if (typeof input === 'object' && input !== null) return input
  throw new Fault('intent_invalid', 'the arguments cannot be judged: they are not an object')
}

/** What the person has said, and nothing that others have written. */
function wordsIn(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== 'user') return []
    if (typeof content === 'string') return [content]
    return content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  })
}

function isRequested(messages: readonly ModelMessage[], toolCallId: string): boolean {
  return messages.some(({ role, content }) => {
    if (role !== 'assistant' || typeof content === 'string') return false
    return content.some(
      (part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId,
    )
  })
}

/** What models and tools have said, in its order. */
function partsOfCalls(messages: readonly ModelMessage[]) {
  return messages.flatMap(({ role, content }) => {
    if (typeof content === 'string' || (role !== 'assistant' && role !== 'tool')) return []
    return [...content]
  })
}

function callOf({ toolCallId: id, toolName: tool, input }: ToolCallPart): FrameworkCall {
  return { id, tool, args: objectIn(input) }
}

/** The calls that have no result yet, and that no one has been asked to approve. */
function openCalls(messages: readonly ModelMessage[]): readonly FrameworkCall[] {
  const open = new Map<string, FrameworkCall>()
  for (const part of partsOfCalls(messages)) {
    if (part.type === 'tool-call') open.set(part.toolCallId, callOf(part))
    else if (part.type === 'tool-result' || part.type === 'tool-approval-request') {
      open.delete(part.toolCallId)
    }
  }
  return [...open.values()]
}

interface OpenRequest {
  readonly approvalId: string
  readonly call: FrameworkCall
}

function openRequests(messages: readonly ModelMessage[]): readonly OpenRequest[] {
  const calls = new Map<string, FrameworkCall>()
  const open = new Map<string, OpenRequest>()
  for (const part of partsOfCalls(messages)) {
    if (part.type === 'tool-call') calls.set(part.toolCallId, callOf(part))
    else if (part.type === 'tool-approval-request') {
      const call = calls.get(part.toolCallId)
      if (call !== undefined) open.set(part.approvalId, { approvalId: part.approvalId, call })
    } else if (part.type === 'tool-approval-response') open.delete(part.approvalId)
  }
  return [...open.values()]
}
