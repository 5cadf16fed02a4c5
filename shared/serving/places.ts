// How many waits or streams each caller has open at once: a place is taken, and given back once.
import { KeyCounts } from '#record/key-counts'

/** Takes a place for a caller and returns how to give it back; null: all of theirs are taken. */
export function placesOf(ofOneMax: number): (caller: string) => (() => void) | null {
  const taken = new KeyCounts()
  return (caller) => {
    if (taken.of(caller) >= ofOneMax) return null
    taken.add(caller)
    return () => taken.remove(caller)
  }
}
