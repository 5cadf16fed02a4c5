// Derives again what a verifier bound: that it began, and what its findings come to. The findings
// themselves are read back from the fact that recorded them.
import type { OpenContract } from '#work/contracts/contracts'
import { jsonOf } from '#record/canonical'
import { readEvent, writeEvent, type Draft, type Stamp } from '#record/event'
import { partsInRealm } from '#record/names'
import type { State } from '#state/state'
import { nothingLooked, startDraft, verificationDraft } from '#state/slices/work/drafts'
import type { Fact, LogReader } from '#ports/log'
import { claimed } from './claimed-work.ts'

interface Recorded {
  readonly fact: Fact
  readonly stamp: Stamp
}

/** The bytes; null where it does not follow. */
export async function derivedWork(
  log: LogReader,
  state: State,
  recorded: Recorded,
): Promise<{ readonly bytes: Uint8Array; readonly readBack: boolean } | null> {
  const { fact, stamp } = recorded
  const derived = await draftOf(log, state, recorded)
  if (derived === null || derived.draft.name !== fact.name) return null
  const { kind, name, data } = derived.draft
  return { bytes: writeEvent(kind, name, jsonOf(data), stamp), readBack: derived.readBack }
}

interface Derived {
  readonly draft: Draft
  readonly readBack: boolean
}

async function draftOf(
  log: LogReader,
  state: State,
  { fact, stamp }: Recorded,
): Promise<Derived | null> {
  const parts = partsInRealm(fact.name, state.place.realm)
  const address = parts?.tokens.slice(0, 3).join('.') ?? ''
  const contract = state.contracts.get(address)
  const now = Date.parse(stamp.time)
  if (contract === undefined) return null
  switch (parts?.kind) {
    case 'verificationstart': {
      const draft = startDraft(state, address, now)
      return draft && { draft, readBack: false }
    }
    case 'verification':
      return foundAgain(log, state, { fact, contract, now })
    default:
      return null
  }
}

async function foundAgain(
  log: LogReader,
  state: State,
  of: { readonly fact: Fact; readonly contract: OpenContract; readonly now: number },
): Promise<Derived | null> {
  const { fact, contract, now } = of
  const { address } = contract
  const reading = readEvent('verification', fact)
  if (!reading.ok) return null
  const { work, isolation, gates } = reading.event.data
  const { completion, sources } = await claimed(log, state, contract)
  // Only what was claimed as done is looked at: all else follows from the claim alone.
  const isLooked = completion?.status === 'success'
  const found = isLooked ? { work, isolation, gates } : nothingLooked
  const draft = verificationDraft(state, address, { looked: { completion, sources, found }, now })
  return draft && { draft, readBack: isLooked }
}
