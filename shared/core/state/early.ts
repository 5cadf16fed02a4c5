// Numbers of dense sequence that were bound before their era began. Such facts are void, but their
// names are used: a sequence of that era steps over them, or junk could stop it.
import { kinds } from '#schemas/kinds'
import type { NameParts } from '../kernel/names.ts'
import { newAgent } from './agent-state.ts'
import { withAgent } from './agents.ts'
import { numberOf, newSequence, take, type Early, type Sequence } from './sequence.ts'
import { noUses, takeNumber } from './uses.ts'
import type { World } from './world.ts'

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
export function beginSequence(world: World): void {
  const { early } = world
  const { era } = world.place
  const begun = (key: string, sequence: Sequence): Sequence => {
    const numbers = early.get(`${era} ${key}`) ?? []
    early.delete(`${era} ${key}`)
    return [...numbers].reduce(take, { next: sequence.next, used: newSequence.used })
  }
  world.graphSequence = begun('graph', world.graphSequence)
  world.catalogSequence = begun('catalog', world.catalogSequence)
  const next = early.get(`${era + 1} snapshot`) ?? []
  early.delete(`${era + 1} snapshot`)
  world.snapshotSequence = [...next].reduce(take, newSequence)
  beginUses(world.uses, early, `${era} rate.`)
  beginUses(world.asks, early, `${era} asked.`)
  beginLifts(world, `${era} lift.`)
}

function beginUses(all: World['uses'], early: Early, prefix: string): void {
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

function beginLifts(world: World, prefix: string): void {
  for (const [agent, state] of world.agents) {
    const lifts = { next: state.lifts.next, used: newSequence.used }
    if (state.lifts.used.size > 0) withAgent(world, agent, { ...state, lifts })
  }
  for (const [key, numbers] of world.early) {
    if (!key.startsWith(prefix)) continue
    world.early.delete(key)
    const agent = key.slice(prefix.length)
    const state = world.agents.get(agent) ?? newAgent
    withAgent(world, agent, { ...state, lifts: [...numbers].reduce(take, state.lifts) })
  }
}
