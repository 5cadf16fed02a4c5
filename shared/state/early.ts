// Numbers of dense sequence that were bound before their era began. Such facts are void, but their
// names are used: a sequence of that era steps over them, or junk could stop it.
import { kinds } from '#schemas/kinds'
import type { NameParts } from '#record/names'
import { numberOf, newSequence, take, type Early, type Sequence } from './sequence.ts'
import { allSlices } from './slices/list.ts'
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
  for (const { begin, numbers = {} } of allSlices) {
    begin?.(state)
    for (const [kind, use] of Object.entries(numbers)) {
      for (const [key, used] of early) {
        const prefix = `${era} ${kind}.`
        if (!key.startsWith(prefix)) continue
        early.delete(key)
        for (const number of used) use(state, key.slice(prefix.length), number)
      }
    }
  }
}
