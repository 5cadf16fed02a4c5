// What all cells of a realm share is folded by each of them, and must come to the same in all: its
// position and its time are others in each log, so nothing counts but what the fact itself says.
import { isEvent, type Kind } from '#schemas/kinds'
import { readEvent } from '#record/event'
import { isControl } from '#record/names'
import type { LoggedFact } from '../folded.ts'
import type { State } from '../state.ts'

/** The fact as all cells see it: appended at the time that it states. One log has its own time. */
export function shared(
  { catalog }: Pick<State, 'catalog'>,
  fact: LoggedFact,
  kind: Kind,
): LoggedFact {
  if (catalog.cells === null || !isControl(kind) || !isEvent(kind)) return fact
  const reading = readEvent(kind, fact)
  // What cannot be read is void, whenever it was appended.
  return reading.ok ? { ...fact, appendedAt: Date.parse(reading.event.stamp.time) } : fact
}
