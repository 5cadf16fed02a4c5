// Calls that were begun and never ended: a gateway that stopped leaves them behind. They are closed
// as `unknown`, at once where their process has surely ended, else when they can no longer run.
// Those of idempotent capabilities are left to a gateway of the same name, which goes on with them.
import type { BegunCall } from '#messages/executions/executions'
import type { KeyCounts } from '#record/key-counts'
import type { OutcomeData } from '#schemas/facts'
import type { Runtime } from '#runtime/engine/runtime'
import { areNamesakes, hasEnded } from './gateway-id.ts'
import { bindWord } from './words.ts'

export interface Recovery {
  stop(): Promise<void>
}

interface RecoveringOf {
  /** Of the gateway that closes them. */
  readonly id: string
  /** The gateways of this process, which close their own. */
  readonly own: ReadonlySet<string>
  readonly calls: OwnCalls
  /** Goes on with a call as its own, and binds what comes of it. */
  readonly goOn: (call: BegunCall) => void
}

export type CallOutcome = Omit<OutcomeData, 'intent'>

/** The calls of this gateway, by the addresses of their intents. */
export interface OwnCalls {
  /** How often each is under way: one that is called twice at once runs until both have ended. */
  readonly running: KeyCounts
  /** What came of those whose outcome could not be bound yet. */
  readonly owed: Map<string, CallOutcome>
}

const everyMs = 1_000

/** Looks for them from now on. */
export function recovering(runtime: Runtime, of: RecoveringOf): Recovery {
  const { follower, timer, logClock, logger } = runtime
  let isStopped = false
  let looking: Promise<void> = Promise.resolve()
  let cancel = (): void => undefined
  const look = async (): Promise<void> => {
    const now = logClock.now()
    for (const call of follower.state.running.values()) {
      const { execution } = follower.state.catalog.capabilities.get(call.capability) ?? {}
      const isIdempotent = execution?.idempotent === true
      const ending = endingOf(call, of, { now, isIdempotent })
      if (ending === null || isStopped) continue
      if (ending === 'go_on') {
        of.goOn(call)
        continue
      }
      try {
        await close(runtime, of.id, call, ending)
        of.calls.owed.delete(call.address)
        logger.warn({ intent: call.address, gateway: call.gateway }, 'a call was never ended')
      } catch (error) {
        logger.error({ intent: call.address, error }, 'a call could not be closed')
      }
    }
  }
  const lookThenWait = async (): Promise<void> => {
    await look()
    cancel = timer.after(everyMs, next)
  }
  const next = (): void => {
    if (isStopped) return
    looking = lookThenWait()
  }
  next()
  return {
    async stop() {
      isStopped = true
      cancel()
      await looking
      cancel()
    },
  }
}

/** How it is to be closed; null where it may still be running, or another closes it. */
function endingOf(
  { gateway, until, address }: BegunCall,
  { id, own, calls }: RecoveringOf,
  { now, isIdempotent }: { readonly now: number; readonly isIdempotent: boolean },
): CallOutcome | 'go_on' | null {
  if (calls.running.of(address) > 0) return null
  const owed = calls.owed.get(address)
  if (owed !== undefined) return owed
  if (gateway === id) return { outcome: 'unknown', code: 'gateway_failed' }
  if (hasEnded(gateway, own)) {
    if (!isIdempotent || now > until) return { outcome: 'unknown', code: 'gateway_stopped' }
    // Another one waits, since this may be begun again at any moment.
    return areNamesakes(gateway, id) ? 'go_on' : null
  }
  const isLost = now > until && !own.has(gateway)
  return isLost ? { outcome: 'unknown', code: 'gateway_lost' } : null
}

async function close(
  runtime: Runtime,
  gateway: string,
  { address, agent, session }: BegunCall,
  said: CallOutcome,
): Promise<void> {
  const intent = { address, agent, session }
  await bindWord(runtime, 'outcome', { gateway, intent, said })
}
