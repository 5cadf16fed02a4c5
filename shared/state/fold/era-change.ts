// How an era is rotated: a policy admin seals it, or a keeper on the terms of the catalog; the
// state of that moment follows in chunks that everyone who folded the log can check, then what its
// catalog came from, for those who have no more than the next era, and one of them signs for all of
// it. Nothing else turns it, and what was half done by one can be ended by another.
import type { SnapshotData } from '#schemas/snapshot'
import { readEvent, type Event } from '#record/event'
import { isBy, isByPolicyAdmin, unsigned } from './changes.ts'
import { addEarly, beginSequence } from '../early.ts'
import { beginIdentifiers } from '../identifier-times.ts'
import { allowsKeepers, beginAge, eraAge, isEraKeeper } from '../eras/due.ts'
import { resetClock } from '../eras/reset.ts'
import { sealAt } from '../eras/seal.ts'
import { continues, take } from '../sequence.ts'
import { chained, chainStart } from '../eras/genesis.ts'
import type { State } from '../state.ts'
import type { LoggedFact } from '../folded.ts'

type Step<S extends SnapshotData['step']> = Extract<SnapshotData, { readonly step: S }>

/** Folds a fact of the next era's snapshot; `before` is when the one before it was appended. */
export function evolveSnapshot(
  state: State,
  fact: LoggedFact,
  { number, before }: { readonly number: number | null; readonly before: number },
): string | null {
  if (number === null) return 'its number is invalid'
  const inTurn = continues(state.snapshotSequence, number)
  state.snapshotSequence = take(state.snapshotSequence, number)
  if (!inTurn) return `number ${number} is out of turn`
  const reading = readEvent('snapshot', fact)
  if (!reading.ok) return reading.why
  const { data, written } = reading.event
  switch (data.step) {
    case 'seal':
      return seal(state, fact, { data, written })
    case 'chunk':
      return chunk(state, data)
    case 'catalogs':
      return catalogs(state, data)
    case 'end':
      return end(state, fact, { data, written, before })
  }
}

function seal(
  state: State,
  fact: LoggedFact,
  { data, written }: { readonly data: Step<'seal'>; readonly written: unknown },
): string | null {
  const { era } = state.place
  if (state.sealed !== null) return `era ${era} is sealed already`
  if (data.seals !== era) return `it seals era ${data.seals} and not ${era}`
  const why = notSealedBy(state, fact, { data, written })
  if (why !== null) return why
  sealAt(state, { by: data.by, position: fact.position, appendedAt: fact.appendedAt })
  return null
}

/** Why no one may seal the era so, or null: a policy admin always may, a keeper once it is due. */
function notSealedBy(
  state: State,
  fact: LoggedFact,
  event: Pick<Event<Step<'seal'>>, 'data' | 'written'>,
): string | null {
  if (isByPolicyAdmin(state, fact.name, event)) return null
  const { by } = event.data
  if (!isByKeeper(state, fact.name, event)) return unsigned(by)
  const { dueBy, heldMs } = eraAge(state, fact) ?? { dueBy: null, heldMs: 0 }
  if (dueBy !== null) return null
  return `\`${by}\` seals it before it is due${heldMs > 0 ? ': an era has to last longer' : ''}`
}

/**
 * Whether a policy admin of that catalog signed what an era opens with, or a keeper on its terms,
 * who sets no clock back.
 */
export function mayEnd(
  of: Pick<State, 'catalog' | 'log'>,
  name: string,
  event: Pick<Event<Step<'end'>>, 'data' | 'written'>,
): boolean {
  if (isByPolicyAdmin(of, name, event)) return true
  return event.data.resetsClock !== true && isByKeeper(of, name, event)
}

function isByKeeper(
  of: Pick<State, 'catalog' | 'log'>,
  name: string,
  event: Pick<Event<Step<'seal' | 'end'>>, 'data' | 'written'>,
): boolean {
  const keeper = of.catalog.principals.get(event.data.by)
  if (keeper === undefined || !allowsKeepers(of.catalog) || !isEraKeeper(keeper)) return false
  return isBy(of, keeper, name, event)
}

function chunk({ sealed }: State, data: Step<'chunk'>): string | null {
  if (sealed === null) return 'no era is sealed'
  const digest = chained(data.after, data.text)
  if (sealed.digests[data.part - 1] !== digest) return 'it is not what the log says'
  return sealed.missing.delete(digest) ? null : 'this chunk is there already'
}

// Anyone who folded the log needs none of it, so what it says is not looked at: only that it is
// whole.
function catalogs({ sealed }: State, data: Step<'catalogs'>): string | null {
  if (sealed === null) return 'no era is sealed'
  const isNext = data.after === chainStart || sealed.catalogs.has(data.after)
  if (!isNext) return 'what it comes after is not there'
  const digest = chained(data.after, data.text)
  if (sealed.catalogs.has(digest)) return 'these change sets are there already'
  sealed.catalogs.add(digest)
  return null
}

function end(
  state: State,
  fact: LoggedFact,
  {
    data,
    written,
    before,
  }: { readonly data: Step<'end'>; readonly written: unknown; readonly before: number },
): string | null {
  const { sealed, place } = state
  if (sealed === null) return 'no era is sealed'
  if (sealed.missing.size > 0 && !state.isPartial)
    return `${sealed.missing.size} chunks are missing`
  const { digests, position } = sealed
  const isDigest = data.parts === digests.length && data.digest === digests.at(-1)
  const isWhole = isDigest || state.isPartial
  if (!isWhole || data.position !== position) return 'it is not what the log says'
  if (data.catalogs !== undefined && !sealed.catalogs.has(data.catalogs.digest))
    return 'its change sets are missing'
  if (!mayEnd(state, fact.name, { data, written })) return unsigned(data.by)
  state.eras = [...state.eras, { from: fact.position, to: null }]
  beginAge(state, fact.appendedAt)
  state.place = { realm: place.realm, era: place.era + 1 }
  state.sealed = null
  beginIdentifiers(state)
  addEarly(state.early, sealed.early)
  beginSequence(state)
  const to = fact.appendedAt
  if (data.resetsClock === true && to < before) resetClock(state, { from: before, to })
  return null
}
