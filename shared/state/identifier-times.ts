// What the identifiers of intents say of time. One that is a ULID says when it was made, and is
// held against the log's time of its own message. So an era whose latest identifier is earlier
// cannot have an address, and no one has to look there; what says a time ahead is kept apart.
import type { IdentifierCause } from '#schemas/vlp'
import { agentIn } from '#record/names'
import { ulidTime } from '#record/ulid-time'
import { hasRules } from '#rules/catalog/rules-version'
import type { State } from './state.ts'

/** Clocks differ: so far ahead of the log an identifier is taken as it is. */
const aheadMsMax = 60_000
/** What is further ahead than a day counts for nothing; what is a day behind is refused. */
const dayMs = 86_400_000
/** So many addresses of one agent that are ahead are kept; what comes beyond counts for nothing. */
const keptMax = 256

/** What an era that begins now knows of its identifiers: that it has none, or nothing. */
export function beginIdentifiers(state: State): void {
  state.latestId = hasRules(state.catalog, 'boundedIdentifiers') ? 0 : null
}

/** Takes note of the identifier of a message, whatever that comes to. */
export function noteIdentifier(state: State, time: number | null): void {
  const { appendedAt, latestId } = state
  if (latestId === null) return
  if (!hasRules(state.catalog, 'boundedIdentifiers')) {
    state.latestId = null
    return
  }
  if (time !== null && !isAheadOfLog(time, appendedAt)) state.latestId = Math.max(latestId, time)
}

/** Whether the identifier of a message states a time that its log had not reached. */
export function isAheadOfLog(time: number, appendedAt: number): boolean {
  return time > appendedAt + aheadMsMax
}

/** A message by its address, and the time that its identifier states. */
export interface TimedAddress {
  readonly address: string
  readonly time: number | null
}

/** Why a message that would open an intent counts for nothing, or else why it is denied. */
export interface TakenIdentifier {
  readonly void: string | null
  readonly untimely?: IdentifierCause
}

/** Takes that of a message which opens an intent, where the fold stands at that message. */
export function takeIdentifier(state: State, { address, time }: TimedAddress): TakenIdentifier {
  const { appendedAt, catalog } = state
  if (time === null || !hasRules(catalog, 'boundedIdentifiers')) return taken
  if (time > appendedAt + dayMs) return { void: 'its identifier is more than a day ahead' }
  if (isAheadOfLog(time, appendedAt)) return keepAhead(state, address)
  return time < appendedAt - dayMs ? { void: null, untimely: 'stale_identifier' } : taken
}

const taken: TakenIdentifier = { void: null }

function keepAhead(state: State, address: string): TakenIdentifier {
  const agent = agentIn(address)
  const kept = keptNow(state, state.aheadIds.get(agent) ?? [])
  if (kept.length >= keptMax) {
    return { void: `${keptMax} identifiers of its agent are ahead of the log` }
  }
  state.aheadIds.set(agent, [...kept, address])
  return { void: null, untimely: 'clock_ahead' }
}

/** What is so far behind by now that it is refused for that is kept no longer. */
export function forgetIdentifiers(state: State): void {
  for (const [agent, addresses] of state.aheadIds) {
    const kept = keptNow(state, addresses)
    if (kept.length === 0) state.aheadIds.delete(agent)
    else state.aheadIds.set(agent, kept)
  }
}

function keptNow({ appendedAt }: State, addresses: readonly string[]): readonly string[] {
  return addresses.filter((address) => (timeIn(address) ?? 0) >= appendedAt - dayMs)
}

/** The eras before the current one that may have the address; undefined where all of them may. */
export function erasThatMayHave(
  { eras, place, aheadIds, appendedAt }: State,
  { address, time }: TimedAddress,
): readonly number[] | undefined {
  const before = place.era - 1
  if (before === 0 || time === null) return undefined
  // One that is so old may have been ahead once, which is kept no longer.
  if (time < appendedAt - dayMs) return undefined
  if (aheadIds.get(agentIn(address))?.includes(address) === true) return undefined
  const found: number[] = []
  for (let at = 0; at < before; at += 1) {
    const latest = eras[at]?.latest
    if (latest === undefined || time <= latest) found.push(at + 1)
  }
  return found.length === before ? undefined : found
}

/** What the identifier in that address states, in milliseconds since 1970; null for no ULID. */
export function timeIn(address: string): number | null {
  return ulidTime(address.slice(address.lastIndexOf('.') + 1))
}
