// A steady load of intents by agents that read only their own, and what each of them saw: whether
// it was taken in, and when its verdict came. It never looks into the log.
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '#core/kernel/fault'
import { connect } from '#services/client/connect'
import type { OwnWarrant } from '#services/client/warrant'
import { intentOf } from '../nats/deployment.ts'

/** What an agent saw of one intent, which the argument `line` numbers. */
export interface Asked {
  readonly agent: string
  readonly line: number
  readonly isTakenIn: boolean
  /** From asking until the verdict was there; null where none came in time. */
  readonly verdictMs: number | null
}

export interface Load {
  /** Asks no more, and resolves when each has its verdict or has given up. */
  end(): Promise<readonly Asked[]>
}

export interface LoadOptions {
  readonly url: string
  readonly agents: readonly string[]
  /** Intents a second, of all agents together. */
  readonly rate: number
}

const tickMs = 10
/** Longer than any outage of a scene: then it is taken in, and has its verdict. */
const waitMsMax = 120_000

/** Each agent has a client of its own. What is due is asked, whatever becomes of those before. */
export async function startOwnLoad({ url, agents, rate }: LoadOptions): Promise<Load> {
  const clients = await Promise.all(
    agents.map(async (as) => ({ as, client: await connect({ log: url, as, reads: 'own' }) })),
  )
  const over = new AbortController()
  const asked: Promise<Asked>[] = []
  const start = performance.now()
  const asking = (async () => {
    while (!over.signal.aborted) {
      const due = ((performance.now() - start) * rate) / 1_000
      for (const { as, client } of clients.slice(asked.length % clients.length)) {
        if (asked.length < due) asked.push(ask(client, as, asked.length))
      }
      if (asked.length >= due) await sleep(tickMs)
    }
  })()
  return {
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
  const start = performance.now()
  try {
    await client.ask(intentOf(line), { waitMs: waitMsMax })
    return { agent, line, isTakenIn: true, verdictMs: performance.now() - start }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { agent, line, isTakenIn: afterTakenIn.has(error.code), verdictMs: null }
  }
}

/** What is thrown only once the server has acknowledged the message. */
const afterTakenIn: ReadonlySet<string> = new Set(['no_verdict', 'not_in_log'])
