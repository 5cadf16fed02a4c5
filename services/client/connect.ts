// The client: what an agent, a tool, a confirmer or an auditor does with the runtime from a
// program. It never answers for a stage: without a verdict there is no action.
import type { MessageFields } from '#core/messages/build'
import { Fault } from '#core/kernel/fault'
import type { OpenProposal } from '#core/learning/learning'
import { token } from '#core/kernel/names'
import type { Fact } from '#ports/log'
import type { Model } from '#ports/models'
import { findLog, isRemote } from '#runtime/wiring/log-url'
import { openReviews, type OpenReviewShown } from '#runtime/engine/open-reviews'
import { openRuntime, type Runtime, type RuntimeOptions } from '#runtime/wiring/open'
import { demandedRootKey } from '#runtime/eras/root-key'
import { reopen, type Reopening } from '#runtime/learning/reopen'
import { heldFor, type ShownRelease } from '#runtime/learning/releases'
import { rule, type Ruling } from '#runtime/learning/rule'
import { stages as allStages } from '#services/stages'
import { ask, verdictIn, type Asking, type AskOptions, type IntentFields } from './asking.ts'
import { decide, type Answer } from './decide.ts'
import { guard, type GuardOptions, type Guarded } from './guard.ts'
import { provingOn, type Proving } from './proving.ts'
import { publish, sessionOf, withdraw } from './publishing.ts'
import type { Published, SessionHandle, Speaker } from './publishing.ts'
import { sayingOn } from './saying.ts'
import { traceOf, type Trace } from './trace.ts'
import type { Verdict } from './verdict.ts'
import { waitingOn } from './waiting.ts'

export { Refused } from './refused.ts'
export { Fault } from '#core/kernel/fault'
export type { OpenProposal } from '#core/learning/learning'
export type { Model } from '#ports/models'
export type { Reopening } from '#runtime/learning/reopen'
export type { ShownRelease } from '#runtime/learning/releases'
export type { Failure } from './failure.ts'
export type { Ruling } from '#runtime/learning/rule'
export type { AskOptions, IntentFields } from './asking.ts'
export type { Published, SessionHandle } from './publishing.ts'
export type { Verdict } from './verdict.ts'

/** `as` is needed to publish, and `privateKey` if the catalog binds keys to that principal. */
export interface ConnectOptions extends Speaker {
  /**
   * A file path, `sqlite:<path>`, `memory:` or `nats://host:port`; else `WARRANT_LOG`, else the
   * nearest `.warrant/log.db`.
   */
  readonly log?: string
  readonly realm?: string
  /** Says that this machine's clock is right where the log in a file was quiet for over 30 days. */
  readonly acceptClock?: boolean
  /** The key that must have begun the log; else `WARRANT_ROOT_KEY`. */
  readonly rootKey?: string
  /**
   * The log's identity, for a client that signs and cannot read the catalog; else
   * `WARRANT_LOG_ID`.
   */
  readonly logId?: string
  /** Whether this process runs the stages; it does on an embedded log unless told not to. */
  readonly stages?: boolean
  /**
   * `own`: reads nothing but what is about its own intents, as an agent on a server may. It asks,
   * publishes, withdraws and guards; it has no runtime, no reviews and no trace, and its guard can
   * not know that its agent was suspended after the verdict. Else it reads everything where the
   * server lets it, and its own where not; `all`: everything or a Fault.
   */
  readonly reads?: 'own' | 'all'
  /** Fills in what learning proposes to people, where this process runs that stage. */
  readonly model?: Model
  readonly logger?: RuntimeOptions['logger']
  /** An open runtime to speak through; it is then not stopped by `close`. */
  readonly runtime?: Runtime
}

