// What a guard stands on, where a test gives it the verdict.
import type { GuardClient } from '#client/guard/guard'
import type { Verdict } from '#replay/verdicts/verdict'

/** Answers every call with that verdict, and knows no equal calls. */
export function answering(
  verdict: Verdict,
  parts: Pick<GuardClient, 'logger' | 'clock' | 'redeeming'>,
): GuardClient {
  return {
    ...parts,
    ask: () => Promise.resolve(verdict),
    verdict: () => Promise.resolve(verdict),
    opening: () => Promise.resolve(undefined),
    requestKey: () => null,
    traceText: () => Promise.resolve(''),
    onReview: () => true,
  }
}
