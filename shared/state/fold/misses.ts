// What the fold notes for learning to take up: intents that were denied for gaps alone, and calls
// that failed.
import { includesText } from '#platform/bytes'
import { readEvent } from '#record/event'
import type { LoggedFact } from '../folded.ts'
import type { OpenIntent } from '../intent.ts'
import type { MissList } from '../caches/miss-list.ts'
import type { State } from '../state.ts'

/** Before the verdict closes the intent. Nearly always a look at the intent is enough. */
export function noteDenied(
  misses: MissList,
  state: State,
  fact: LoggedFact,
  intent: OpenIntent | undefined,
): void {
  const grounding = intent?.grounding ?? null
  if (grounding === null || grounding.grounded || !state.catalog.learning) return
  const reading = readEvent('verdict', fact)
  if (!reading.ok || reading.event.data.outcome !== 'deny') return
  const { reasons } = reading.event.data
  // A call that would be refused anyway leads to no proposal.
  if (reasons.every(({ code }) => code === 'ungrounded')) {
    misses.note({ kind: 'denied', grounding: grounding.name })
  }
}

export function noteFailed(
  misses: MissList,
  state: State,
  fact: LoggedFact,
  kind: 'outcome' | 'ownoutcome',
): void {
  if (!state.catalog.learning) return
  if (!includesText(fact.bytes, '"outcome":"failed"')) return
  const reading = readEvent(kind, fact)
  if (!reading.ok || reading.event.data.outcome !== 'failed') return
  const { code, detail } = reading.event.data
  if (code !== undefined || detail !== undefined) {
    misses.note({ kind: 'failed', outcome: fact.name })
  }
}
