// What an agent does with the log, by whichever driver: it asks, publishes, withdraws and guards.
import type { Clock } from '#ports/clock'
import type { Logger } from '#runtime/reporting/logger'
import { ask, verdictIn } from './asking.ts'
import { guard } from './guard/guard.ts'
import type { Redeeming } from './guard/redeeming.ts'
import type { IntentLog } from './intent-log.ts'
import { publish, sessionOf, withdraw, type Speaker } from './publishing.ts'
import type { Agent } from './warrant.ts'

interface Parts {
  readonly log: IntentLog
  readonly speaker: Speaker
  readonly logger: Logger
  /** By which a guard knows whether a warrant is still good. */
  readonly clock: Clock
  /** How a guard redeems a warrant; made only where something is guarded. */
  readonly redeeming: () => Redeeming
}

export function agentOn({ log, speaker, logger, clock, redeeming }: Parts): Agent {
  const asks: Agent['ask'] = (intent, options) => ask(log, speaker, intent, options)
  return {
    ask: asks,
    publish: (fields, session) => publish(log, speaker, fields, { session }),
    verdict: (address, wait = {}) =>
      verdictIn(log, address, typeof wait === 'number' ? { waitMs: wait } : wait),
    withdraw: (address, note) => withdraw(log, speaker, address, note),
    session: (id) => sessionOf(log, speaker, id),
    guard: (capability, run, options) => {
      const client = { ask: asks, logger, clock, redeeming: redeeming() }
      return guard(client, { capability, run, options })
    },
  }
}
