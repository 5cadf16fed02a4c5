// Agents who ask for three kinds of capabilities, so that the stages always have work, and an owner
// who answers what is asked; at the end it is known how many of each were asked.
import { connect } from '#client/connect'
import type { Realm } from '../support/kill-realm.ts'
import { until } from '../support/servers/nats-server.ts'
import { keys } from '../support/runtime.ts'

const tools = ['look', 'count', 'erase', 'erase'] as const

export interface Said {
  intents: number
  counted: number
  erased: number
  decided: number
  withdrawn: number
}

export interface Traffic {
  /** Asks no more, and resolves with what was asked once each intent has its verdict. */
  end(): Promise<Said>
}

/** Agents that keep the stages busy, and an owner who answers what they are asked. */
export async function startTraffic(realm: Realm, openMin: number): Promise<Traffic> {
  const runtime = await realm.open([])
  const { state } = runtime.follower
  const agents = [
    await connect({ as: 'ann', runtime }),
    await connect({ as: 'ben', runtime }),
  ] as const
  const said: Said = { intents: 0, counted: 0, erased: 0, decided: 0, withdrawn: 0 }
  const answers: Promise<unknown>[] = []
  runtime.follower.listen((_fact, { parts }) => {
    if (parts?.kind === 'review' && parts.address !== null) answers.push(answer(parts.address))
  })
  const answer = async (intent: string): Promise<void> => {
    const isWithdrawn = answers.length % 5 === 0
    said[isWithdrawn ? 'withdrawn' : 'decided'] += 1
    const agent = agents.find((_agent, index) => intent.startsWith(index === 0 ? 'ann' : 'ben'))
    if (isWithdrawn) return agent?.withdraw(intent)
    const olga = { confirmer: 'olga', privateKey: keys.olga, answers: answers.length % 3 !== 0 }
    await agents[0].decide({ intent, ...olga })
  }
  const ask = async (): Promise<void> => {
    said.intents += 1
    const tool = tools[said.intents % tools.length] ?? 'look'
    if (tool === 'count') said.counted += 1
    if (tool === 'erase') said.erased += 1
    const intent = { tool, args: {}, justification: 'the customer asked for it' }
    const agent = agents[said.intents % 3 === 0 ? 0 : 1]
    await agent.publish({ type: 'query', content: tool, payload: { intent } })
  }
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) {
      const missing = Math.max(0, openMin - state.intents.size)
      await Promise.all(Array.from({ length: missing }, ask))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return {
    async end() {
      over.abort()
      await asking
      await until(() => state.intents.size === 0)
      await Promise.all(answers)
      return said
    },
  }
}
