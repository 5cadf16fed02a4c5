// What learning may take up though nobody waits for it: the latest intents that were denied for
// gaps alone, and the latest calls that failed. Only a memory of the fold: nothing is decided by
// it, and what it has forgotten is asked when it is met again.
import { OutcomeData, VerdictData } from '#schemas/facts'
import { readEvent } from '../kernel/event.ts'
import type { OpenIntent } from './intent.ts'
import type { LoggedFact, World } from './world.ts'

export type Miss =
  /** By the name of the grounding that found the gaps, or of the outcome. */
  | { readonly kind: 'denied'; readonly grounding: string }
  | { readonly kind: 'failed'; readonly outcome: string }

const keptMax = 256

export interface Missed {
  readonly size: number
  note(miss: Miss): void
  /** All of them, oldest first; they are forgotten with this. */
  take(): readonly Miss[]
}

export function newMissed(): Missed {
  let kept: Miss[] = []
  return {
    get size() {
      return kept.length
    },
    note(miss) {
      kept.push(miss)
      if (kept.length > 2 * keptMax) kept = kept.slice(-keptMax)
    },
    take() {
      const taken = kept.slice(-keptMax)
      kept = []
      return taken
    },
  }
}

/** Before the verdict closes the intent. Nearly always a look at the intent is enough. */
export function noteDenied(world: World, fact: LoggedFact, intent: OpenIntent | undefined): void {
  const grounding = intent?.grounding ?? null
  if (grounding === null || grounding.grounded || !world.catalog.learning) return
  const reading = readEvent('verdict', VerdictData, fact)
  if (!reading.ok || reading.event.data.outcome !== 'deny') return
  const { reasons } = reading.event.data
  // What would be refused anyway teaches nothing.
  if (reasons.every(({ code }) => code === 'ungrounded')) {
    world.missed.note({ kind: 'denied', grounding: grounding.name })
  }
}

export function noteFailed(world: World, fact: LoggedFact, kind: 'outcome' | 'ownoutcome'): void {
  if (!world.catalog.learning) return
  const bytes = Buffer.from(fact.bytes.buffer, fact.bytes.byteOffset, fact.bytes.byteLength)
  if (!bytes.includes('"outcome":"failed"')) return
  const reading = readEvent(kind, OutcomeData, fact)
  if (!reading.ok || reading.event.data.outcome !== 'failed') return
  const { code, detail } = reading.event.data
  if (code !== undefined || detail !== undefined) {
    world.missed.note({ kind: 'failed', outcome: fact.name })
  }
}
