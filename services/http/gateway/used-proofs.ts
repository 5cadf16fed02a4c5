// Proofs that were presented: each is good once. One is kept until no clock takes it any more, so
// that this is bounded by time; a flood of good proofs is refused before memory runs out.
import { Fault } from '#record/fault'
import { KeyCounts } from '#record/key-counts'
import { clockMsMax, dpopMsMax } from '#messages/warrants/limits'
import { Refusal } from '#serving/problem'

const keptMax = 200_000
/** Of one principal, by whichever keys: no one else is refused for what it sends. */
const keptOfOneMax = 20_000

export interface PresentedOnce {
  /** Whose proof it is: of a warrant with links, the agent that it was given to. */
  readonly principal: string
  readonly key: string
  readonly jti: string
}

export interface UsedProofs {
  /** Throws a Fault where the proof of that `jti` and key was presented before. */
  use(presented: PresentedOnce, now: number): void
}

export function usedProofs(): UsedProofs {
  // Oldest first: all are kept equally long.
  const until = new Map<string, { readonly principal: string; readonly end: number }>()
  const kept = new KeyCounts()
  return {
    use({ principal, key, jti }, now) {
      for (const [id, { principal: of, end }] of until) {
        if (end > now) break
        until.delete(id)
        kept.remove(of)
      }
      const id = `${key} ${jti}`
      if (until.has(id)) {
        throw new Refusal(401, 'dpop_used', 'this proof was presented before: make another')
      }
      if (kept.of(principal) >= keptOfOneMax || until.size >= keptMax) {
        throw new Fault('gateway_busy', 'too many proofs were presented within a minute')
      }
      kept.add(principal)
      until.set(id, { principal, end: now + dpopMsMax + clockMsMax })
    },
  }
}
