// What an agent without a key says through a server over HTTP, which publishes it in the agent's
// name: each word of an agent by the request that there is for it, and a clear refusal where no
// request carries it.
import { createHash, randomUUID } from 'node:crypto'
import { Fault } from '#record/fault'
import type { MessageFields } from '#messages/build'
import { parsedIntent, verdictIn, type AskOptions, type OnReviewDefault } from '../asking.ts'
import type { IntentLog } from '../intent-log.ts'
import type { Published, SessionHandle } from '../publishing.ts'
import type { SaidTo } from '../session/saying.ts'
import type { Agent } from '../warrant.ts'
import { InLog, StandingShown, verdictFrom } from './reading.ts'
import { readAs, type HttpServer } from './server.ts'

/** A server answers after so long without a verdict, and at once where people are asked. */
const answerMs = 10_000
const waitMsDefault = 60_000

interface Words {
  readonly server: HttpServer
  readonly log: IntentLog
}

/** Asks in one request where the stages answer in time. */
export function asksAt({ server, log }: Words, onReview: OnReviewDefault): Agent['ask'] {
  return async (fields, { session, key, message, routing, ...given } = {}) => {
    refuseMore(message)
    const { waitMs, signal } = given
    const began = Date.now()
    // A wait that is shorter than the server's own begins with a look.
    const isShort = waitMs !== undefined && waitMs < answerMs
    const answered = await server.send({
      method: 'POST',
      path: isShort ? '/v1/intents?wait=0' : '/v1/intents',
      body: {
        ...parsedIntent(fields),
        ...(session !== undefined && { session: session.id }),
        ...(routing !== undefined && routing !== null && { routing }),
      },
      headers: repeatable(key),
      waitMs: isShort ? 0 : answerMs,
      // Under one key all repetitions are one intent.
      isSafe: true,
      tryMs: waitMs ?? waitMsDefault,
      signal,
    })
    const standing = readAs(StandingShown, answered)
    if (standing.state === 'decided') return verdictFrom(standing)
    const left = waitMs === undefined ? {} : { waitMs: Math.max(0, waitMs + began - Date.now()) }
    return verdictIn(log, standing.intent, { onReview, ...given, ...left })
  }
}

/** What takes a signature: an agent without a key cannot say it over HTTP. */
type Plain = Pick<
  Agent,
  | 'publish'
  | 'withdraw'
  | 'say'
  | 'toolResult'
  | 'contract'
  | 'claim'
  | 'delegate'
  | 'undelegate'
  | 'endSession'
>

export function plainWords(server: HttpServer): Plain {
  const published = async (path: string, body: object, key?: string): Promise<Published> => {
    const headers = repeatable(key)
    const answered = await server.send({ method: 'POST', path, body, headers, isSafe: true })
    return { ...readAs(InLog, answered), appended: answered.status === 201 }
  }
  const inSession = ({ session, receiver, key }: SaidTo, said: object): Promise<Published> => {
    const path = `/v1/sessions/${encodeURIComponent(session.id)}/messages`
    return published(path, { receiver, ...said }, key)
  }
  return {
    say: (content, to) => inSession(to, { content }),
    toolResult: (result, to) => inSession(to, { result }),
    async withdraw(intent, note) {
      await server.send({
        method: 'POST',
        path: `/v1/intents/${encodeURIComponent(intent)}/withdraw`,
        ...(note !== undefined && { body: { note } }),
        isSafe: true,
      })
    },
    contract: ({ session, key, ...contracting }) =>
      published('/v1/contracts', { ...contracting, ...sessionOf(session) }, key),
    claim: ({ contract, session, key, ...claiming }) => {
      // A message's name ends with its address.
      const address = contract.split('.').slice(-3).join('.')
      const path = `/v1/contracts/${encodeURIComponent(address)}/claim`
      return published(path, { ...claiming, ...sessionOf(session) }, key)
    },
    publish: () => unsigned('a message of its own making'),
    delegate: () => unsigned('a delegation'),
    undelegate: () => unsigned('the end of a delegation'),
    endSession: () => unsigned('the end of a session'),
  }
}

function sessionOf(session: SessionHandle | undefined): { readonly session?: string } {
  return session === undefined ? {} : { session: session.id }
}

function refuseMore(message: AskOptions['message']): void {
  if (message !== undefined && Object.keys(message).length > 0)
    throw needsKey('`message` of a call')
}

function unsigned(what: string): Promise<never> {
  return Promise.reject(needsKey(what))
}

function needsKey(what: string): Fault {
  const fix = 'give the principal a key in the catalog, and `privateKey` here'
  return new Fault('not_over_http', `over HTTP ${what} takes the agent’s signature: ${fix}`)
}

const keyPattern = /^[\x21-\x7e]{1,256}$/

/** The header by which repetitions are known, the same for each try. */
function repeatable(key: string = randomUUID()): () => Readonly<Record<string, string>> {
  const isPlain = keyPattern.test(key)
  const known = isPlain ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`
  return () => ({ 'idempotency-key': known })
}

/** The fields of a message that takes an intent of one's own back. */
export function takingBack(name: string, note = 'I take it back'): Omit<MessageFields, 'sender'> {
  return { type: 'correction', content: note, confidence: 0.8, refers_to: name }
}
