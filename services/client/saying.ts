// What others than the agent say in its session: a person's words, and what tools answered. Whether
// any of it counts, the catalog says, which trusts the sender for it or does not.
import type { MessageFields } from '#messages/build'
import type { SessionHandle } from './publishing.ts'

type Fields = Omit<MessageFields, 'sender'>

/** The session, and the agent that is addressed. */
export interface SaidTo {
  readonly session: SessionHandle
  readonly receiver: string
  /** What the sender itself calls it: said again under the same, it is there once. */
  readonly key?: string
}

/** What a tool answered to a call. */
export interface ToolResult {
  readonly tool: string
  /** What the call was given. */
  readonly args: Readonly<Record<string, unknown>>
  readonly value: unknown
  /** Whether the call failed: then nothing of the value counts. False if not given. */
  readonly error?: boolean
  /** JSON pointers to what others may have written in it, beside those that the catalog names. */
  readonly untrusted?: readonly string[]
  /** The name of the message or verdict that the call was made for. */
  readonly answers: string
}

export interface SessionEnd {
  readonly summary?: string
  readonly completed?: readonly string[]
  readonly pending?: readonly string[]
  readonly hints?: readonly string[]
}

/** As sure as a message may be without a proof. */
const confidence = 0.8

export function saidFields(content: Fields['content'], receiver: string): Fields {
  return { type: 'notice', content, confidence, receiver }
}

export function resultFields(result: ToolResult, receiver: string): Fields {
  const { tool, args, value, error = false, untrusted, answers } = result
  return {
    type: 'evidence',
    content: `${tool} answered`,
    confidence,
    receiver,
    provenance: [{ ref: answers, kind: 'log' }],
    refers_to: answers,
    payload: { tool, args, error, value, ...(untrusted !== undefined && { untrusted }) },
  }
}

export function endFields({
  summary,
  completed = [],
  pending = [],
  hints = [],
}: SessionEnd): Fields {
  return {
    type: 'session_context',
    content: summary ?? 'the session has ended',
    confidence,
    payload: { completed, pending, next_session_hints: hints },
  }
}
