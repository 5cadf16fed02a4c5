// Calls the callbacks of a test in place. What comes back, and what goes wrong, is what a thread of
// the runtime would answer; what only a thread can refuse (a clock, randomness, a hang) is not.
import assert from 'node:assert/strict'
import { parseJson } from '#record/json'
import type { CallbackReply } from '#schemas/callbacks'
import type { Callbacks } from '#ports/callbacks'
import { ErrorClass } from '#schemas/callbacks'

/** What a policy callback is given. */
export interface CallbackInput {
  readonly intent: {
    readonly agent: string
    readonly tool: string
    readonly args: Readonly<Record<string, unknown>>
    readonly constraints: Readonly<Record<string, unknown>>
    readonly scope: Readonly<Record<string, unknown>>
    readonly position: number
    readonly session: string | null
    readonly goal?: string
    readonly justification?: string
  }
  /** What the senders that the catalog trusts for it said in the session, oldest first. */
  readonly evidence: readonly Evidence[]
  readonly grounding: { readonly resolved: readonly string[]; readonly minDepth?: number }
  readonly catalog: { readonly now: string | null }
  /** RFC 3339: the catalog’s `now`, else the time of the decision. */
  readonly now: string
}

export interface Evidence {
  readonly name: string
  readonly sender: string
  readonly receiver: string | null
  readonly session: string | null
  readonly type: string
  readonly content: unknown
  readonly payload: unknown
  readonly position: number
  /** What the catalog trusts its sender for. */
  readonly for: readonly string[]
}

/** A function of a callback module; what it takes is declared by its author. */
export type Callback = (input: never) => unknown

const nothing: Readonly<Record<string, unknown>> = {}

/** A whole input, of which a test of one callback gives only the parts that matter. */
export function callbackInput(given: {
  readonly intent?: Partial<CallbackInput['intent']>
  readonly evidence?: readonly Partial<Evidence>[]
  readonly grounding?: Partial<CallbackInput['grounding']>
  readonly now?: string
}): CallbackInput {
  const session = 'S-2026-01-01-agent-000000'
  const { now = '2026-01-01T00:00:00.000Z', evidence = [] } = given
  const agent = given.intent?.agent ?? 'agent'
  return {
    intent: {
      agent,
      tool: '',
      args: nothing,
      constraints: nothing,
      scope: nothing,
      position: evidence.length + 1,
      session,
      ...given.intent,
    },
    evidence: evidence.map((one, index) => ({
      name: `main.1.vlp.tools.${session}.m${index + 1}`,
      sender: 'tools',
      receiver: agent,
      session,
      type: 'evidence',
      content: '',
      payload: null,
      position: index + 1,
      for: ['*'],
      ...one,
    })),
    grounding: { resolved: [], ...given.grounding },
    catalog: { now: given.now ?? null },
    now,
  }
}

/** What the callback of that name answers. */
export function replyOf(
  callbacks: Readonly<Record<string, Callback>> | undefined,
  name: string,
  input: unknown,
): CallbackReply {
  if (callbacks === undefined) return fault('module_unpinned')
  const callback = Object.hasOwn(callbacks, name) ? callbacks[name] : undefined
  if (callback === undefined) return fault('callback_missing')
  const isRecorded = 'recorded' in callback && callback.recorded === true
  assert(
    !isRecorded,
    `\`${name}\` looks outside: give a function that returns what it would answer`,
  )
  let answer: unknown
  try {
    answer = Reflect.apply(callback, undefined, [parseJson(JSON.stringify(input))])
  } catch (error) {
    return thrown(error)
  }
  if (answer instanceof Promise) return fault('answered_promise')
  const text = jsonText(answer)
  return text === null ? fault('answer_not_json') : { answer: parseJson(text), recorded: false }
}

/** The same as a port of the runtime. */
export function callbacksInPlace(
  callbacks: Readonly<Record<string, Callback>> | undefined,
): Callbacks {
  return {
    run: async ({ name, context }) => replyOf(callbacks, name, context),
    has: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  }
}

function fault(
  code: 'module_unpinned' | 'callback_missing' | 'answered_promise' | 'answer_not_json',
): CallbackReply {
  return { fault: { code, params: {} } }
}

function thrown(error: unknown): CallbackReply {
  const name = error instanceof Error ? ErrorClass.safeParse(error.name) : null
  const params = name?.success === true ? { error: name.data } : {}
  return { fault: { code: 'threw', params } }
}

function jsonText(value: unknown): string | null {
  try {
    const text: unknown = JSON.stringify(value)
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}
