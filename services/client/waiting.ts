// Waits for the verdicts of intents, whoever binds them and in whichever era; one listener serves
// all who wait.
import type { Timer } from '#ports/clock'
import type { Fact } from '#ports/log'
import type { Follower } from '#runtime/engine/follower'

export interface Awaited {
  /** The fact once it is folded; null when none can come, the time is over or it is called off. */
  readonly come: Promise<Fact | null>
  cancel(): void
}

export interface Waiting {
  verdict(address: string, waitMs: number): Awaited
  /** Nobody is told of anything any more. */
  stop(): void
}

export function waitingOn(follower: Follower, timer: Timer): Waiting {
  const waiting = new Map<string, Set<(fact: Fact | null) => void>>()
  const stop = follower.listen((fact, { parts, void: why, voids }) => {
    // What opens nothing gets no verdict.
    const isOver = (parts?.kind === 'verdict' && why === null) || voids !== undefined
    if (!isOver) return
    const verdict = voids === undefined ? fact : null
    for (const wake of waiting.get(parts?.address ?? '') ?? []) wake(verdict)
  })
  return {
    verdict(address, waitMs) {
      const others = waiting.get(address) ?? new Set()
      waiting.set(address, others)
      let cancel = (): void => undefined
      const come = new Promise<Fact | null>((resolve) => {
        const wake = (fact: Fact | null): void => {
          if (!others.delete(wake)) return
          callOff()
          if (others.size === 0) waiting.delete(address)
          resolve(fact)
        }
        const callOff = timer.after(waitMs, () => wake(null))
        others.add(wake)
        cancel = () => wake(null)
      })
      return { come, cancel }
    },
    stop() {
      stop()
      for (const others of waiting.values()) for (const wake of others) wake(null)
    },
  }
}
