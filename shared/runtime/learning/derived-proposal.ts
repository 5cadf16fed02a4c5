// Derives a recorded proposal again: what it asks follows from the log, and what a model made of it
// is read back.
import { ProposalData } from '#schemas/learning'
import { jsonOf } from '#core/canonical'
import { readEvent, writeEvent, type Stamp } from '#core/event'
import { nextProposal, proposalDraft } from '#core/learning/proposal'
import type { World } from '#core/world/world'
import type { Fact, Log } from '#ports/log'
import { sourceNamed } from './missed.ts'

/** The bytes, and whether a model's words in them were read back; null where it does not follow. */
export async function derivedProposal(
  log: Pick<Log, 'get'>,
  world: World,
  { fact, stamp }: { readonly fact: Fact; readonly stamp: Stamp },
): Promise<{ readonly bytes: Uint8Array; readonly readBack: boolean } | null> {
  const reading = readEvent('proposal', ProposalData, fact)
  if (!reading.ok) return null
  const { from, filled } = reading.event.data
  const known = {
    get: async (name: string) => {
      const found = await log.get(name)
      return found !== undefined && found.position <= world.position ? found : undefined
    },
  }
  const source = await sourceNamed(known, world.place, from)
  const next = source === null ? null : nextProposal(world, source)
  if (source === null || next === null) return null
  const { name, data } = proposalDraft(world, source, next, filled)
  if (name !== fact.name) return null
  return { bytes: writeEvent('proposal', name, jsonOf(data), stamp), readBack: filled !== null }
}
