// Finds a circle of pulling edges. It looks only at what can be reached from where it is asked to
// start.
import { assert } from '#record/fault'
import type { PrimitiveRecord } from './record.ts'

type RecordOf = (id: number) => PrimitiveRecord

/**
 * The ids along a circle that can be reached from one of the starts, its first id again at its end.
 */
export function cycleFrom(starts: Iterable<number>, recordOf: RecordOf): readonly number[] | null {
  const settled = new Set<number>()
  for (const start of starts) {
    const cycle = canBeInCycle(recordOf(start), start) ? walk(start, settled, recordOf) : null
    if (cycle !== null) return cycle
  }
  return null
}

/** Spares most change sets the walk: no one else relates to what was just added. */
function canBeInCycle(record: PrimitiveRecord, id: number): boolean {
  return record.inbound > 0 || record.pulls.includes(id)
}

/** Depth first, on a stack of its own: a chain may be longer than the call stack. */
function walk(start: number, settled: Set<number>, recordOf: RecordOf): readonly number[] | null {
  if (settled.has(start)) return null
  const path: { readonly id: number; next: number }[] = [{ id: start, next: 0 }]
  const onPath = new Set([start])
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const target = recordOf(last.id).pulls[last.next]
    last.next += 1
    if (target === undefined) {
      path.pop()
      onPath.delete(last.id)
      settled.add(last.id)
    } else if (onPath.has(target)) {
      const ids = path.map((step) => step.id)
      return [...ids.slice(ids.indexOf(target)), target]
    } else if (!settled.has(target)) {
      path.push({ id: target, next: 0 })
      onPath.add(target)
    }
  }
  assert(onPath.size === 0, 'a finished walk has left every place it entered')
  return null
}