export interface Warrant {
  readonly runtime: Runtime
  /**
   * Publishes the intent and waits for its verdict. Throws a Fault `no_verdict` when none comes in
   * time.
   */
  ask(intent: IntentFields, options?: AskOptions): Promise<Verdict>
  /** Publishes one message under this client's name. */
  publish(fields: Omit<MessageFields, 'sender'>, session?: SessionHandle): Promise<Published>
  /** The verdict of a published intent. */
  verdict(address: string, waitMs?: number): Promise<Verdict>
  withdraw(address: string, note?: string): Promise<void>
  session(id?: string): SessionHandle
  guard<A extends object, T>(
    capability: string,
    run: Guarded<A, T>,
    options?: GuardOptions,
  ): (args: A, ask?: AskOptions & Partial<IntentFields>) => Promise<T>
  /** The reviews that wait for people, oldest first. */
  reviews(): Promise<readonly OpenReviewShown[]>
  /** Answers a review as a confirmer, signed with that person's key. */
  decide(answer: Answer): Promise<Fact>
  /** What learning asks of people, oldest first. */
  proposals(): readonly OpenProposal[]
  /**
   * The held intents that wait for a proposal, with what they would do: give those that a person
   * saw as `releases` of the ruling, or what changes something is asked about.
   */
  held(proposal: string): Promise<readonly ShownRelease[]>
  /** Rules on a proposal as a curator or policy admin, signed with that person's key. */
  rule(ruling: Ruling): Promise<Fact>
  /** Has a question asked again that was skipped, rejected, or that no one answered in time. */
  reopen(reopening: Reopening): Promise<Fact>
  trace(address: string): Promise<Trace>
  close(): Promise<void>
}

export async function connect(options: ConnectOptions = {}): Promise<Warrant> {
  if (options.runtime === undefined && options.reads === 'own') return own(options)
  let runtime: Runtime
  try {
    runtime = options.runtime ?? (await openRuntime(runtimeOptions(options)))
  } catch (error) {
    if (!mayReadLess(options, error)) throw error
    return own(options)
  }
  return connectTo(runtime, options)
}

/** Whether the server let it in and refused only to be read. */
function mayReadLess({ runtime, reads, stages }: ConnectOptions, error: unknown): boolean {
  const isRefused = error instanceof Fault && error.code === 'not_permitted'
  return isRefused && runtime === undefined && reads === undefined && stages !== true
}

// Loaded only here: its driver costs start-up time.
async function own(options: ConnectOptions): Promise<Warrant> {
  return (await import('./own.ts')).connectOwn(options)
}

function connectTo(runtime: Runtime, options: ConnectOptions): Warrant {
  const waiting = waitingOn(runtime.follower, runtime.timer)
  const asking: Asking = { runtime, speaker: options, waiting }
  const saying = sayingOn(runtime)
  // Only who acts on verdicts proves them.
  let proving: Proving | null = null
  const askOf: Warrant['ask'] = (intent, ask_) => ask(asking, intent, ask_)
  return {
    runtime,
    ask: askOf,
    publish: (fields, session) => publish(saying, options, fields, session),
    verdict: (address, waitMs) => verdictIn(asking, address, waitMs),
    withdraw: (address, note) => withdraw(saying, options, address, note),
    session: (id) => sessionOf(saying, options, id),
    guard: (capability, run, guardOptions) => {
      proving ??= provingOn(runtime, allStages, token(options.as ?? ''))
      const folding = { runtime, ask: askOf, proving }
      return guard(folding, { capability, run, options: guardOptions })
    },
    reviews: () => openReviews(runtime),
    decide: (answer) => decide(runtime, answer),
    proposals: () => [...runtime.follower.world.learning.open.values()],
    held: (proposal) => heldFor(runtime, proposal),
    rule: (ruling) => rule(runtime, ruling),
    reopen: (reopening) => reopen(runtime, reopening),
    trace: (address) => traceOf(runtime, address),
    async close() {
      waiting.stop()
      proving?.stop()
      if (options.runtime === undefined) await runtime.stop()
    },
  }
}

function runtimeOptions(options: ConnectOptions): RuntimeOptions {
  const log = findLog(options.log, process.env)
  const { realm, acceptClock, stages = !isRemote(log), logger, model } = options
  return {
    log,
    stages: stages ? allStages : [],
    ...(realm !== undefined && { realm }),
    rootKey: demandedRootKey(options.rootKey, process.env),
    ...(acceptClock !== undefined && { acceptClock }),
    ...(logger !== undefined && { logger }),
    ...(model !== undefined && { model }),
  }
}
