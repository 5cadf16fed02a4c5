// A counted use of a capability, or of people's attention for it: the fold of both sequence.
import type { RateData } from '#schemas/facts'
import { readEvent } from '#record/event'
import type { NameParts } from '#record/names'
import { continues, numberOf } from '../sequence.ts'
import { countUse, noUses, takeNumber, usesIn, type Uses } from '../uses.ts'
import { evolveBudget } from './budget.ts'
import { evolveGrantUse } from '../grants/granting.ts'
import type { FoldCaches } from '../caches/fold-caches.ts'
import type { State } from '../state.ts'
import type { LoggedFact } from '../folded.ts'

export function evolveUse(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): string | null {
  const { kind } = parts
  if (kind === 'budget') return evolveBudget(state, fact, parts, caches)
  if (kind === 'use') return evolveGrantUse(state, fact, parts, caches)
  const [agent = '', capability = '', last] = parts.tokens
  const use = numberOf(last)
  if (use === null) return 'its number cannot be read'
  const isRate = kind === 'rate'
  const all = usesIn(state, isRate ? 'rate' : 'asked')
  const key = `${agent}.${capability}`
  const uses = all.get(key) ?? noUses
  const data = said(fact, isRate ? 'rate' : 'asked', caches)
  const refusal = typeof data === 'string' ? data : refuseRate(state, data, { uses, use, agent })
  if (refusal !== null || typeof data === 'string') {
    all.set(key, takeNumber(uses, use))
    return refusal
  }
  all.set(key, countUse(uses, use, fact.appendedAt, data.uses))
  const intent = state.intents.get(data.intent.address)
  if (intent === undefined) return null
  state.intents.set(intent.address, { ...intent, ...(isRate ? { used: true } : { asked: true }) })
  return null
}

/** What it says, or why it cannot be read. */
function said(fact: LoggedFact, kind: 'rate' | 'asked', caches?: FoldCaches): RateData | string {
  const written = caches?.facts.writtenUse(fact) ?? null
  if (written !== null) return written
  const reading = readEvent(kind, fact)
  return reading.ok ? reading.event.data : reading.why
}

function refuseRate(
  { intents }: Pick<State, 'intents'>,
  data: RateData,
  { uses, use, agent }: { readonly uses: Uses; readonly use: number; readonly agent: string },
): string | null {
  if (!continues(uses.sequence, use)) return `use ${use} is out of turn`
  if (data.use !== use) return `it says use ${data.use}`
  const { address } = data.intent
  const isOwn = address.startsWith(`${agent}.`) || intents.get(address)?.judged === agent
  return isOwn ? null : 'its intent is another agent’s'
}
