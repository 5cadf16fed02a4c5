// The client of an agent that reaches Warrant over HTTP alone (`warrant up http`): the same agent
// as on a log, by `fetch`. It loads no driver of a log, and decides nothing itself.
import { systemClock } from '#system/clock'
import { Fault } from '#record/fault'
import { messageOfFact } from '#messages/check'
import { plainLogger } from '#runtime/reporting/plain-lines'
import type { Logger } from '#runtime/reporting/logger'
import type { Verdict } from '#replay/verdicts/verdict'
import { agentOn } from '../agent.ts'
import type { RealmReader } from '../asked.ts'
import type { IntentLog } from '../intent-log.ts'
import { toolCaller, type ToolCaller } from '../tool-calls.ts'
import type { Agent } from '../warrant.ts'
import { readingAt } from './asked.ts'
import type { HttpPerson } from './deciding.ts'
import { gatewayAt, type RemoteGateway } from './gateway-calls.ts'
import { callerAt, httpLog } from './http-log.ts'
import { httpServer, type HttpServerOptions, readAs, type HttpServer } from './server.ts'
import { optionNames, refuseStrangeOptions } from '../strange-options.ts'
import { verdictsAt, type VerdictsOptions } from './verdicts.ts'
import { waitingAt } from './waiting.ts'
import { Offered, InLog, StandingShown, verdictFrom, StartTerms } from './reading.ts'
import { createHash, randomUUID } from 'node:crypto'
import type { MessageFields } from '#messages/build'
import { parsedIntent, verdictIn, type AskOptions, type OnReviewDefault } from '../asking.ts'
import type { Published, SessionHandle } from '../publishing.ts'
import type { SaidTo } from '../saying.ts'
import type { Redeeming } from '../guard/redeeming.ts'

// What an agent without a key says through a server over HTTP, which publishes it in the agent's
// name: each word of an agent by the request that there is for it, and a clear refusal where no
// request carries it.

/** A server answers after so long without a verdict, and at once where people are asked. */
const answerMs = 10_000
const waitMsDefault = 60_000

interface Words {
  readonly server: HttpServer
  readonly log: IntentLog
}

