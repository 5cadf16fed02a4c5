// The client of an agent that reads only its own: an agent, and one clear refusal for the rest.
import { systemClock } from '#adapters/system/clock'
import { Fault } from '#core/kernel/fault'
import { agentOn } from '../agent.ts'
import type { ConnectOptions, Warrant } from '../warrant.ts'
import { loggerDefault, whereOf } from '../where.ts'
import { openOwn } from './intent-log.ts'
import { ownRedeeming } from './redeeming.ts'

export async function connectOwn(options: ConnectOptions): Promise<Warrant> {
  const { logger = loggerDefault() } = options
  const log = await openOwn(options)
  const redeeming = () => ownRedeeming(log)
  const known = () => Promise.resolve(null)
  const where = whereOf(options)
  const clock = systemClock
  const catalog = (): never => {
    throw readsOwn()
  }
  const agent = agentOn({ log, speaker: options, logger, clock, redeeming, known, catalog, where })
  const refuse = (): Promise<never> => Promise.reject(readsOwn())
  return {
    ...agent,
    call: refuse,
    dryRun: refuse,
    expand: refuse,
    reviews: refuse,
    decide: refuse,
    settle: refuse,
    proposals() {
      throw readsOwn()
    },
    held: refuse,
    rule: refuse,
    grantPreview: refuse,
    grant: refuse,
    reopen: refuse,
    revoke: refuse,
    token: refuse,
    get runtime(): never {
      throw readsOwn()
    },
    check() {
      throw readsOwn()
    },
    explain: refuse,
    graph() {
      throw readsOwn()
    },
    trace: refuse,
    close: () => log.close(),
  }
}

function readsOwn(): Fault {
  const what = 'this client reads only what is its agent’s own: it asks, publishes and guards'
  const fix = 'use a role that reads the log'
  return new Fault('reads_own', `${what}; ${fix}`)
}
