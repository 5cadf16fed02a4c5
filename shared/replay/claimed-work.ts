// What a claim says, read from the log, without what looks at work: a browser that derives a log
// again reads it, too.
import type { OpenContract } from '#work/contracts/contracts'
import { completionIn } from '#work/contracts/contract-messages'
import { refersTo } from '#work/contracts/work-messages'
import { isMessage, partsInRealm } from '#record/names'
import { messageOfFact } from '#messages/check'
import type { State } from '#state/state'
import type { Looked } from '#state/slices/work/drafts'
import type { LogReader } from '#ports/log'
import type { VlpMessage } from '#schemas/vlp'

/** Of evidence, so many messages are named. */
const sourcesMax = 32

/** What the first pending claim reports, and the evidence that it cites. */
export async function claimed(
  log: LogReader,
  { place }: Pick<State, 'place'>,
  { pending, taskId }: OpenContract,
): Promise<Pick<Looked, 'completion' | 'sources'>> {
  const [claim] = pending
  const message = claim === undefined ? null : await messageNamed(log, claim.name)
  if (claim === undefined || message === null) return { completion: null, sources: [] }
  const sources: string[] = []
  for (const name of refersTo(message).slice(0, sourcesMax)) {
    if (!isMessage(partsInRealm(name, place.realm))) continue
    const fact = await log.get(name)
    if (fact === undefined || fact.position >= claim.position) continue
    if (messageOfFact(fact)?.type === 'evidence') sources.push(name)
  }
  return { completion: completionIn(message, taskId), sources }
}

export async function messageNamed(log: LogReader, name: string): Promise<VlpMessage | null> {
  const fact = await log.get(name)
  return fact === undefined ? null : messageOfFact(fact)
}
