// Proofs that were presented: each is good once. One is kept until no clock takes it any more, so
// that this is bounded by time; a flood of good proofs is refused before memory runs out.
import { Fault } from '#core/kernel/fault'
import { clockMsMax, dpopMsMax } from '#core/warrants/limits'
import { Refusal } from '#runtime/serving/problem'

const keptMax = 200_000

export interface UsedProofs {
  /** Throws a Fault where the proof of that `jti` and key was presented before. */
  use(key: string, jti: string, now: number): void
}

export function usedProofs(): UsedProofs {
  // Oldest first: all are kept equally long.
  const until = new Map<string, number>()
  return {
    use(key, jti, now) {
      for (const [id, end] of until) {
        if (end > now) break
        until.delete(id)
      }
      const id = `${key} ${jti}`
      if (until.has(id)) {
        throw new Refusal(401, 'dpop_used', 'this proof was presented before: make another')
      }
      if (until.size >= keptMax) {
        throw new Fault('gateway_busy', 'too many proofs were presented within a minute')
      }
      until.set(id, now + dpopMsMax + clockMsMax)
    },
  }
}
