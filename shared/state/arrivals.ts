// What moves with an agent from cell to cell: when its uses were counted, and what stops it. The
// new cell takes it over as the change set says; only the log of the old one can say whether that
// is true. Names stay where they are: each cell counts its own. What a slice takes over, its own
// file states.
import type { CountedBudget } from '#schemas/budgets/budget'
import type { Arrival, CatalogOperation, CountedUses } from '#schemas/catalog'
import { amountText } from '#rules/budgets/decimal'
import { limitOf, type Catalog } from '#rules/catalog/catalog'
import { cellOf } from '#rules/catalog/cells'
import { carriedStanding } from '#work/contracts/standings'
import { canonical, jsonOf } from '#record/canonical'
import { cellIn, token } from '#record/names'
import type { Block } from './agent-state.ts'
import type { OpenIntent } from './intent.ts'
import type { State } from './state.ts'
import { usesOf, type KeyUses } from './slices/budgets/budgets.ts'
import { allSlices } from './slices/list.ts'
import type { Uses } from './slices/uses/uses.ts'

/** The longest window that a limit may have. */
const windowMsMax = 30 * 24 * 60 * 60 * 1000

/** To be called for the operations of a change set that the state has applied. */
export function takeArrivals(
  state: State,
  operations: readonly CatalogOperation[],
  position: number,
): void {
  const here = cellIn(state.place.realm)?.index
  if (here === undefined) return
  for (const operation of operations) {
    if (operation.op !== 'arrive') continue
    const isLeaving = operation.from === here
    if (!isLeaving && cellOf(state.catalog, operation.id) !== here) continue
    for (const { arrive, leave } of allSlices) {
      if (isLeaving) leave?.(state, operation)
      else arrive?.(state, operation, position)
    }
  }
}

type Counted = 'catalog' | 'uses' | 'asks' | 'budgets' | 'standings'

/** What the log of its cell has counted for the agent, as far as a window may still count it. */
export function countedFor(
  state: Pick<State, Counted>,
  id: string,
  at: number,
): Pick<Arrival, 'uses' | 'asks' | 'budgets' | 'standing'> {
  const standing = carriedStanding(state.standings, id)
  const since = (capability: string): number => at - windowMsOf(state.catalog, id, capability)
  return {
    uses: countedIn(state.uses, token(id), since),
    asks: countedIn(state.asks, token(id), since),
    ...budgetsOf(state, token(id), at),
    ...(standing !== null && { standing }),
  }
}

// Each cell has the whole of a budget that is `perCell`, so what was used of it stays.
function budgetsOf(
  { catalog, budgets }: Pick<State, 'catalog' | 'budgets'>,
  agent: string,
  at: number,
): Pick<Arrival, 'budgets'> {
  const counted = catalog.budgets.flatMap(({ name, windowMs, perCell }): CountedBudget[] => {
    const budget = token(name)
    const keys = budgets.get(budget)?.keys ?? new Map<string, KeyUses>()
    if (perCell === true) return []
    return [...keys].flatMap(([key, kept]) => {
      const uses = usesOf(kept)
        .filter((use) => use.agent === agent && use.at + windowMs > at)
        .map((use) => ({ at: use.at, amount: amountText(use.amount) }))
      return uses.length === 0 ? [] : [{ budget, key, uses }]
    })
  })
  const inOrder = counted.toSorted((one, other) => {
    return `${one.budget} ${one.key}` < `${other.budget} ${other.key}` ? -1 : 1
  })
  return inOrder.length === 0 ? {} : { budgets: inOrder }
}

function countedIn(
  all: ReadonlyMap<string, Uses>,
  agent: string,
  since: (capability: string) => number,
): CountedUses[] {
  const counted: CountedUses[] = []
  for (const [key, { times }] of all) {
    if (!key.startsWith(`${agent}.`)) continue
    const capability = key.slice(agent.length + 1)
    const from = since(capability)
    const standing = times.filter((time) => time > from)
    if (standing.length > 0) counted.push({ capability, times: standing })
  }
  return counted.toSorted((one, other) => (one.capability < other.capability ? -1 : 1))
}

// What no limit counts now, one that the catalog gets later may.
function windowMsOf(catalog: Catalog, id: string, capability: string): number {
  for (const known of catalog.capabilities.values()) {
    if (token(known.id) !== capability) continue
    return limitOf(catalog, known, catalog.principals.get(id))?.windowMs ?? windowMsMax
  }
  return windowMsMax
}

/** What of the agent has to end before it moves; what it asked while it moves is denied anyway. */
export function openOf({ intents }: Pick<State, 'intents'>, id: string): readonly OpenIntent[] {
  const prefix = `${token(id)}.`
  return [...intents.values()].filter(({ address, moving }) => {
    return address.startsWith(prefix) && moving !== true
  })
}

/** What is wrong with an arrival: something was open, or this of it is not what the log says. */
export type ArrivalFault = 'still_open' | 'at' | 'uses' | 'asks' | 'budgets' | 'block' | 'standing'

/**
 * Holds an arrival against the old cell, right before the change set in its log. `appendedAt`: when
 * that has it; `block`: what stops the agent there.
 */
export function arrivalFault(
  state: Pick<State, Counted | 'intents' | 'appendedAt'>,
  arrival: Arrival,
  { appendedAt, block }: { readonly appendedAt: number; readonly block: Block | null },
): ArrivalFault | null {
  const { id } = arrival
  if (openOf(state, id).length > 0) return 'still_open'
  const at = Date.parse(arrival.at)
  // At a later time no window would count what this one does.
  if (!(at <= appendedAt)) return 'at'
  const { uses, asks, standing = null } = countedFor(state, id, at)
  if (!isSame(arrival.uses, uses)) return 'uses'
  if (!isSame(arrival.asks, asks)) return 'asks'
  // The fold has dropped what passed since it was counted.
  const now = Math.max(at, state.appendedAt)
  const { budgets = [] } = budgetsOf(state, token(id), now)
  if (!isSame(stillCounted(state.catalog, arrival.budgets ?? [], now), budgets)) return 'budgets'
  if (!isSame(arrival.block, carriedBlock(block))) return 'block'
  return isSame(arrival.standing ?? null, standing) ? null : 'standing'
}

function stillCounted(
  catalog: Catalog,
  counted: readonly CountedBudget[],
  now: number,
): readonly CountedBudget[] {
  return counted.flatMap(({ uses, ...of }) => {
    const known = catalog.budgets.find(({ name }) => token(name) === of.budget)
    const left = uses.filter(({ at }) => known === undefined || at + known.windowMs > now)
    return left.length === 0 ? [] : [{ ...of, uses: left }]
  })
}

/** A block as it goes along. */
export function carriedBlock(block: Block | null): Arrival['block'] {
  return block && { name: block.name, sender: block.sender }
}

function isSame(one: unknown, other: unknown): boolean {
  return canonical(jsonOf(one)) === canonical(jsonOf(other))
}
