// Reads from the log, up to a basis, the delegations that an intent cites and what their senders
// said beside them. A worker and a replay read by this same function.
import { agentIn, sessionIn } from '#record/names'
import type { SessionMessage } from '#messages/session'
import type { ChainRead } from '#stages/chain/chain-read'
import { nextCited, sendersOf } from '#stages/chain/citing'
import type { View } from '#stages/view'
import { blockedElsewhere } from '#state/agents'
import type { FoldCaches } from '#state/caches/fold-caches'
import { countsIn } from '#state/eras'
import type { LogReader } from '#ports/log'
import { blockWhereSpoken } from './block-where-spoken.ts'
import type { CheckedMessages } from './checked-messages.ts'
import type { Sessions } from './sessions.ts'

interface ChainReader extends Pick<LogReader, 'get' | 'read'> {
  readonly sessions: Pick<Sessions, 'readFrom'>
  readonly checked: CheckedMessages
  readonly caches: FoldCaches | undefined
}

/** Null where the intent cites none. */
export async function gatherChain(log: ChainReader, view: View): Promise<ChainRead | null> {
  if (view.stops === null) return null
  const cited = await readCited(log, view)
  const senders = sendersOf(cited)
  if (senders.length === 0) return { cited, said: [], overlong: false, blocked: [] }
  const { sessions, caches } = log
  const session = sessionIn(view.intent.address)
  const from = { agent: null, others: new Set(senders) }
  const read = await sessions.readFrom(view, session, from, caches?.messages)
  const { messages: said, overlong } = read
  const blocked: string[] = []
  for (const { name } of cited) {
    const address = name.split('.').slice(3).join('.')
    const agent = agentIn(address)
    const elsewhere = blockedElsewhere(view.stops, address)
    const block = await blockWhereSpoken(log, view, { agent, in: elsewhere })
    if (block !== null) blocked.push(agent)
  }
  return { cited, said, overlong, blocked }
}

async function readCited(log: ChainReader, view: View): Promise<readonly SessionMessage[]> {
  const cited: SessionMessage[] = []
  let next = nextCited(view, cited)
  while (next !== null) {
    const fact = await log.get(next)
    if (fact === undefined || fact.position > view.basis || !countsIn(view.eras, fact)) break
    cited.push(log.checked(fact, view.catalog))
    next = nextCited(view, cited)
  }
  return cited
}
