// The client: what an agent, a tool, a confirmer or an auditor does with the runtime from a program. It
// never answers for a stage: without a verdict there is no action.
import { randomBytes } from 'node:crypto'
import type { ReviewData } from '#schemas/facts'
import type { z } from 'zod'
import { Intent as IntentSchema } from '#schemas/intent'
import { jsonOf } from '#core/canonical'
import { writeEvent } from '#core/event'
import { Fault } from '#core/fault'
import { addressOf, nameOf, token } from '#core/names'
import { signData } from '#core/signature'
import { buildMessage, messageId, sessionId, type MessageFields } from '#core/vlp/build'
import { writeLine } from '#core/vlp/ndjson'
import { signMessage } from '#core/vlp/signed'
import type { Fact } from '#ports/log'
import { stages as allStages } from '#services/stages'
import { openRuntime, type Runtime, type RuntimeOptions } from '#runtime/open'
import { findLog } from '#runtime/log-url'
import { decide, type Answer } from './decide.ts'
import { guard, type GuardOptions, type Guarded } from './guard.ts'
import { traceOf, type Trace } from './trace.ts'
import { verdictOf, type Verdict } from './verdict.ts'
import { waitingOn } from './waiting.ts'

export { Refused } from './refused.ts'
export { Fault } from '#core/fault'
export type { Verdict } from './verdict.ts'

export interface ConnectOptions {
  /** The agent, tool or desk that speaks; needed to publish. */
  readonly as?: string
  /** PEM of its Ed25519 private key; needed if the catalog binds keys to it. */
  readonly privateKey?: string
  /** A file path, `sqlite:<path>` or `memory:`; else `WARRANT_LOG`, else the nearest `.warrant/log.db`. */
  readonly log?: string
  readonly realm?: string
  readonly rootKey?: string
  /** Whether this process runs the stages; it does unless told not to. */
  readonly stages?: boolean
  readonly logger?: RuntimeOptions['logger']
  /** An open runtime to speak through; it is then not stopped by `close`. */
  readonly runtime?: Runtime
}

export type IntentFields = z.input<typeof IntentSchema>

export interface AskOptions {
  /** Of a session that this client opened or joined. */
  readonly session?: SessionHandle
  /** How long to wait for the verdict; 60 seconds if not said. */
  readonly waitMs?: number
  /** More of the message: confidence, provenance, safety, refers_to, … */
  readonly message?: Partial<MessageFields>
}

/** A session as this client counts in it. */
export interface SessionHandle {
  readonly id: string
  seq: number
}

export interface Published {
  /** The name that the message is bound under. */
  readonly name: string
  readonly position: number
  readonly address: string
}

export interface OpenReview {
  readonly name: string
  readonly intent: string
  readonly position: number
  readonly review: ReviewData
}

export interface Warrant {
  readonly runtime: Runtime
  /** Publishes the intent and waits for its verdict. Throws a Fault `no_verdict` when none comes in time. */
  ask(intent: IntentFields, options?: AskOptions): Promise<Verdict>
  /** Publishes one message under this client's name. */
  publish(fields: Omit<MessageFields, 'sender'>, session?: SessionHandle): Promise<Published>
  /** The verdict of a published intent. */
  verdict(address: string, waitMs?: number): Promise<Verdict>
  withdraw(address: string, why?: string): Promise<void>
  session(id?: string): SessionHandle
  guard<A extends object, T>(
    capability: string,
    run: Guarded<A, T>,
    options?: GuardOptions,
  ): (args: A, ask?: AskOptions & Partial<IntentFields>) => Promise<T>
  /** The reviews that wait for people, oldest first. */
  reviews(): readonly OpenReview[]
  /** Answers a review as a confirmer, signed with that person's key. */
  decide(answer: Answer): Promise<Fact>
  trace(address: string): Promise<Trace>
  close(): Promise<void>
}

const waitMsDefault = 60_000

