// The client of an agent that reads only its own: an agent, and one clear refusal for the rest.
import { systemClock } from '#system/clock'
import { Fault } from '#record/fault'
import { agentOn } from '../agent.ts'
import { gatewayAt } from '../over-http/gateway-calls.ts'
import { toolCaller, type CallingGateway } from '../tools/tool-calls.ts'
import type { Agent, ConnectOptions, Warrant } from '../warrant.ts'
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
  const work = null
  const speaker = options
  const parts = { log, speaker, logger, clock, redeeming, known, catalog, work, where }
  const agent = agentOn(parts)
  const asking: Pick<Agent, 'ask' | 'verdict'> = agent
  const caller = toolCaller({
    speaker: options,
    ask: (intent, of) => asking.ask(intent, of),
    verdict: (address, wait) => asking.verdict(address, wait),
    gateway: async () => remoteGateway(options),
  })
  const refuse = (): Promise<never> => Promise.reject(readsOwn())
  return {
    ...agent,
    ...caller,
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
    read: refuse,
    graph() {
      throw readsOwn()
    },
    trace: refuse,
    close: () => log.close(),
  }
}

/** Who reads its own alone carries nothing out itself: that takes the verdict proved. */
function remoteGateway({ gateway, privateKey }: ConnectOptions): CallingGateway {
  if (gateway !== undefined && 'url' in gateway) return gatewayAt(gateway, privateKey)
  const what = 'this client reads only what is its agent’s own, and carries no tools out itself'
  const fix = 'give `gateway: { url }`, the address of a `warrant up gateway`'
  throw new Fault('gateway_missing', `${what}: ${fix}`)
}

function readsOwn(): Fault {
  const what = 'this client reads only what is its agent’s own: it asks, publishes and guards'
  const fix = 'use a role that reads the log'
  return new Fault('reads_own', `${what}; ${fix}`)
}
