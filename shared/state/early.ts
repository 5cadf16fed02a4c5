// Numbers of dense sequence that were bound before their era began. Such facts are void, but their
// names are used: a sequence of that era steps over them, or junk could stop it.
import { kinds } from '#schemas/kinds'
import { noGrantUses } from '#rules/grants/book'
import type { NameParts } from '#record/names'
import { newAgent } from './agent-state.ts'
import { withAgent } from './agents.ts'
import { numberOf, newSequence, take, type Early, type Sequence } from './sequence.ts'
import { beginNumbers, takeBudgetNumber } from './budgets.ts'
import { noUses, takeNumber } from './uses.ts'
import type { State } from './state.ts'

/** Keeps in mind all that another has. */
export function addEarly(early: Early, more: Early): void {
  for (const [key, numbers] of more)
    early.set(key, new Set([...(early.get(key) ?? []), ...numbers]))
}

/** Keeps in mind what a fact of an era to come has used, if it is one of a sequence. */
export function noteEarly(early: Early, { place, kind, tokens }: NameParts): void {
  const number = numberOf(tokens.at(-1))
  if (kinds[kind].dense !== true || number === null) return
  const key = `${place.era} ${[kind, ...tokens.slice(0, -1)].join('.')}`
  early.set(key, new Set(early.get(key)).add(number))
}

/**
 * Begins the sequence of the era that has just begun: where each has come to stays, and of the
 * names behind that only those are used which someone bound too early.
 */
export function beginSequence(state: State): void {
  const { early } = state
  const { era } = state.place
  const begun = (key: string, sequence: Sequence): Sequence => {
    const numbers = early.get(`${era} ${key}`) ?? []
    early.delete(`${era} ${key}`)
    return [...numbers].reduce(take, { next: sequence.next, used: newSequence.used })
  }
  state.graphSequence = begun('graph', state.graphSequence)
  state.catalogSequence = begun('catalog', state.catalogSequence)
  const next = early.get(`${era + 1} snapshot`) ?? []
  early.delete(`${era + 1} snapshot`)
  state.snapshotSequence = [...next].reduce(take, newSequence)
  beginUses(state.uses, early, `${era} rate.`)
  beginUses(state.asks, early, `${era} asked.`)
  beginBudgets(state, `${era} budget.`)
  beginGrantUses(state, `${era} use.`)
  beginLifts(state, `${era} lift.`)
  for (const { used, ...contract } of state.contracts.values()) {
    if (used !== undefined) state.contracts = state.contracts.with(contract)
  }
}

function beginUses(all: State['uses'], early: Early, prefix: string): void {
  for (const [key, uses] of all) {
    if (uses.sequence.used.size === 0) continue
    all.set(key, { ...uses, sequence: { next: uses.sequence.next, used: newSequence.used } })
  }
  for (const [key, numbers] of early) {
    if (!key.startsWith(prefix)) continue
    early.delete(key)
    const sequence = key.slice(prefix.length)
    all.set(sequence, [...numbers].reduce(takeNumber, all.get(sequence) ?? noUses))
  }
}

function beginBudgets({ budgets, early }: State, prefix: string): void {
  beginNumbers(budgets)
  for (const [at, numbers] of early) {
    if (!at.startsWith(prefix)) continue
    early.delete(at)
    const [budget = '', key = ''] = at.slice(prefix.length).split('.')
    for (const number of numbers) takeBudgetNumber(budgets, { budget, key }, number)
  }
}

function beginGrantUses({ grantUses, early }: State, prefix: string): void {
  for (const [id, uses] of grantUses) {
    if (uses.sequence.used.size === 0) continue
    grantUses.set(id, { ...uses, sequence: { ...newSequence, next: uses.sequence.next } })
  }
  for (const [key, numbers] of early) {
    if (!key.startsWith(prefix)) continue
    early.delete(key)
    const id = key.slice(prefix.length)
    const uses = grantUses.get(id) ?? noGrantUses
    grantUses.set(id, { ...uses, sequence: [...numbers].reduce(take, uses.sequence) })
  }
}

function beginLifts(state: State, prefix: string): void {
  for (const [agent, agentState] of state.agents) {
    const lifts = { next: agentState.lifts.next, used: newSequence.used }
    if (agentState.lifts.used.size > 0) withAgent(state, agent, { ...agentState, lifts })
  }
  for (const [key, numbers] of state.early) {
    if (!key.startsWith(prefix)) continue
    state.early.delete(key)
    const agent = key.slice(prefix.length)
    const agentState = state.agents.get(agent) ?? newAgent
    withAgent(state, agent, { ...agentState, lifts: [...numbers].reduce(take, agentState.lifts) })
  }
}
