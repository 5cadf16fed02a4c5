// Counts what observed calls would have come to, had they been enforced: allowed, asked about or
// denied, by tool and by reason, as the facts about them are folded.
import { readData } from '#record/event'
import type { Folded } from '#state/folded'
import type { Fact } from '#ports/log'
import type { VerdictData } from '#schemas/facts'
import type { ObservedRow } from '#schemas/operations/counts'
import { askedIn, type AskedFor } from '../finding/asked-for.ts'
import type { MeantOptions } from '../finding/filter.ts'
import { isOfAgents, isInTime } from '../finding/meant-of.ts'

type ObservedOutcome = ObservedRow['would']

/**
 * What an observed verdict would have been. Where a reason of the call is all that is missing, its
 * owner would be asked for one; whether there is an owner who may answer, the verdict does not say.
 */
export function wouldCome({
  outcome,
  reasons,
}: Pick<VerdictData, 'outcome' | 'reasons'>): ObservedOutcome {
  if (outcome === 'allow') return 'allow'
  const asksPeople = reasons.every(({ code, recover, params }) => {
    return code === 'no_confirmer' ? params.cause === 'not_asked' : recover === 'ask'
  })
  return reasons.length > 0 && asksPeople ? 'ask' : 'deny'
}

const unnamed = '(none)'

/** Takes each fact once it is folded; an intent counts when its message came within the time. */
export function countingObserved(options: MeantOptions) {
  const { tool } = options
  const opened = new Map<string, AskedFor>()
  const rows = new Map<string, ObservedRow>()
  const count = (asked: string | null, of: Pick<VerdictData, 'outcome' | 'reasons'>): void => {
    const called = asked ?? unnamed
    if (tool?.includes(called) === false) return
    const would = wouldCome(of)
    const reason = of.reasons[0]?.code ?? null
    const key = JSON.stringify([called, would, reason])
    const calls = (rows.get(key)?.calls ?? 0) + 1
    rows.set(key, { tool: called, would, reason, calls })
  }
  return {
    take(fact: Fact, { parts, void: why }: Pick<Folded, 'parts' | 'void'>): void {
      const address = parts?.address ?? null
      if (parts === null || address === null || why !== null) return
      if (parts.kind === 'vlp' && isInTime(options, fact.appendedAt)) {
        const asked = askedIn(fact, address)
        if (asked.tool !== null && isOfAgents(options, asked.agent)) opened.set(address, asked)
      }
      const asked = opened.get(address)
      if (parts.kind !== 'verdict' || asked === undefined) return
      opened.delete(address)
      const data = readData('verdict', fact)
      // A search is no call.
      if (data?.observed !== true || data.found !== undefined) return
      if (data.results === undefined) {
        count(asked.tool, data)
        return
      }
      for (const [item, one] of data.results.entries()) {
        // What had to be asked alone is counted there.
        if (one.outcome === 'alone') continue
        const reasons = one.outcome === 'deny' ? one.reasons : []
        count(asked.tools?.[item] ?? null, { outcome: one.outcome, reasons })
      }
    },
    read: () => countsOf([...rows.values()]),
  }
}

/** The most called first. */
function countsOf(rows: readonly ObservedRow[]) {
  const of = (would?: ObservedOutcome): number =>
    rows
      .filter((row) => would === undefined || row.would === would)
      .reduce((sum, { calls }) => sum + calls, 0)
  return {
    calls: of(),
    allow: of('allow'),
    ask: of('ask'),
    deny: of('deny'),
    rows: rows.toSorted((one, other) => other.calls - one.calls),
  }
}
