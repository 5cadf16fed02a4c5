// Goes on with calls that a gateway of the same name began before it died, where trying again is
// declared to be harmless: with the same key, until the last moment that their starts name. What
// may not run any more, or not in time, ends as `unknown`, since it may have been done already.
import type { BegunCall } from '#messages/executions/executions'
import { Fault } from '#record/fault'
import type { IntentRef } from '#schemas/values'
import type { Runtime } from '#runtime/engine/runtime'
import type { Proving } from '#replay/verdicts/proving'
import { carryOut, timeoutMsOf, type Carrying } from './carried.ts'
import { outcomeOfCall } from './ending.ts'
import { begunPermitted, type Permitted } from './permitted.ts'
import type { CallOutcome, OwnCalls } from './recovery.ts'
import type { Slots } from './slots.ts'

export interface GoingOnParts {
  readonly runtime: Runtime
  readonly proving: Proving
  readonly places: Slots
  readonly calls: OwnCalls
  /** Aborts when the gateway closes. */
  readonly closing: AbortSignal
  readonly carrying: (found: Permitted) => Carrying
  /** Binds what came of it. */
  readonly end: (intent: IntentRef, said: CallOutcome) => Promise<void>
}

/** What the driver may take to stop, and the log to bind the outcome, before the last moment. */
const settleMs = 4_000

/** Goes on with the calls that it is given. Never throws. */
export function goingOn(parts: GoingOnParts): (call: BegunCall) => Promise<void> {
  const { runtime, proving, calls, closing, end } = parts
  const { logger } = runtime
  let before: Promise<unknown> = Promise.resolve()
  const permitted = (address: string): Promise<Permitted> => {
    // One after the other: each may have to read all of the log first.
    const found = before.then(() => begunPermitted(runtime, proving, address))
    before = found.catch(() => undefined)
    return found
  }
  return async (call) => {
    const { address, agent, session, gateway } = call
    calls.running.add(address)
    try {
      const ending = await carriedOn(parts, call, await permitted(address))
      await end({ address, agent, session }, ending)
      logger.warn({ intent: address, gateway, outcome: ending.outcome }, 'a call was gone on with')
    } catch (error) {
      logger.warn({ intent: address, gateway, error }, 'a call could not be gone on with')
      // What is owed is bound by the next look, and what the log did not answer is tried again.
      const isLeft = closing.aborted || calls.owed.has(address)
      const isPassing = error instanceof Fault && error.retry === 'soon'
      if (!isLeft && !isPassing) calls.owed.set(address, stopped)
    } finally {
      calls.running.remove(address)
    }
  }
}

const stopped: CallOutcome = { outcome: 'unknown', code: 'gateway_stopped' }

async function carriedOn(
  { runtime, places, closing, carrying }: GoingOnParts,
  { until }: BegunCall,
  found: Permitted,
): Promise<CallOutcome> {
  const { logClock, timer } = runtime
  const { capability, intent } = found
  const leftMs = (): number => until - logClock.now() - settleMs
  const carried = carrying(found)
  if (leftMs() <= 0) return stopped
  const late = new AbortController()
  const cancel = timer.after(leftMs(), () => late.abort())
  const of = { capability: capability.id, agent: intent.agent, execution: capability.execution }
  const leave = await places.enter(of, AbortSignal.any([closing, late.signal])).finally(cancel)
  try {
    const timeoutMs = Math.min(timeoutMsOf(capability), leftMs())
    if (timeoutMs <= 0) return stopped
    return outcomeOfCall(await carryOut({ ...carried, timeoutMs, mayHaveHappened: true }))
  } finally {
    leave()
  }
}
