// The fold of a fault: an intent whose deciding was stopped is set aside. How fast a worker was is
// no input of a decision, but that it recorded a fault is a fact like any other.
import { hasRules } from '#rules/catalog/rules-version'
import { readData } from '#record/event'
import { partsInRealm } from '#record/names'
import type { LoggedFact } from '../folded.ts'
import type { State } from '../state.ts'

/** A fault is never void: one that is about no open intent changes nothing. */
export function evolveFault(state: State, fact: LoggedFact): null {
  if (!hasRules(state.catalog, 'setAside')) return null
  const data = readData('fault', fact)
  if (data?.code !== 'decision_stuck') return null
  const address = partsInRealm(data.name, state.place.realm)?.address ?? ''
  const intent = state.intents.get(address)
  if (intent === undefined || intent.setAside !== undefined) return null
  state.intents.set(address, { ...intent, setAside: fact.name })
  return null
}