/** Asks in one request where the stages answer in time. */
function asksAt({ server, log }: Words, onReview: OnReviewDefault): Agent['ask'] {
  return async (fields, { session, key, message, routing, ...given } = {}) => {
    refuseMore(message)
    const { waitMs, signal } = given
    const began = performance.now()
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
    const left =
      waitMs === undefined ? {} : { waitMs: Math.max(0, waitMs + began - performance.now()) }
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

function plainWords(server: HttpServer): Plain {
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
function takingBack(name: string, note = 'I take it back'): Omit<MessageFields, 'sender'> {
  return { type: 'correction', content: note, confidence: 0.8, refers_to: name }
}

export { Fault } from '#record/fault'
export { IntentFault } from '../intent-fault.ts'
export { Pending } from '../pending.ts'
export { Refused } from '../guard/refused.ts'
export type { AskOptions, IntentFields, WaitOptions } from '../asking.ts'
export type { DecisionTrace, GuardOptions } from '../guard/guard.ts'
export type { GuardedTool } from '../guard/guard.ts'
export type { RealmReader } from '../asked.ts'
export type { Published, SessionHandle } from '../publishing.ts'
export type { SaidTo, ToolResult } from '../saying.ts'
export type { ToolCaller, ToolCallOptions } from '../tool-calls.ts'
export type { Agent } from '../warrant.ts'
export type { HttpAnswering, HttpPerson } from './deciding.ts'
export type { RemoteGateway } from './gateway-calls.ts'
export type { VerdictsOptions } from './verdicts.ts'
export type { Verdict } from '#replay/verdicts/verdict'
export type { CallAnswer } from '#gateway/answering'

export interface HttpConnectOptions extends HttpServerOptions {
  /** Of the principal as which it speaks: `warrant tokens create`. */
  readonly token: string
  /** PEM of its Ed25519 key, where the catalog binds keys to that principal. */
  readonly privateKey?: string
  /** Where tools are carried out; without it `call` is refused. */
  readonly gateway?: RemoteGateway
  readonly logger?: Logger
}

/** An agent’s client at a server over HTTP. */
export interface HttpWarrant extends Agent, ToolCaller, RealmReader, HttpPerson {
  readonly principal: string
  /**
   * The verdicts on this agent's intents as they come, over one line, for a program that waits for
   * many. It goes on where it was cut off.
   */
  verdicts(options?: VerdictsOptions): AsyncGenerator<Verdict, void, void>
  /** Ends what it waits for. */
  close(): Promise<void>
}

const connectOptions = optionNames<HttpConnectOptions>({
  url: true,
  token: true,
  privateKey: true,
  gateway: true,
  logger: true,
  timeoutMs: true,
  plain: true,
  fetch: true,
})

/**
 * Opens a client of the principal that the token is of. Throws a Fault `url_refused`,
 * `server_unreachable`, `caller_refused` or `door_refused`.
 */
export async function connectHttp(options: HttpConnectOptions): Promise<HttpWarrant> {
  refuseStrangeOptions(options, connectOptions)
  const { privateKey, gateway, logger = plainLogger('warn'), ...at } = options
  const server = httpServer(at)
  const caller = await callerAt(server)
  const speaker = {
    as: caller.principal,
    ...(privateKey !== undefined && { privateKey }),
  }
  const isKeyed = privateKey !== undefined
  const log = httpLog(server, caller, waitingAt(server))
  const redeeming = redeemingAt(server)
  const agent = agentOn({
    log,
    speaker,
    logger,
    clock: systemClock,
    redeeming: () => redeeming,
    known: () => Promise.resolve(null),
    catalog: readsNone,
    work: null,
    where: '',
    ...(!isKeyed && { asks: (onReview) => asksAt({ server, log }, onReview) }),
  })
  const spoken: Agent = isKeyed ? signedBy(agent, log) : { ...agent, ...plainWords(server) }
  const tools = gateway === undefined ? null : gatewayAt(gateway, privateKey)
  return {
    ...spoken,
    ...toolCaller({
      speaker,
      ask: (intent, of) => spoken.ask(intent, of),
      verdict: (address, wait) => spoken.verdict(address, wait),
      gateway: async () => tools ?? noGateway(),
    }),
    principal: caller.principal,
    shortlist: offeredAt(server),
    ...readingAt(server),
    async decide(answering) {
      // Few programs are of a person: others load none of it.
      const { decideAt } = await import('./deciding.ts')
      return decideAt(server, privateKey, answering)
    },
    verdicts: (of) => verdictsAt(server, of),
    async close() {
      server.close()
      await tools?.close()
    },
  }
}

/** Who has a key takes an intent back by a message, which it signs. */
function signedBy(agent: Agent, { opening }: Pick<IntentLog, 'opening'>): Agent {
  return {
    ...agent,
    async withdraw(address, note) {
      const fact = await opening(address)
      if (fact === undefined) throw new Fault('no_intent', `\`${address}\` opens no intent`)
      const message = messageOfFact(fact)
      const id = message?.session_id ?? null
      const session = id === null ? undefined : agent.session(id)
      await agent.publish(takingBack(fact.name, note), session)
    },
  }
}

function readsNone(): never {
  throw new Fault('not_over_http', 'a client over HTTP reads no catalog')
}

function noGateway(): never {
  const what = 'a client over HTTP carries no tools out itself'
  const fix = 'give `gateway: { url }` to `connectHttp`, the address of a `warrant up gateway`'
  throw new Fault('gateway_missing', `${what}: ${fix}`)
}

// What an agent is offered for a goal by a server over HTTP, which ranks and records it.

function offeredAt(server: HttpServer): Agent['shortlist'] {
  return async (goal, { session, model, record = true, ...options } = {}) => {
    if (model !== undefined || !record) {
      const what = 'the server ranks and records what it offers'
      throw new Fault('not_over_http', `${what}: leave \`model\` and \`record\` out`)
    }
    const body = { goal, ...options, ...(session !== undefined && { session: session.id }) }
    // Another try records another offer, which permits nothing.
    const sent = { method: 'POST' as const, path: '/v1/shortlist', body, isSafe: true }
    return readAs(Offered, await server.send(sent))
  }
}

// How a guard redeems a warrant at a server over HTTP: the server derives the verdict again, looks
// at what was suspended and revoked, and binds the start, once. Nothing runs without its answer.

function redeemingAt(server: HttpServer): Redeeming {
  const post = (intent: string, what: 'start' | 'outcome', more: object = {}) => ({
    method: 'POST' as const,
    path: `/v1/intents/${encodeURIComponent(intent)}/${what}`,
    ...more,
  })
  return {
    prove: () => Promise.resolve(),
    refusal: () => null,
    async start({ intent, terms }) {
      try {
        // Not sent again: that an answer was lost does not show whether the warrant is used.
        const answered = await server.send({ ...post(intent, 'start'), isSafe: false })
        const { argsDigest } = readAs(StartTerms, answered).terms
        if (argsDigest !== terms?.argsDigest) {
          throw new Fault('warrant_differs', `what was started for \`${intent}\` is another call`)
        }
      } catch (error) {
        if (error instanceof Fault && error.code === 'warrant_used') return notNow
        if (error instanceof Fault && error.code === 'server_unreachable') throw lost(error)
        throw error
      }
      return { appended: true, appendedAt: systemClock.now() }
    },
    async end({ intent }, outcome) {
      try {
        await server.send({ ...post(intent, 'outcome', { body: outcome }), isSafe: true })
        return true
      } catch (error) {
        if (error instanceof Fault && error.code === 'outcome_recorded') return false
        throw error
      }
    },
  }
}

const notNow = { appended: false, appendedAt: 0 }

function lost(cause: Fault): Fault {
  const what = `${cause.message}; the tool does not run, and its warrant may be used`
  return new Fault('server_unreachable', what, { cause, retry: 'never' })
}
