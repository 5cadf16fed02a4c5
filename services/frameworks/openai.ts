// Tools for tool calls as OpenAI's chat completions make them, and whatever speaks like it, with no
// framework between: calls in, messages for the model out.
import { Fault } from '#record/fault'
import { parseExactJson } from '#record/json'
import type { JsonObject } from '#schemas/catalog'
import { governorOf } from './governing.ts'
import type { GovernedBy, Governor } from './governing.ts'
import type { GoverningOptions } from './options.ts'
import type { FrameworkCall } from './judged-call.ts'
import { NotRun } from './not-run.ts'
import { apart, askingReason } from './reason-argument.ts'

export type { NotRun, NotRunAnswer } from './not-run.ts'
export type { EvidenceSenders } from './evidence.ts'
export type { GovernedBy } from './governing.ts'
export type { GoverningOptions } from './options.ts'
export type { FrameworkCall } from './judged-call.ts'

export interface PlainTool<A extends object = JsonObject, T = unknown> {
  readonly description?: string
  /** JSON Schema, as the model is shown it. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Checks what the model wrote and fills in defaults; without it, it is taken as it is. */
  readonly parse?: (written: unknown) => A
  run(args: A): T | Promise<T>
}

/** A tool call of a completion; those that are no functions are answered with a refusal. */
export interface PlainToolCall {
  readonly id: string
  readonly type: string
  readonly function?: { readonly name: string; readonly arguments: string }
}

export interface PlainMessage {
  readonly role: string
  readonly content?: unknown
}

export interface ToolAnswers<C extends PlainToolCall = PlainToolCall> {
  /** One for each call, in order: what the tool returned, or why it did not run, as JSON. */
  readonly messages: { role: 'tool'; tool_call_id: string; content: string }[]
  /** The calls that people or stages still decide: answer these again, here or elsewhere. */
  readonly waiting: C[]
}

export interface AnsweringOptions {
  /** The conversation so far: what the user says in it becomes evidence. */
  readonly messages?: readonly PlainMessage[]
  /** How long people are waited for, in milliseconds; not at all if absent. */
  readonly waitMs?: number
}

export interface PlainTools {
  /** For `tools` of a completion. */
  readonly definitions: {
    type: 'function'
    function: { name: string; description?: string; parameters: Record<string, unknown> }
  }[]
  /**
   * Judges each call, runs those that are allowed, and answers all of them. It throws nothing that
   * a call comes to: also what a tool throws becomes its answer.
   */
  answer<C extends PlainToolCall>(
    calls: readonly C[],
    options?: AnsweringOptions,
  ): Promise<ToolAnswers<C>>
}

/** Makes a tool of it, with the types of what `parse` returns. */
export function plainTool<A extends object = JsonObject, T = unknown>(
  tool: PlainTool<A, T>,
): PlainTool<A, T> {
  return tool
}

/** The tools by their names, as one that answers calls of them. */
export function governed(
  warrant: GovernedBy,
  tools: Readonly<Record<string, PlainTool<object>>>,
  options: GoverningOptions,
): PlainTools {
  const governor = governorOf(warrant, options)
  const { reasonArgument: field } = options
  const runners = new Map<string, Runs>()
  for (const [name, tool] of Object.entries(tools)) runners.set(name, runsOf(governor, tool, field))
  return {
    definitions: Object.entries(tools).map(([name, { description, parameters: own }]) => {
      const described = { name, ...(description !== undefined && { description }) }
      const parameters = field === undefined ? { ...own } : askingReason(own, field, name)
      return { type: 'function', function: { ...described, parameters } }
    }),
    async answer(calls, { messages = [], waitMs } = {}) {
      const answers = calls.map(async (call) => {
        try {
          await governor.userSaid(wordsIn(messages))
          const value = await answered(runners, call, waitMs)
          return { call, isWaiting: false, content: textOf(value) }
        } catch (error) {
          const isWaiting = error instanceof NotRun && error.answer.status === 'waiting'
          return { call, isWaiting, content: JSON.stringify(answerOf(error)) }
        }
      })
      const all = await Promise.all(answers)
      return {
        messages: all.map(({ call: { id }, content }) => {
          return { role: 'tool', tool_call_id: id, content }
        }),
        waiting: all.flatMap(({ call, isWaiting }) => (isWaiting ? [call] : [])),
      }
    },
  }
}

type Runs = (of: {
  id: string
  tool: string
  written: string
  waitMs: number | undefined
}) => unknown

function runsOf(governor: Governor, plain: PlainTool<object>, field: string | undefined): Runs {
  const { parse = objectIn } = plain
  const runTool = governor.tool<object, unknown>()
  return async ({ id, tool, written, waitMs }) => {
    const read = parseExactJson(written === '' ? '{}' : written)
    const args = field === undefined ? parse(read) : reasoned(parse, objectIn(read), field)
    const call: FrameworkCall = { id, tool, args }
    if (waitMs !== undefined) await NotRun.orFault(() => governor.decided(call, waitMs))
    return runTool(call, (judged) => plain.run(judged))
  }
}

function objectIn(read: unknown): object {
  if (typeof read === 'object' && read !== null) return read
  throw new Error('the arguments are no object')
}

/** What the tool reads of its own arguments, with what the model says of the call. */
function reasoned(parse: (own: unknown) => object, read: object, field: string): object {
  const { stated, args } = apart(read, field)
  const own = parse(args)
  return stated === undefined ? own : { ...own, [field]: stated }
}

async function answered(
  runners: ReadonlyMap<string, Runs>,
  { id, function: called }: PlainToolCall,
  waitMs: number | undefined,
): Promise<unknown> {
  if (called === undefined) throw unknown('a call of another type than `function`')
  const runs = runners.get(called.name)
  if (runs === undefined) throw unknown(`\`${called.name}\``)
  return runs({ id, tool: called.name, written: called.arguments, waitMs })
}

function unknown(what: string): Error {
  return new Fault('not_guarded', `there is no tool for it: ${what}`)
}

/** What the tool itself threw is the model's to read, as it would be without Warrant. */
function answerOf(error: unknown): object {
  if (error instanceof NotRun) return error.answer
  return { status: 'error', text: error instanceof Error ? error.message : 'it failed' }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? 'null' : JSON.stringify(value)
}

/** What the person has said, and nothing that others have written. */
function wordsIn(messages: readonly PlainMessage[]): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== 'user') return []
    if (typeof content === 'string') return [content]
    return Array.isArray(content) ? content.flatMap(textIn) : []
  })
}

function textIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  const type: unknown = Reflect.get(part, 'type')
  const text: unknown = Reflect.get(part, 'text')
  return type === 'text' && typeof text === 'string' ? [text] : []
}
