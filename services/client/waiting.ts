// Waits for facts by their names, whoever binds them; one listener serves all who wait.
import type { Fact } from '#ports/log'
import type { Follower } from '#runtime/follower'

export interface Waiting {
  /** The fact once it is folded, or null when the time is over or the signal aborts. */
  fact(name: string, waitMs: number): Promise<Fact | null>
}

export function waitingOn(follower: Follower): Waiting {
  const waiting = new Map<string, Set<(fact: Fact) => void>>()
  follower.listen((fact) => {
    const found = waiting.get(fact.name)
    if (found === undefined) return
    waiting.delete(fact.name)
    for (const wake of found) wake(fact)
  })
  return {
    fact: (name, waitMs) =>
      new Promise((resolve) => {
        const found = waiting.get(name) ?? new Set()
        const wake = (fact: Fact): void => {
          clearTimeout(timeout)
          resolve(fact)
        }
        const timeout = setTimeout(() => {
          found.delete(wake)
          if (found.size === 0) waiting.delete(name)
          resolve(null)
        }, waitMs)
        found.add(wake)
        waiting.set(name, found)
      }),
  }
}
