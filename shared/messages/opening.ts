// The message that opens an intent: what its bytes say, checked once for the fold, the stages and a
// replay alike. From the agent: may be anything.
import type { z } from 'zod'
import { Intent } from '#schemas/intent'
import type { IntentRef } from '#schemas/values'
import type { Catalog } from '#rules/catalog/catalog'
import { hasRules } from '#rules/catalog/rules-version'
import { digestOf } from '#record/digest'
import { nameFrom, sessionToken, token, tokenAt } from '#record/names'
import { forPresent } from '#record/present-members'
import { schemaFault, type SchemaFault } from '#record/schema-fault'
import { checkBytes, type CheckAgainst, type MessageCheck } from './check.ts'

export interface Opening {
  readonly name: string
  readonly position: number
  readonly digest: string
  /** Whom and what the intent's facts name: in full where that can be believed, else as tokens. */
  readonly ref: IntentRef
  readonly check: MessageCheck
  /** What the agent means to do; null where the message cannot be believed. */
  readonly request: Intent | null
  /** The arguments as they were received, where `request` has them with defaults filled in. */
  readonly received?: Intent['args']
  /** Why `request` is null though the message is a query with an intent. */
  readonly refusal: SchemaFault | null
}

export interface MessageBytes {
  readonly name: string
  readonly position: number
  readonly bytes: Uint8Array
}

/** What of the catalog a message is read by. */
export type ReadBy = Pick<Catalog, 'knownConstraints' | 'rules'> & Pick<CheckAgainst, 'exact'>

/** What a message was found to be; `opening` is null where it wants no verdict. */
export interface MessageRead {
  readonly check: MessageCheck
  readonly opening: Opening | null
}

/**
 * A sound message without an intent opens nothing, nor do bytes that are no JSON object; what is an
 * object and no sound message does, and is refused.
 */
export function readMessage(fact: MessageBytes, by: ReadBy): MessageRead {
  const check = checkBytes(fact.bytes, by)
  const { message } = check
  const intent = message?.type === 'query' ? message.payload?.['intent'] : undefined
  if (!check.isObject || (message !== null && intent === undefined)) return { check, opening: null }
  if (message === null || check.inexact !== undefined) return opened(fact, check, null)
  const parsed = forPresent(intentBy(by), intent).safeParse(intent)
  if (parsed.success) return opened(fact, check, parsed.data)
  const fault = schemaFault(parsed.error.issues, intent)
  return opened(fact, check, null, { ...fault, path: `/payload/intent${fault.path}` })
}

function opened(
  { name, position, bytes }: MessageBytes,
  check: MessageCheck,
  request: Intent | null,
  refusal: SchemaFault | null = null,
): MessageRead {
  const ref = refOf(name, check)
  return {
    check,
    opening: { name, position, digest: digestOf(bytes), ref, check, request, refusal },
  }
}

/** The opening; null for what wants no verdict. */
export function openingOf(fact: MessageBytes, by: ReadBy): Opening | null {
  return readMessage(fact, by).opening
}

/** As earlier rules read it. */
const FourthIntent = Intent.omit({ search: true, evaluations: true })
const ThirdIntent = FourthIntent.omit({ subject: true })
const SecondIntent = ThirdIntent.omit({ delegation: true })
const FirstIntent = SecondIntent.omit({ distinct: true })

function intentBy(by: ReadBy): z.ZodObject & z.ZodType<Intent> {
  if (hasRules(by, 'searches')) return Intent
  if (hasRules(by, 'evaluations')) return FourthIntent
  if (hasRules(by, 'delegations')) return ThirdIntent
  return hasRules(by, 'equalRequests') ? SecondIntent : FirstIntent
}

/** Ids stand in every fact about an intent, and in every process that folds it. */
export const idCharactersMax = 256

function refOf(name: string, { message }: MessageCheck): IntentRef {
  const agent = tokenAt(name, 3)
  const session = tokenAt(name, 4)
  const said = message !== null && message.sender.length <= idCharactersMax ? message.sender : null
  const sender = said !== null && token(said) === agent ? said : agent
  const named = message?.session_id ?? null
  const isNamed = named !== null && named.length <= idCharactersMax
  const inSession = isNamed && sessionToken(named) === session ? named : session
  return { address: nameFrom(name, 3), agent: sender, session: session === '-' ? null : inSession }
}
