// How many waits or streams each caller has open at once: a place is taken, and given back once.

/** Takes a place for a caller and returns how to give it back; null: all of theirs are taken. */
export function placesOf(ofOneMax: number): (caller: string) => (() => void) | null {
  const taken = new Map<string, number>()
  return (caller) => {
    const open = taken.get(caller) ?? 0
    if (open >= ofOneMax) return null
    taken.set(caller, open + 1)
    return () => {
      const left = (taken.get(caller) ?? 1) - 1
      if (left === 0) taken.delete(caller)
      else taken.set(caller, left)
    }
  }
}
