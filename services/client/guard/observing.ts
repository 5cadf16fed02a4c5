// Observe mode: whatever the runtime says, or does not, the function runs with what its caller gave
// it, and what would have been refused is reported.
import { argumentsOf, copied } from './arguments.ts'
import type { CallOptions } from './call-options.ts'
import { finish } from './finishing.ts'
import { asked, intentFor, traced, type GuardClient, type GuardedCall } from './calling.ts'
import type { Verdict } from '#replay/verdicts/verdict'

/** So long a tool that is only observed waits for its verdict, unless it says otherwise. */
const observedWaitMsDefault = 5_000

export function observer<A extends object, T>(
  client: GuardClient,
  guarded: GuardedCall<A, T>,
): (args: A, ask: CallOptions) => Promise<T> {
  const { logger } = client
  const { capability, run, options } = guarded
  logger.warn({ capability }, 'observing only: nothing that this guard decides is enforced')
  return async (given, { waitMs = observedWaitMsDefault, ...more }) => {
    const observed = async (): Promise<Verdict | null> => {
      try {
        const judged = copied(given)
        const args = argumentsOf(judged)
        const intent = intentFor(guarded, judged, { ...more, waitMs, args })
        const verdict = await asked(client, guarded, { ...intent, observe: true })
        await traced(client, guarded, verdict)
        if (verdict.outcome === 'deny') {
          const codes = verdict.reasons.map(({ code }) => code)
          logger.warn({ capability, codes }, 'observed: would have been refused')
        }
        return verdict
      } catch (error) {
        logger.warn({ capability, error }, 'observed: no verdict')
        return null
      }
    }
    const verdict = await observed()
    return finish(client, verdict, { run: () => run(given, {}), describe: options.describe })
  }
}
