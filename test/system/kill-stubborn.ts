// Agents and an owner who go on through outages: what was not answered is sent again under its name
// until it is, and every position that the log has promised is kept.
import { Fault } from '#record/fault'
import { addressOf, nameOf } from '#record/names'
import type { Entry } from '#ports/log'
import { connect } from '#client/connect'
import type { Realm } from '../support/kill-realm.ts'
import { keys } from '../support/runtime.ts'
import { until } from '../support/servers/nats-server.ts'

const tools = ['look', 'count', 'erase', 'look'] as const
const lanesMax = 4
const pauseMs = 10
const againMs = 50
/** Of an agent with a thousand open a log takes no more, and workers may be long in coming back. */
const openMax = 400

export interface Stubborn {
  /** By name, the position that an append was answered with. */
  readonly promised: ReadonlyMap<string, number>
  /** Resolves at once when an append is sent and not answered yet, else as soon as one is. */
  underWay(): Promise<void>
  /** Resolves when as many more intents have been asked and have their verdict. */
  goOn(more: number): Promise<void>
  /** Asks no more, and resolves when every intent has its verdict. */
  end(): Promise<void>
}

export async function stubborn(realm: Realm): Promise<Stubborn> {
  const runtime = await realm.open([])
  const { log, place, follower } = runtime
  const over = new AbortController()
  const promised = new Map<string, number>()
  let underWay = 0
  let sent = (): void => undefined
  let verdicts = 0
  const people = await connect({ as: 'olga', runtime })
  const answers: Promise<void>[] = []
  const answer = async (intent: string): Promise<void> => {
    const olga = { confirmer: 'olga', privateKey: keys.olga, answers: true }
    await untilDone(async () => void (await people.decide({ intent, ...olga })))
  }
  follower.listen((_fact, { parts }) => {
    if (parts?.kind === 'verdict') verdicts += 1
    if (parts?.kind === 'review' && parts.address !== null) answers.push(answer(parts.address))
  })
  const append = async (entry: Entry): Promise<void> => {
    await untilDone(async () => {
      const appended = log.append(entry)
      underWay += 1
      sent()
      try {
        promised.set(entry.name, (await appended).fact.position)
      } finally {
        underWay -= 1
      }
    })
  }
  let asked = 0
  const lane = async (agent: string): Promise<void> => {
    while (!over.signal.aborted) {
      const number = (asked += 1)
      const name = nameOf(place, 'vlp', addressOf(agent, null, `u${number}`))
      await append({ name, bytes: messageOf(agent, number, intentOf(number)) })
      await until(() => asked - verdicts < openMax || over.signal.aborted)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  const agents = Array.from({ length: lanesMax }, (_none, index) => (index % 2 ? 'ann' : 'ben'))
  const lanes = Promise.all(agents.map(lane))
  return {
    promised,
    underWay: () => (underWay > 0 ? Promise.resolve() : new Promise((resolve) => (sent = resolve))),
    goOn(more) {
      const [askedBefore, decidedBefore] = [asked, verdicts]
      return until(() => asked >= askedBefore + more && verdicts >= decidedBefore + more)
    },
    async end() {
      over.abort()
      await lanes
      await until(() => verdicts === asked)
      await Promise.all(answers)
    },
  }
}

/** Tries again as long as the log is out of reach; what was bound already stays bound. */
async function untilDone(run: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await run()
      return
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.code === 'decided' || error.code === 'no_review') return
      if (error.retry === 'never') throw error
      await new Promise((resolve) => setTimeout(resolve, againMs))
    }
  }
}

function intentOf(number: number): object {
  const tool = tools[number % tools.length]
  return { tool, args: {}, justification: 'the customer asked for it' }
}

/** A message of that agent that opens the intent. */
export function messageOf(sender: string, number: number, intent: object): Uint8Array {
  const message = {
    id: `MSG-u${number}`,
    protocol: 'VLP/1.1',
    type: 'query',
    timestamp: '2026-01-01T00:00:00Z',
    sender,
    content: 'may I',
    confidence: 0.5,
    payload: { intent },
  }
  return Buffer.from(JSON.stringify(message))
}
