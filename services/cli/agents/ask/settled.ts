// What became of an intent, for a command: its verdict, or what it still waits for.
import { approving } from '#present/approving'
import { waitsText, type Waits } from '#present/story/waits'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Agent } from '#client/connect'
import { Pending } from '#client/pending'
import type { Intent } from '#schemas/intent'
import type { hintsFor } from '#cli/terminal/hint'
import { note } from '#cli/terminal/terminal'

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

/** Asks with these options. With `--wait` people are waited for, and that is noted. */
export function settledAsking(
  client: Pick<Agent, 'ask' | 'session'>,
  intent: Intent,
  by: {
    /** How long to wait, in milliseconds, and in which session. */
    readonly options: { readonly wait?: number; readonly session?: string }
    readonly hints: ReturnType<typeof hintsFor>
  },
): Promise<Settled> {
  const { options, hints } = by
  const { wait, session } = options
  const verdict = client.ask(intent, {
    ...(wait !== undefined && { waitMs: wait }),
    ...(session !== undefined && { session: client.session(session) }),
    onReview(waits, address) {
      if (wait === undefined) return false
      note(`waiting for ${waitsText(waits)}: ${hints(approving(address, waits.reason))}`)
      return true
    },
  })
  return settled(verdict)
}
