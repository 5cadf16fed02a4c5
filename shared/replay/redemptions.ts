// Whether what was done was allowed: each start is held against the verdict that it redeems, and
// each outcome against its start. Nothing of it is derived; it is what agents and gateways say.
import { startRefusal } from '#messages/executions/start-refusal'
import { principalNamed } from '#rules/catalog/catalog'
import { strayDoor } from '#rules/catalog/doors/speaking'
import { readEvent, type Draft, type Event } from '#record/event'
import { agentIn, nameOf, partsInRealm, type NameParts } from '#record/names'
import { countsIn } from '#state/eras'
import type { State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import type { VerdictData } from '#schemas/facts'
import type { IntentRef } from '#schemas/values'
import type { ReplayFinding } from './findings.ts'

/** What was found; `unchecked` where an era that is not here would report. */
export type Redeemed =
  | { readonly is: 'sound' }
  | { readonly is: 'unchecked' }
  | { readonly is: 'void'; readonly why: string }
  | { readonly is: 'finding'; readonly kind: ReplayFinding['kind'] }

interface Warrant {
  readonly verdict: string
  readonly position: number
  readonly appendedAt: number
  /** Null where it permits nothing: a denial, or a call that was only observed. */
  readonly useBy: number | null
  readonly observed: boolean
  readonly agent: string
  readonly capability: string
  readonly chain?: readonly string[] | undefined
  readonly grants?: VerdictData['grants'] | undefined
}

/** Only memories: what they do not hold is read from the log. */
export interface Redemptions {
  readonly warrants: Map<string, Warrant>
  readonly started: Map<string, number>
  /** Starts too late or of what was revoked, until their outcome says that nothing was done. */
  readonly stopped: Map<string, ReplayFinding>
  /** How many these were at most. */
  stoppedMost: number
  /** What an outcome refused that is not among them: where others look at what is before. */
  readonly refused: Set<string> | null
}

export interface Checking {
  readonly redemptions: Redemptions
  readonly log: LogReader
  readonly state: State
  /** The first era that is here. */
  readonly era: number
}

/** So many are remembered of each. */
export const redeemedKeptMax = 512

const isAnothers: Redeemed = { is: 'void', why: 'its intent is another' }

export function noRedemptions(refused: Set<string> | null = null): Redemptions {
  return { warrants: new Map(), started: new Map(), stopped: new Map(), stoppedMost: 0, refused }
}

/** To be called for each verdict that was derived as recorded. */
export function warranted(
  { warrants }: Redemptions,
  address: string,
  { fact, draft }: { readonly fact: Fact; readonly draft: Draft },
): void {
  if (draft.kind !== 'verdict') return
  const warrant = warrantOf(fact, draft.data)
  // What permits nothing and runs nothing is rarely asked for.
  if (warrant.useBy !== null || warrant.observed) keep(warrants, address, warrant)
}

function warrantOf({ name, position, appendedAt }: Fact, data: VerdictData): Warrant {
  const { terms, observed, grants } = data
  const useBy = data.outcome === 'allow' && terms !== null ? Date.parse(terms.useBy) : null
  const capability = terms?.capability ?? ''
  const { agent } = data.intent
  const by = { agent, capability, chain: terms?.chain, grants }
  return { verdict: name, position, appendedAt, useBy, observed, ...by }
}

function keep<T>(kept: Map<string, T>, key: string, value: T): void {
  // What is released is read from the log; finding the oldest costs more each time.
  if (kept.size >= redeemedKeptMax) kept.clear()
  kept.set(key, value)
}

/** To be called for each fact that counts, right after it was folded; null for what is neither. */
export function redeemed(
  checking: Checking,
  fact: Fact,
  { kind, address }: Pick<NameParts, 'kind' | 'address'>,
): Redeemed | null | Promise<Redeemed> {
  if (address === null) return null
  switch (kind) {
    case 'start':
    case 'ownstart':
      return start(checking, fact, { kind, address })
    case 'outcome':
      return outcome(checking, fact, { kind, begun: 'start', address })
    case 'ownoutcome':
      return outcome(checking, fact, { kind, begun: 'ownstart', address })
    default:
      return null
  }
}

type Undone = Extract<Redeemed, { readonly is: 'finding' }>

type StartKind = 'start' | 'ownstart'

interface Ending {
  readonly kind: 'outcome' | 'ownoutcome'
  /** Who reports the end reports the start. */
  readonly begun: StartKind
  readonly address: string
}

function start(
  checking: Checking,
  fact: Fact,
  { kind, address }: { readonly kind: StartKind; readonly address: string },
): Redeemed | Promise<Redeemed> {
  const reading = readEvent(kind, fact)
  if (!reading.ok) return { is: 'void', why: reading.why }
  const { verdict, intent } = reading.event.data
  if (intent.address !== address) return isAnothers
  const stray = strayIn(checking, reading.event)
  if (stray !== null) return stray
  keep(checking.redemptions.started, `${kind} ${address}`, fact.position)
  const { warrants } = checking.redemptions
  const warrant = warrants.get(address)
  warrants.delete(address)
  const held = (of: Warrant | null | undefined): Redeemed => {
    const found = startUnder(checking, of, { fact, verdict, kind, address })
    return isUndone(found) ? untilItsOutcome(checking, fact, { kind, address, found }) : found
  }
  return warrant === undefined ? verdictOn(checking, address).then(held) : held(warrant)
}

// Whose name it came under was judged where it was bound; through which door, here.
function strayIn(
  { state }: Checking,
  { data, stamp }: Event<{ readonly intent: IntentRef }>,
): Redeemed | null {
  const agent = principalNamed(state.catalog, agentIn(data.intent.address))
  const why = strayDoor(state.catalog, agent?.id ?? '', stamp.via)
  return why === null ? null : { is: 'void', why }
}

function startUnder(
  { state, era }: Checking,
  warrant: Warrant | null | undefined,
  given: {
    readonly fact: Fact
    readonly verdict: string
    readonly kind: StartKind
    readonly address: string
  },
): Redeemed {
  const { fact, verdict, kind, address } = given
  if (warrant === null || warrant === undefined) {
    const claimed = partsInRealm(verdict, state.place.realm)
    const isGone = claimed !== null && claimed.place.era < era
    return isGone ? { is: 'unchecked' } : { is: 'finding', kind: 'startWithoutAllow' }
  }
  const { position, useBy } = warrant
  if (useBy === null || position > fact.position) {
    return { is: 'finding', kind: 'startWithoutAllow' }
  }
  if (verdict !== warrant.verdict) return { is: 'finding', kind: 'startOfAnother' }
  const { appendedAt: decidedAt } = warrant
  const of = { ...warrant, useBy, address, position, decidedAt, startedAt: fact.appendedAt }
  const refusal = startRefusal(state, of)
  switch (refusal) {
    case 'warrant_expired':
      return { is: 'finding', kind: 'startAfterUseBy' }
    case 'warrant_revoked':
      return { is: 'finding', kind: 'startAfterRevocation' }
    case 'agent_suspended':
    case 'capability_suspended':
      // A guard that reads only its own cannot know it.
      return kind === 'start' ? { is: 'finding', kind: 'startWhileSuspended' } : { is: 'sound' }
    case null:
      return { is: 'sound' }
  }
}

const undone: ReadonlySet<ReplayFinding['kind']> = new Set<ReplayFinding['kind']>([
  'startAfterUseBy',
  'startAfterRevocation',
  'startWhileSuspended',
])

// What only the log knows makes it do nothing, and say that.
function isUndone(found: Redeemed): found is Undone {
  if (found.is !== 'finding') return false
  return undone.has(found.kind)
}

function untilItsOutcome(
  { redemptions }: Checking,
  { name, position }: Fact,
  of: { readonly kind: StartKind; readonly address: string; readonly found: Undone },
): Redeemed {
  const { kind, address, found } = of
  const { stopped } = redemptions
  if (stopped.size >= redeemedKeptMax) return found
  stopped.set(`${kind} ${address}`, { kind: found.kind, name, position })
  redemptions.stoppedMost = Math.max(redemptions.stoppedMost, stopped.size)
  return { is: 'sound' }
}

function outcome(checking: Checking, fact: Fact, ending: Ending): Redeemed | Promise<Redeemed> {
  const { kind, begun, address } = ending
  const reading = readEvent(kind, fact)
  if (!reading.ok) return { is: 'void', why: reading.why }
  const { data } = reading.event
  if (data.intent.address !== address) return isAnothers
  const stray = strayIn(checking, reading.event)
  if (stray !== null) return stray
  if (data.outcome === 'refused') refuse(checking.redemptions, `${begun} ${address}`)
  return checking.redemptions.started.delete(`${begun} ${address}`)
    ? { is: 'sound' }
    : outcomeAlone(checking, fact, ending)
}

function refuse({ stopped, refused }: Redemptions, key: string): void {
  if (!stopped.delete(key)) refused?.add(key)
}

async function outcomeAlone(
  checking: Checking,
  fact: Fact,
  { begun, address }: Ending,
): Promise<Redeemed> {
  const { redemptions, era } = checking
  const found = await inItsEra(checking, begun, address)
  const wasBegun = found !== null && readEvent(begun, found).ok
  if (wasBegun && found.position < fact.position) return { is: 'sound' }
  // A call that was only observed runs whatever the verdict says, and redeems nothing.
  const warrant = redemptions.warrants.get(address) ?? (await verdictOn(checking, address))
  if (warrant?.observed === true) return { is: 'sound' }
  const isGone = warrant === null && era > 1
  return isGone ? { is: 'unchecked' } : { is: 'finding', kind: 'outcomeWithoutStart' }
}

async function verdictOn(checking: Checking, address: string): Promise<Warrant | null> {
  const fact = await inItsEra(checking, 'verdict', address)
  const reading = fact === null ? null : readEvent('verdict', fact)
  if (fact === null || reading?.ok !== true) return null
  return warrantOf(fact, reading.event.data)
}

/** The fact of that kind about the intent in the first era that has it. */
async function inItsEra(
  { log, state, era: first }: Checking,
  kind: StartKind | 'verdict',
  address: string,
): Promise<Fact | null> {
  const { realm } = state.place
  for (let era = first; era <= state.place.era; era += 1) {
    const fact = await log.get(nameOf({ realm, era }, kind, address))
    if (fact !== undefined && countsIn(state.eras, fact)) return fact
  }
  return null
}
