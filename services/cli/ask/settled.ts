// What became of an intent, for a command: its verdict, or what it still waits for.
import type { Waits } from '#present/story/waits'
import { Pending } from '#services/client/pending'
import type { Verdict } from '#runtime/verdicts/verdict'

export type Settled =
  | { readonly state: 'verdict'; readonly intent: string; readonly verdict: Verdict }
  | { readonly state: 'waits'; readonly intent: string; readonly waits: Waits }

/** No verdict in time is an answer too. */
export async function settled(verdict: Promise<Verdict>): Promise<Settled> {
  try {
    const found = await verdict
    return { state: 'verdict', intent: found.intent, verdict: found }
  } catch (error) {
    if (!(error instanceof Pending)) throw error
    return { state: 'waits', intent: error.intent, waits: error.waits }
  }
}
