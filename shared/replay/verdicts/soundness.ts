// What no stage would have bound is shown to no one as an answer: a verdict is derived again before
// a client or a door hands it over to someone who may act on it.
import type { Runtime } from '#runtime/engine/runtime'
import type { Proving } from './proving.ts'
import type { Verdict } from './verdict.ts'

export interface Soundness {
  /** Throws for an allow that the stages would not have bound, where that is at hand to derive. */
  readonly atHand: (verdict: Verdict) => Promise<Verdict>
  /** The same wherever it is; of one that has expired only where it is at hand. */
  readonly derived: (verdict: Verdict) => Promise<Verdict>
}

export function soundnessOn(
  { follower, logClock: clock }: Pick<Runtime, 'follower' | 'logClock'>,
  proving: Proving,
): Soundness {
  const atHand = async (verdict: Verdict): Promise<Verdict> => {
    if (allowsAny(verdict)) {
      await follower.reached(verdict.position)
      await proving.proveAtHand(verdict)
    }
    return verdict
  }
  return {
    atHand,
    async derived(verdict) {
      const { terms } = verdict
      const hasExpired = terms !== null && clock.now() > Date.parse(terms.useBy)
      // By what has expired no one acts any more: all of the log is not read for it.
      if (hasExpired || !allowsAny(verdict)) return atHand(verdict)
      await follower.reached(verdict.position)
      await proving.prove(verdict)
      return verdict
    },
  }
}

/** What a verdict says of acting on it. */
interface Saying {
  readonly outcome: Verdict['outcome']
  readonly results?: Verdict['results'] | undefined
  readonly found?: Verdict['found'] | undefined
}

/** Whether someone may act on it, or on a part of it. */
export function allowsAny({ outcome, results = [], found }: Saying): boolean {
  const isAny = results.some((one) => one.outcome === 'allow')
  return outcome === 'allow' || isAny || found !== undefined
}
