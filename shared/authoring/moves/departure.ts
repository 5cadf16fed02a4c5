// What an agent brings along from the log of its old cell, and whether a change set that moved it
// said the same. It reads, and binds nothing.
import type { Arrival } from '#schemas/catalog'
import { readEvent } from '#record/event'
import { cellIn, nameOf, token } from '#record/names'
import { arrivalFault, carriedBlock, countedFor, openOf, type ArrivalFault } from '#state/arrivals'
import { copyOfBudgets } from '#state/slices/budgets/budgets'
import { agentStateOf, blockOn } from '#state/agents'
import type { Block } from '#state/agent-state'
import type { OpenIntent } from '#state/intent'
import type { State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import { blockWhereSpoken } from '#runtime/engine/gathering/block-where-spoken'
import type { Runtime } from '#runtime/engine/runtime'

type Reading = Pick<LogReader, 'read'>

/** The arrivals in a change set that are from the cell of that state; none in any other fact. */
function arrivalsFrom({ place }: Pick<State, 'place'>, fact: Fact): readonly Arrival[] {
  const here = cellIn(place.realm)?.index
  if (here === undefined || !fact.name.startsWith(nameOf(place, 'catalog', ''))) return []
  const reading = readEvent('catalog', fact)
  if (!reading.ok) return []
  const { operations } = reading.event.data
  return operations.flatMap((one) => (one.op === 'arrive' && one.from === here ? [one] : []))
}

/**
 * What stops the agent there, as it stops its intents: its own block, that of a group, or that of a
 * session in which it spoke.
 */
async function blockOf(log: Reading, state: State, id: string): Promise<Block | null> {
  const agent = token(id)
  const address = `${agent}.-.-`
  const { agents, groupBlocks, catalog, place, eras, position: basis } = state
  const known = { agents, groupBlocks, catalog, sessionBlocks: new Map<string, Block>() }
  const own = blockOn(known, { address, agent: id }, [])
  if (own !== null) return own
  const { liftedThrough } = agentStateOf(state, address)
  const standing = [...state.sessionBlocks].filter(([, block]) => block.position > liftedThrough)
  return blockWhereSpoken(log, { place, eras, basis }, { agent, in: standing })
}

/** What it brings along, by the log of its old cell as far as that is folded. */
export async function arrivalOf(
  { follower: { state }, log }: Pick<Runtime, 'follower' | 'log'>,
  { id, from }: { readonly id: string; readonly from: number },
): Promise<Arrival> {
  const at = state.appendedAt
  const counted = countedFor(state, id, at)
  const block = carriedBlock(await blockOf(log, state, id))
  return { op: 'arrive', id, from, at: new Date(at).toISOString(), ...counted, block }
}

/** An arrival that is not as the log of the old cell has it. */
export interface FalseArrival {
  readonly id: string
  readonly why: ArrivalFault
  /** What the change set says, and what stops the agent there. */
  readonly said: Arrival['block']
  readonly stops: Arrival['block']
}

/** Those in that fact; `state` is that of the old cell right before it. Null where it has none. */
export function falseArrivals(
  log: Reading,
  state: State,
  fact: Fact,
): Promise<readonly FalseArrival[]> | null {
  const arrivals = arrivalsFrom(state, fact)
  return arrivals.length === 0 ? null : falseOnes(log, state, { fact, arrivals })
}

async function falseOnes(
  log: Reading,
  state: State,
  { fact, arrivals }: { readonly fact: Fact; readonly arrivals: readonly Arrival[] },
): Promise<readonly FalseArrival[]> {
  // The clock of a server that takes over may be a little behind.
  const appendedAt = Math.max(fact.appendedAt, state.appendedAt)
  const found: FalseArrival[] = []
  for (const arrival of arrivals) {
    const block = await blockOf(log, state, arrival.id)
    const why = arrivalFault(state, arrival, { appendedAt, block })
    if (why === null) continue
    found.push({ id: arrival.id, why, said: arrival.block, stops: carriedBlock(block) })
  }
  return found
}

/** Watches the log of the old cell for arrivals: what they say is true up to the change set. */
export function watchedDepartures({ follower, log }: Pick<Runtime, 'follower' | 'log'>) {
  const found = new Map<string, Promise<readonly FalseArrival[]>>()
  const stop = follower.before((fact, state) => {
    const arrivals = arrivalsFrom(state, fact)
    if (arrivals.length === 0) return
    const looking = falseOnes(log, standingOf(state), { fact, arrivals })
    // What fails is reported to the one who asks for it.
    looking.catch(() => undefined)
    found.set(fact.name, looking)
  })
  return {
    stop,
    /** In the change set of that revision, once it is folded. */
    falseIn: (revision: number): Promise<readonly FalseArrival[]> => {
      const name = nameOf(follower.state.place, 'catalog', revision)
      return found.get(name) ?? Promise.resolve([])
    },
  }
}

// The fold moves on while this is looked at: what it changes in place is copied.
function standingOf(state: State): State {
  const { intents, requests, uses, asks, budgets, agents, groupBlocks, sessionBlocks } = state
  return {
    ...state,
    intents: new Map(intents),
    requests: new Map(requests),
    uses: new Map(uses),
    asks: new Map(asks),
    budgets: copyOfBudgets(budgets),
    agents: new Map(agents),
    groupBlocks: new Map(groupBlocks),
    sessionBlocks: new Map(sessionBlocks),
  }
}

/** Where those who leave a cell stand in its log. */
export type Leaving =
  | { readonly is: 'gone' }
  /** The log of the cell does not have it yet that they leave. */
  | { readonly is: 'unread' }
  | { readonly is: 'open'; readonly intents: readonly OpenIntent[] }

export function leavingOf(
  state: Pick<State, 'catalog' | 'intents'>,
  ids: readonly string[],
): Leaving {
  const { principals } = state.catalog
  if (ids.some((id) => principals.get(id)?.moving !== true)) return { is: 'unread' }
  const intents = ids.flatMap((id) => openOf(state, id))
  return intents.length === 0 ? { is: 'gone' } : { is: 'open', intents }
}
