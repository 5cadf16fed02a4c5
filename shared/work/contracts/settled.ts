// How a contract ends, and the one score that it ends with. What an attempt was refuted for is not
// undone by a later report of a failure, and not by silence.
import type { contractEndings, VerificationData } from '#schemas/work/facts'
import type { Completion } from '#schemas/work/contract'
import { scoreOf, type WorkScore } from '../score.ts'
import { trialOf, type OpenContract, type PastTrial } from './contracts.ts'

type Ending = (typeof contractEndings)[number]

/** The attempt that is looked at. */
export interface ClaimTrial extends PastTrial {
  /** Null where it cannot be read, or where none came. */
  readonly completion: Completion | null
}

/** Null where another attempt may follow. */
export function endingOf(contract: OpenContract, trial: ClaimTrial): Ending | null {
  const { claim, status, verification } = trial
  if (claim === null) return 'time'
  if (status === 'blocked' || status === 'failed') return status
  if (verification === 'verified') return 'verified'
  return trialOf(contract) >= contract.maxRetries ? 'attempts' : null
}

/** The score of a contract that ends with this attempt; null where nothing was ever claimed. */
export function settledScore({ past }: OpenContract, trial: ClaimTrial): WorkScore | null {
  const claimed = [...past, trial].filter(({ claim }) => claim !== null)
  const latest = claimed.at(-1)
  if (latest === undefined) return null
  const wasRefuted = claimed.some(({ verification }) => verification === 'refuted')
  const { completion } = trial
  if (trial.claim !== null && completion !== null) {
    const { status, whatINeed, whatFailed } = completion
    const { verification } = trial
    // What no one looked at is no try of the worker's.
    const retries = claimed.length - 1
    const own = scoreOf({ status, verification, retries, whatINeed, whatFailed })
    if (status !== 'success') return wasRefuted ? notAboveZero(own) : own
    if (verification === 'verified') return own
  }
  if (wasRefuted) return scoreOf({ status: 'success', verification: 'refuted', retries: 0 })
  const isReadable = claimed.every(({ status }) => status !== null)
  return isReadable
    ? scoreOf({ status: 'success', verification: 'unverified', retries: 0 })
    : scoreOf(null)
}

function notAboveZero({ score, rule }: WorkScore): WorkScore {
  return { score: Math.min(0, score), rule }
}

export type EndedContract = NonNullable<VerificationData['ended']>
