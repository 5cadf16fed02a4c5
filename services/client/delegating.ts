// How one lets another act for it, within limits and for a time, and how it takes that back. Both
// are messages in their session; whether they count is decided where a call cites them.
import { conditionProblem } from '#conditions/condition'
import { typeOfArguments } from '#conditions/types'
import { Fault } from '#record/fault'
import { schemaFault } from '#record/schema-fault'
import type { MessageFields } from '#messages/build'
import { requestText } from '#present/schema-text'
import { Delegation } from '#schemas/intent'
import { instantMax } from '#schemas/values'
import type { SessionHandle } from './publishing.ts'

type Fields = Omit<MessageFields, 'sender'>

export interface Delegating {
  readonly session: SessionHandle
  /** Who may act: a principal of the catalog. */
  readonly to: string
  /** For which capabilities of the catalog; at least one. */
  readonly capabilities: readonly string[]
  /** `max_rows`, and `allowed_fields` with at least one field. */
  readonly constraints?: Delegation['constraints']
  /** A condition in CEL that each call must meet, as in the catalog. */
  readonly when?: string
  /** Its last moment: RFC 3339, or milliseconds since 1970. */
  readonly until: string | number
  /** The name of the delegation that is handed on, where this client acts for another itself. */
  readonly parent?: string
}

/** As sure as a message may be without a proof. */
const confidence = 0.8

/** Throws a Fault `message_invalid` for what could never count. */
export function delegationFields(delegating: Delegating): Fields {
  const { session: _, to, until, ...given } = delegating
  const isMoment = typeof until === 'number' && Math.abs(until) <= instantMax
  const last = isMoment ? new Date(until).toISOString() : until
  const parsed = Delegation.safeParse({ ...given, until: last })
  if (!parsed.success) {
    throw new Fault('message_invalid', requestText(schemaFault(parsed.error.issues, given)))
  }
  const { when, capabilities } = parsed.data
  const problem = when === undefined ? null : conditionProblem(when, typeOfArguments({}))
  if (problem !== null) {
    const { message, offset } = problem
    throw new Fault('message_invalid', `condition: ${message} (at character ${offset + 1})`)
  }
  const content = `may act for me: ${capabilities.join(', ')}`
  return { type: 'query', content, receiver: to, payload: { delegation: parsed.data } }
}

/** Takes back the delegation of that name, and so what was handed on of it. */
export function withdrawalFields(name: string, note = 'I take the delegation back'): Fields {
  return { type: 'correction', content: note, confidence, refers_to: name }
}
