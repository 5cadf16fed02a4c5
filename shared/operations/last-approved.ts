// The last call of a capability by an agent that people agreed to: what differs from it is what a
// person has to look at.
import { readData } from '#record/event'
import { patternsOf, token } from '#record/names'
import { countsAt } from '#state/eras'
import type { Fact } from '#ports/log'
import type { VerdictData } from '#schemas/facts'
import { inSteps } from './finding/by-time.ts'
import type { AgreedCall, RealmLog } from './realm.ts'

/** So far back it is looked for. */
const positionsMax = 200_000

/** Up to that position; null where there is none. */
export async function lastApprovedIn(
  { log, state }: Pick<RealmLog, 'log' | 'state'>,
  { agent, capability, to }: CallMeant & { readonly to: number },
): Promise<AgreedCall | null> {
  const names = patternsOf(state.place, 'verdict', token(agent), '*', '*')
  const wanted = callKeyOf({ agent, capability })
  for await (const { from, facts } of inSteps(log, { from: 1, to, newestFirst: true, names })) {
    for (const fact of facts) {
      const found = countsAt(state, fact) ? agreedCallIn(fact) : null
      if (found?.key === wanted) return found.call
    }
    if (to - from >= positionsMax) return null
  }
  return null
}

interface CallMeant {
  readonly agent: string
  readonly capability: string
}

/** What a fact says that people agreed to; null where it says none. */
export function agreedCallIn(
  fact: Fact,
): { readonly key: string; readonly call: AgreedCall } | null {
  const data = readData('verdict', fact)
  if (data === null || !isApproved(data)) return null
  const { intent, terms, release, review } = data
  if (terms === null || release === null || review === null) return null
  const { confirmedBy } = release
  const { position, appendedAt: decidedAt } = fact
  const call = { intent: intent.address, position, decidedAt, confirmedBy, review }
  return { key: callKeyOf({ agent: intent.agent, capability: terms.capability }), call }
}

function isApproved({ outcome, observed, release }: VerdictData): boolean {
  return outcome === 'allow' && !observed && (release?.confirmedBy.length ?? 0) > 0
}

export function callKeyOf({ agent, capability }: CallMeant): string {
  return JSON.stringify([token(agent), capability])
}
