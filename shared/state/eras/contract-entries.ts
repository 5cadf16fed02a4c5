// Contracts and standings as lines, and back.
import type { State } from '../state.ts'
import { plainSequence, sequenceOf } from './plain-sequence.ts'
import type { GenesisLine, LineOf } from './genesis-lines.ts'

type WorkLine = LineOf<'contract' | 'standing' | 'reinstatements'>

export function* contractLines(state: State): Generator<GenesisLine> {
  for (const contract of state.contracts.values()) {
    const { past, pending, used, ...rest } = contract
    const lists = { past: [...past], pending: [...pending], ...(used && { used: [...used] }) }
    yield { line: 'contract', contract: { ...rest, ...lists } }
  }
  for (const [token, standing] of inOrderOf(state.standings)) {
    yield { line: 'standing', token, standing: { ...standing, steps: [...standing.steps] } }
  }
  for (const [agent, { next, used }] of inOrderOf(state.reinstatements)) {
    yield { line: 'reinstatements', agent, next: plainSequence({ next, used }) }
  }
}

function inOrderOf<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

export function restoreContract(state: State, line: WorkLine): void {
  switch (line.line) {
    case 'contract':
      state.contracts = state.contracts.with(line.contract)
      return
    case 'standing':
      state.standings = new Map(state.standings).set(line.token, line.standing)
      return
    case 'reinstatements': {
      const sequence = sequenceOf(line.next)
      state.reinstatements = new Map(state.reinstatements).set(line.agent, sequence)
    }
  }
}
