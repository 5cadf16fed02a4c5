// Derives again what a learning worker bound about a question: what it asks, who met it and when it
// expired follow from the log. What a model said does not, and is only read.
import { jsonOf } from '#record/canonical'
import { readEvent, writeEvent, type Draft, type Stamp } from '#record/event'
import { expiryDraft } from '#state/slices/learning/expiry'
import { nextDraft } from '#state/slices/learning/proposals'
import { partsInRealm } from '#record/names'
import type { State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import { sourceNamed } from './sources.ts'

/** The bytes; null where it does not follow. */
export async function derivedProposal(
  log: LogReader,
  state: State,
  { fact, stamp }: { readonly fact: Fact; readonly stamp: Stamp },
): Promise<{ readonly bytes: Uint8Array; readonly readBack: boolean } | null> {
  const draft = await draftOf(log, state, { fact, stamp })
  if (draft === null || draft.name !== fact.name) return null
  const { kind, name, data } = draft
  return { bytes: writeEvent(kind, name, jsonOf(data), stamp), readBack: false }
}

async function draftOf(
  log: LogReader,
  state: State,
  { fact, stamp }: { readonly fact: Fact; readonly stamp: Stamp },
): Promise<Draft | null> {
  const parts = partsInRealm(fact.name, state.place.realm)
  switch (parts?.kind) {
    case 'expiry':
      return expiryDraft(state, parts.tokens[0] ?? '', Date.parse(stamp.time))
    case 'proposal': {
      const reading = readEvent('proposal', fact)
      return reading.ok ? drawnUp(log, state, reading.event.data.from.name) : null
    }
    case 'meeting': {
      const reading = readEvent('meeting', fact)
      return reading.ok ? drawnUp(log, state, reading.event.data.from.name) : null
    }
    default:
      return null
  }
}

async function drawnUp(log: LogReader, state: State, from: string): Promise<Draft | null> {
  const known = {
    get: async (name: string) => {
      const found = await log.get(name)
      return found !== undefined && found.position <= state.position ? found : undefined
    },
  }
  const source = await sourceNamed(known, state.place, from)
  return source === null ? null : nextDraft(state, source)
}
