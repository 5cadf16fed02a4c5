// Runs what may run, and records what came of it as the agent's own word.
import type { Json } from '#record/canonical'
import type { Logger } from '#runtime/reporting/logger'
import { describeFailure, failureOf, type Failure } from '../failure.ts'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Redeeming } from './redeeming.ts'

export interface Noting {
  readonly redeeming: Redeeming
  readonly logger: Logger
}

export interface Running<T> {
  readonly run: () => T | Promise<T>
  readonly describe: ((error: unknown) => Failure) | undefined
}

/** The verdict is null where none came, and it runs all the same. */
export async function finish<T>(
  client: Noting,
  verdict: Verdict | null,
  { run, describe = describeFailure }: Running<T>,
): Promise<T> {
  try {
    const value = await run()
    await noteOutcome(client, verdict, { outcome: 'succeeded' })
    return value
  } catch (error) {
    const { isUnknown = false, ...said } = failureOf(error, describe)
    await noteOutcome(client, verdict, { outcome: isUnknown ? 'unknown' : 'failed', ...said })
    throw error
  }
}

// The function has run: that its outcome could not be written down must not hide what it returned.
export async function noteOutcome(
  { redeeming, logger }: Noting,
  verdict: Verdict | null,
  outcome: { readonly [key: string]: Json },
): Promise<void> {
  if (verdict === null) return
  try {
    await redeeming.end(verdict, outcome)
  } catch (error) {
    logger.error({ intent: verdict.intent, error }, 'outcome not recorded')
  }
}
