// Whether a question may be put to people now, or what became of it when it was.
import type { Template } from '#schemas/learning'
import type { Graph } from '#knowledge/graph/revision'
import { hasRoom, type Share } from './room.ts'
import type { AskedBefore, Learning } from './learning.ts'
import { keyOf } from './template.ts'

/** What was skipped is not asked again for so long, no matter who needs it. */
const skippedMs = 3_600_000
/** A failed call is asked about so often, however many more fail in the same way. */
export const constraintRoundsMax = 8

/**
 * `askable`: no one has been asked, or not for long. `full`: too much is asked already. The others
 * say what it is, or what became of it.
 */
export type Standing = 'askable' | 'open' | 'applied' | 'skipped' | 'rejected' | 'expired' | 'full'

/** Who asks, what gave rise to it, what is known and what time it is. */
export interface Asking {
  readonly by: Share
  /** Where the intent was opened. */
  readonly since: number
  /** Where the fact stands that gave rise to it. */
  readonly from: number
  readonly graph: Graph
  readonly now: number
}

export function standingOf(learning: Learning, template: Template, asking: Asking): Standing {
  const before = learning.history.get(keyOf(template))
  const closed = before === undefined ? null : closedBy(before, template, asking)
  if (closed !== null) return closed
  return hasRoom(learning, asking.graph, asking.by) ? 'askable' : 'full'
}

function closedBy(before: AskedBefore, template: Template, asking: Asking): Standing | null {
  const { ended, position, appendedAt } = before
  const { since, from, now } = asking
  if (ended === null) return 'open'
  if (ended === 'rejected') return 'rejected'
  // Of a failure nothing shows whether it was added: only a later one gives a reason to ask again.
  const isFailure = template.kind === 'CONSTRAINT'
  if (isFailure && ended !== 'reopened') {
    if (from <= before.from || from <= position) return ended
    if (before.round >= constraintRoundsMax) return ended
  }
  if (ended === 'skipped' && (position > since || now < appendedAt + skippedMs)) return 'skipped'
  return ended === 'expired' && position > since ? 'expired' : null
}
