// Calls that were begun and never ended: a gateway that stopped leaves them behind. They are closed
// as `unknown`, at once where their process has surely ended, else when they can no longer run.
import type { BegunCall } from '#core/executions/executions'
import type { OutcomeData } from '#schemas/facts'
import type { Runtime } from '../engine/runtime.ts'
import { hasEnded } from './gateway-id.ts'
import { bindWord } from './words.ts'

export interface Recovery {
  stop(): Promise<void>
}

interface RecoveringOf {
  /** Of the gateway that closes them. */
  readonly id: string
  /** The gateways of this process, which close their own. */
  readonly own: ReadonlySet<string>
}

const everyMs = 1_000

/** Looks for them from now on. */
export function recovering(runtime: Runtime, { id, own }: RecoveringOf): Recovery {
  const { follower, timer, logClock, logger } = runtime
  let isStopped = false
  let looking: Promise<void> = Promise.resolve()
  let cancel = (): void => undefined
  const look = async (): Promise<void> => {
    const now = logClock.now()
    for (const call of follower.state.running.values()) {
      const code = lostBy(call, own, now)
      if (code === null || isStopped) continue
      try {
        await close(runtime, id, call, { outcome: 'unknown', code })
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

function lostBy(
  { gateway, until }: BegunCall,
  own: ReadonlySet<string>,
  now: number,
): 'gateway_stopped' | 'gateway_lost' | null {
  if (hasEnded(gateway, own)) return 'gateway_stopped'
  return now > until && !own.has(gateway) ? 'gateway_lost' : null
}

async function close(
  runtime: Runtime,
  gateway: string,
  { address, agent, session }: BegunCall,
  said: Omit<OutcomeData, 'intent'>,
): Promise<void> {
  const intent = { address, agent, session }
  await bindWord(runtime, 'outcome', { gateway, intent, said })
}
