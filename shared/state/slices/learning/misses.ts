// What the fold notes for learning to take up: intents that were denied for gaps alone, and calls
// that failed.
import { includesText } from '#platform/bytes'
import { readEvent } from '#record/event'
import type { State } from '../../state.ts'
import type { CountedFact } from '../slice.ts'

/** Nearly always a look at the intent is enough. */
export function noteDenied({ catalog }: State, { fact, intent, caches }: CountedFact): void {
  const grounding = intent?.grounding ?? null
  if (grounding === null || grounding.grounded || !catalog.learning) return
  const reading = readEvent('verdict', fact)
  if (!reading.ok || reading.event.data.outcome !== 'deny') return
  const { reasons } = reading.event.data
  // A call that would be refused anyway leads to no proposal.
  if (reasons.every(({ code }) => code === 'ungrounded')) {
    caches?.misses.note({ kind: 'denied', grounding: grounding.name })
  }
}

export function noteFailed(kind: 'outcome' | 'ownoutcome') {
  return ({ catalog }: State, { fact, caches }: CountedFact): void => {
    if (caches === undefined || !catalog.learning) return
    if (!includesText(fact.bytes, '"outcome":"failed"')) return
    const reading = readEvent(kind, fact)
    if (!reading.ok || reading.event.data.outcome !== 'failed') return
    const { code, detail } = reading.event.data
    if (code !== undefined || detail !== undefined) {
      caches.misses.note({ kind: 'failed', outcome: fact.name })
    }
  }
}
