// A condition in CEL over what an entry of the log shows, for questions that no other filter asks.
import { entryQuery, type EntryQuery, type QueriedEntry } from '#conditions/entry-query'
import { jsonOf, type JsonMap } from '#record/canonical'
import { Fault } from '#record/fault'
import { readData } from '#record/event'
import { parseJson } from '#record/json'
import { partsInRealm } from '#record/names'
import { isMap } from '#messages/envelope'
import type { Fact } from '#ports/log'
import type { AskedFor, IntentsAsked } from './asked-for.ts'

export interface Where {
  /** Whether the entry is meant; one for which that cannot be known is not. */
  isMeant(fact: Fact, realm: string, asked: IntentsAsked): Promise<boolean>
  /** For how many entries it could not be worked out, and the first of them. */
  readonly failed: { count: number; first: number | null }
}

export function whereIn(source: string): Where {
  const found: EntryQuery | { readonly message: string; readonly offset: number } =
    entryQuery(source)
  if ('message' in found) {
    const { message, offset } = found
    throw new Fault('usage', `--where: ${message} (at character ${offset + 1})`)
  }
  const failed: Where['failed'] = { count: 0, first: null }
  return {
    failed,
    async isMeant(fact, realm, asked) {
      const of = await asked.of(fact)
      const reads = (name: keyof QueriedEntry): boolean => found.reads.has(name)
      // Each may read a fact more, so only where it is asked for.
      const request = reads('args') || reads('reason') ? await asked.requestOf(fact) : null
      const approvedBy = reads('approvedBy') ? await asked.approvedBy(fact) : []
      const { args = {}, reason = '' } = request ?? {}
      const holds = found.holds({ ...entryOf(fact, realm, of), args, reason, approvedBy })
      if (holds === null) {
        failed.count += 1
        failed.first ??= fact.position
      }
      return holds === true
    },
  }
}

function entryOf(
  fact: Fact,
  realm: string,
  asked: AskedFor | null,
): Omit<QueriedEntry, 'args' | 'reason' | 'approvedBy'> {
  const { position, appendedAt: time, name } = fact
  const kind = partsInRealm(name, realm)?.kind ?? ''
  const verdict = kind === 'verdict' ? readData('verdict', fact) : null
  const came = kind === 'outcome' || kind === 'ownoutcome' ? readData(kind, fact) : null
  return {
    position,
    time,
    name,
    kind,
    agent: asked?.agent ?? '',
    tool: asked?.tool ?? '',
    outcome: verdict?.outcome ?? came?.outcome ?? '',
    reasons: verdict?.reasons.map(({ code }) => code) ?? [],
    data: dataIn(fact),
  }
}

/** Of an event what it says, of a message all of it. */
function dataIn({ bytes }: Fact): JsonMap {
  try {
    const value = jsonOf(parseJson(Buffer.from(bytes).toString('utf8')))
    if (!isMap(value)) return {}
    const { data } = value
    return isMap(data) && 'specversion' in value ? data : value
  } catch {
    return {}
  }
}
