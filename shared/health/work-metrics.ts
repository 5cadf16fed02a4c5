// The gauges of verified work: contracts that are open, and agents that are out of standing.
import { isOutOfStanding } from '#work/contracts/standings'
import type { State } from '#state/state'

interface CellGauge {
  set(of: { readonly cell?: string }, value: number): void
}

interface WorkMeters {
  readonly contracts: CellGauge
  readonly outOfStanding: CellGauge
}

export function workMeters(gauge: (name: string, help: string) => CellGauge): WorkMeters {
  return {
    contracts: gauge('warrant_contracts_open', 'Contracts that have not ended'),
    outOfStanding: gauge(
      'warrant_agents_suspended_by_standing',
      'Agents that their standing has suspended',
    ),
  }
}

/** `of`: the label of its cell, where there are several. */
export function measureWork(
  { contracts, outOfStanding }: WorkMeters,
  state: State,
  of: { readonly cell?: string },
): void {
  contracts.set(of, state.contracts.size)
  const standings = [...state.standings.values()]
  outOfStanding.set(of, standings.filter(({ agent }) => isOutOfStanding(state, agent)).length)
}
