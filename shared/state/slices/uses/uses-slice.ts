// Counted uses of a capability, and of people's attention for it: two sequences that are alike.
import { z } from 'zod'
import type { RateData } from '#schemas/facts'
import { readEvent } from '#record/event'
import { token, type NameParts } from '#record/names'
import type { FoldCaches } from '../../caches/fold-caches.ts'
import { KeptInstant, kept, readSequence, SequenceLine, writtenSequence } from '../../part-lines.ts'
import type { LoggedFact } from '../../folded.ts'
import { continues, newSequence, numberOf } from '../../sequence.ts'
import type { State } from '../../state.ts'
import type { Slice } from '../slice.ts'
import { countUse, noUses, takeNumber, takeOver, usesIn, type Uses } from './uses.ts'

function evolveUse(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): string | null {
  const [agent = '', capability = '', last] = parts.tokens
  const use = numberOf(last)
  if (use === null) return 'its number cannot be read'
  const isRate = parts.kind === 'rate'
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

const counted = { key: z.string(), series: SequenceLine, times: z.array(KeptInstant) }

function keptUses(kind: 'rate' | 'asked') {
  return kept(kind === 'rate' ? 'uses' : 'asks', 'log', {
    shape: () => counted,
    write: (state) => {
      return [...usesIn(state, kind)].map(([key, { sequence, times }]) => {
        return { key, series: writtenSequence(sequence), times }
      })
    },
    read: (state, lines) => {
      const all = usesIn(state, kind)
      for (const { key, series, times } of lines) {
        all.set(key, { sequence: readSequence(series), times })
      }
    },
  })
}

function begin(all: State['uses']): void {
  for (const [key, uses] of all) {
    if (uses.sequence.used.size === 0) continue
    all.set(key, { ...uses, sequence: { ...newSequence, next: uses.sequence.next } })
  }
}

function usedEarly(kind: 'rate' | 'asked') {
  return (state: State, key: string, number: number): void => {
    const all = usesIn(state, kind)
    all.set(key, takeNumber(all.get(key) ?? noUses, number))
  }
}

export const usesSlice = {
  name: 'uses',
  folds: { rate: evolveUse, asked: evolveUse },
  arrive: (state, { id, uses, asks }) => {
    for (const each of uses) takeOver(state.uses, token(id), each)
    for (const each of asks) takeOver(state.asks, token(id), each)
  },
  kept: [keptUses('rate'), keptUses('asked')],
  begin: ({ uses, asks }) => {
    begin(uses)
    begin(asks)
  },
  numbers: { rate: usedEarly('rate'), asked: usedEarly('asked') },
} as const satisfies Slice
