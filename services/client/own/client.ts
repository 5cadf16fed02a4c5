// The client of an agent that reads only its own: an agent, and one clear refusal for the rest.
import { systemClock } from '#system/clock'
import { Fault } from '#record/fault'
import { agentOn } from '../agent.ts'
import { gatewayAt } from '../over-http/gateway-calls.ts'
import { toolCaller, type CallingGateway } from '../tool-calls.ts'
import type { Agent, ConnectOptions, Warrant } from '../warrant.ts'
import { loggerDefault, whereOf } from '../where.ts'
import { openOwn } from './intent-log.ts'
import { randomUUID } from 'node:crypto'
import type { OwnLog } from '#log/jetstream/own-log'
import { isOutOfTime } from '#messages/executions/start-refusal'
import { eraOf } from '#record/names'
import type { OwnEras } from './eras.ts'
import { refusalOf, type Redeeming } from '../guard/redeeming.ts'
import { refuseLate } from '#replay/verdicts/timely'
import type { IntentLog } from '../intent-log.ts'
import { ownWord } from '../publishing.ts'

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

// How a guard redeems a warrant where only the agent's own can be read: once, by the name that the
// server binds once. That its agent was suspended since, or the warrant revoked, it cannot know.

interface OwnParts {
  readonly log: Pick<OwnLog, 'bound'>
  readonly eras: OwnEras
  readonly clock: IntentLog['clock']
}

export function ownRedeeming({ log, eras, clock }: OwnParts): Redeeming {
  const by = { clock, basis: () => eras.position }
  // No one else writes the same bytes, so what is found under the name shows whose it is.
  const sourceOf = (address: string) => `agent/${address.split('.')[0] ?? ''}/${randomUUID()}`
  return {
    // When the basis was appended, and what the verdict follows from, only its readers know.
    prove: async (verdict) => refuseLate(verdict, null),
    // Who is suspended and what was revoked, only readers of the log know.
    refusal(verdict, startedAt) {
      const { terms, origin } = verdict
      const useBy = Date.parse(terms?.useBy ?? '')
      const isLate = isOutOfTime({ useBy, decidedAt: origin.appendedAt, startedAt })
      return isLate ? refusalOf('warrant_expired', verdict) : null
    },
    async start({ intent, name: verdict }) {
      const source = sourceOf(intent)
      const said = ownWord(by, 'ownstart', intent, { data: { verdict }, source })
      const bound = await eras.bind(said)
      // An era later another guard may have been first: it is used in the verdict's era or never.
      if (eraOf(bound.name) !== eraOf(verdict)) {
        const message = `the era of the warrant of \`${intent}\` is sealed: ask again`
        throw new Fault('era_sealed', message, { retry: 'never' })
      }
      if (!bound.appended) return { appended: false, appendedAt: 0 }
      const { appendedAt } = await log.bound(bound.name)
      return { appended: true, appendedAt }
    },
    async end({ intent }, outcome) {
      const source = sourceOf(intent)
      const said = ownWord(by, 'ownoutcome', intent, { data: outcome, source })
      return (await eras.bind(said)).appended
    },
  }
}
