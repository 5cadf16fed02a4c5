// Intents by agents that read only their own, and what each of them saw: whether it was taken in,
// and whether its verdict came. It never looks into the log.
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '#record/fault'
import { connect } from '#client/connect'
import type { OwnWarrant } from '#client/warrant'
import { intentOf } from '../../support/intents.ts'
import { until } from '../../support/servers/nats-server.ts'

/** What an agent saw of one intent, which the argument `line` numbers. */
export interface Asked {
  readonly agent: string
  readonly line: number
  readonly isTakenIn: boolean
  /** Whether the agent itself got its verdict. */
  readonly isAnswered: boolean
}

export interface Load {
  /** Resolves when so many more have been asked. */
  untilAsked(more: number): Promise<void>
  /** Resolves when so many more have their verdict. */
  untilAnswered(more: number): Promise<void>
  /** Asks no more, and resolves when each has its verdict or has given up. */
  end(): Promise<readonly Asked[]>
}

export interface LoadOptions {
  readonly url: string
  readonly agents: readonly string[]
}

/** Between one ask and the next, whatever becomes of those before. */
export const pauseMs = 10
/** An agent that has missed its verdict gives up: what was taken in counts anyway. */
const waitMs = 120_000

/** Each agent has a client of its own. */
export async function startOwnLoad({ url, agents }: LoadOptions): Promise<Load> {
  const clients = await Promise.all(
    agents.map(async (as) => ({ as, client: await connect({ log: url, as, reads: 'own' }) })),
  )
  const over = new AbortController()
  const asked: Promise<Asked>[] = []
  let answered = 0
  const asking = (async () => {
    while (!over.signal.aborted) {
      const next = clients[asked.length % clients.length]
      if (next === undefined) return
      const one = ask(next.client, next.as, asked.length)
      asked.push(one)
      void one.then(({ isAnswered }) => (answered += isAnswered ? 1 : 0))
      await sleep(pauseMs)
    }
  })()
  const grownBy = (more: number, count: () => number): Promise<void> => {
    const wanted = count() + more
    return until(() => count() >= wanted)
  }
  return {
    untilAsked: (more) => grownBy(more, () => asked.length),
    untilAnswered: (more) => grownBy(more, () => answered),
    async end() {
      over.abort()
      await asking
      const all = await Promise.all(asked)
      await Promise.all(clients.map(({ client }) => client.close()))
      return all
    },
  }
}

async function ask(client: OwnWarrant, agent: string, line: number): Promise<Asked> {
  try {
    await client.ask(intentOf(line), { waitMs })
    return { agent, line, isTakenIn: true, isAnswered: true }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { agent, line, isTakenIn: afterTakenIn.has(error.code), isAnswered: false }
  }
}

/** What is thrown only once the server has acknowledged the message. */
const afterTakenIn: ReadonlySet<string> = new Set(['no_verdict', 'not_in_log'])