export async function connect(options: ConnectOptions = {}): Promise<Warrant> {
  const runtime = options.runtime ?? (await openRuntime(runtimeOptions(options)))
  const waiting = waitingOn(runtime.follower)
  const { log, place, clock, ids } = runtime
  const speaker = (): string => {
    if (options.as !== undefined) return options.as
    throw new Fault('no_sender', 'never', 'say who speaks: connect({ as: `<principal>` })')
  }

  const publish: Warrant['publish'] = async (fields, session) => {
    const sender = speaker()
    const now = clock.now()
    const ulid = ids.next(now)
    const address = addressOf(sender, session?.id ?? null, ulid)
    const name = nameOf(place, 'vlp', address)
    const seq = session === undefined ? undefined : session.seq + 1
    const id = session === undefined ? `MSG-${ulid}` : messageId('MSG', session.id, seq ?? 0)
    const inSession = session === undefined ? {} : { session_id: session.id, seq: seq ?? 0 }
    const message = buildMessage({ ...fields, ...inSession, sender }, { now, id })
    const { privateKey } = options
    const signed = privateKey === undefined ? message : signMessage(name, message, privateKey)
    const bytes = Buffer.from(writeLine(signed).trimEnd(), 'utf8')
    if (session !== undefined) session.seq += 1
    const { appended, fact } = await log.append({ name, bytes })
    if (!appended) throw new Fault('name_taken', 'soon', `\`${name}\` is bound already`)
    return { name, position: fact.position, address }
  }

  const verdict: Warrant['verdict'] = async (address, waitMs = waitMsDefault) => {
    const name = nameOf(place, 'verdict', address)
    const come = waiting.fact(name, waitMs)
    const fact = (await log.get(name)) ?? (await come)
    if (fact === null) throw new Fault('no_verdict', 'soon', whoIsMissing(runtime, address))
    return verdictOf(log, fact)
  }

  const ask: Warrant['ask'] = async (intent, { session, waitMs, message } = {}) => {
    const payload = { intent: IntentSchema.parse(intent) }
    const content = intent.goal ?? `use ${intent.tool}`
    const { address } = await publish({ type: 'query', content, ...message, payload }, session)
    return verdict(address, waitMs)
  }

  const withdraw: Warrant['withdraw'] = async (address, why) => {
    const name = nameOf(place, 'withdrawal', address)
    const agent = speaker()
    if (token(agent) !== address.split('.')[0]) {
      throw new Fault('not_yours', 'never', `\`${address}\` is not an intent of \`${agent}\``)
    }
    const content = { intent: { address, agent, session: null }, ...(why !== undefined && { why }) }
    const { privateKey } = options
    const signature =
      privateKey === undefined ? undefined : signData(name, jsonOf(content), privateKey)
    const data = jsonOf({ ...content, signature })
    const time = new Date(clock.now()).toISOString()
    const stamp = { source: `agent/${token(agent)}`, time, basis: runtime.follower.world.position }
    await log.append({ name, bytes: writeEvent('withdrawal', name, data, stamp) })
  }

  const client: Warrant = {
    runtime,
    ask,
    publish,
    verdict,
    withdraw,
    session: (id) => ({ id: id ?? newSession(runtime, speaker()), seq: 0 }),
    guard: (capability, run, guardOptions) =>
      guard({ runtime, ask }, { capability, run, options: guardOptions }),
    reviews: () => openReviews(runtime),
    decide: (answer) => decide(runtime, answer),
    trace: (address) => traceOf(runtime, address),
    close: () => (options.runtime === undefined ? runtime.stop() : Promise.resolve()),
  }
  return client
}

function runtimeOptions(options: ConnectOptions): RuntimeOptions {
  const { realm, rootKey, stages = true, logger } = options
  return {
    log: findLog(options.log, process.env),
    stages: stages ? allStages : [],
    ...(realm !== undefined && { realm }),
    ...(rootKey !== undefined && { rootKey }),
    ...(logger !== undefined && { logger }),
  }
}

function newSession(runtime: Runtime, agent: string): string {
  const suffix = randomBytes(3).toString('hex')
  const date = new Date(runtime.clock.now()).toISOString().slice(0, 10)
  return sessionId({ date, agent, suffix })
}

function openReviews(runtime: Runtime): OpenReview[] {
  const reviews: OpenReview[] = []
  for (const { address, review } of runtime.follower.world.intents.values()) {
    if (review === null) continue
    const { name, position, data } = review
    reviews.push({ name, intent: address, position, review: data })
  }
  return reviews.toSorted((a, b) => a.position - b.position)
}

// A client that waits in vain is told which stage it waits for.
function whoIsMissing(runtime: Runtime, address: string): string {
  const intent = runtime.follower.world.intents.get(address)
  if (intent === undefined) return `no verdict in time, and no open intent \`${address}\``
  if (intent.review !== null) {
    const { confirmers, decideBy } = intent.review.data
    return `no verdict in time: ${confirmers.join(', ')} may answer until ${decideBy}`
  }
  if (intent.hold !== null) return 'no verdict in time: it is held until learning ends'
  const stage = intent.grounding === null ? 'grounding' : 'policy'
  return `no verdict in time: the ${stage} stage has not answered; is it running?`
}
