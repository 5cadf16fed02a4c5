// The client: what an agent, a tool, a confirmer or an auditor does with the runtime from a
// program. It never answers for a stage: without a verdict there is no action.
import { Fault } from '#core/kernel/fault'
import { token } from '#core/kernel/names'
import { findLog, isRemote } from '#runtime/logs/log-url'
import { openReviews } from '#runtime/engine/gathering/open-reviews'
import { openRuntime, type RuntimeOptions } from '#runtime/wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import { demandedRootKey } from '#runtime/eras/root-key'
import { reopen } from '#runtime/learning/reopen'
import { heldFor } from '#runtime/learning/releases'
import { rule } from '#runtime/learning/rule'
import { stages as allStages } from '#services/stages'
import { ask, verdictIn, type Asking } from './asking.ts'
import { decide } from './decide.ts'
import { guard } from './guard/guard.ts'
import { provingOn, type Proving } from './guard/proving.ts'
import { publish, sessionOf, withdraw } from './publishing.ts'
import { sayingOn } from './saying.ts'
import { traceOf } from './trace.ts'
import { waitingOn } from './waiting.ts'
import type { ConnectOptions, Warrant } from './warrant.ts'

export { Refused } from './guard/refused.ts'
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
export type { ConnectOptions, Warrant } from './warrant.ts'

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
  return (await import('./own/client.ts')).connectOwn(options)
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
