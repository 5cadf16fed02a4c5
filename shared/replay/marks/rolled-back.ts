// Whether a log is what this user saw of it before: not shorter than its high-water mark, and with
// the same fact there. A log that went on from an older state of itself is whole in itself, so
// nothing else shows it.
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import type { Fact, LogReader } from '#ports/log'
import { factAtPosition } from '#runtime/logs/seek'
import type { RolledBack } from '#runtime/engine/runtime'
import { firstOf } from '../eras/last-era.ts'
import { keptMark, type HighWaterMark, type MarkOf } from './mark-files.ts'

/** What was found of a log's mark. */
export interface MarkSeen {
  readonly mark: HighWaterMark | null
  /** Null where the log goes on from its mark, or has none here. */
  readonly rolledBack: RolledBack | null
  /** Whether it does not, and a policy admin accepted that. */
  readonly isAccepted: boolean
}

export interface LogSeen {
  readonly log: LogReader
  /** Where it ends. */
  readonly head: number
  /** The number of the last rollback that was accepted in it: asked only where it matters. */
  readonly accepted: () => number | Promise<number>
}

/** Compares the log with this user's mark of it. */
export async function markSeen(of: MarkOf, seen: LogSeen): Promise<MarkSeen> {
  const mark = await keptMark(of)
  const why = mark === null ? null : await departureFrom(mark, seen)
  if (mark === null || why === null) return { mark, rolledBack: null, isAccepted: false }
  // A policy admin signed, in this very log, that it goes on from an older state.
  const isAccepted = (await seen.accepted()) > mark.rollbacks
  if (isAccepted) return { mark, rolledBack: null, isAccepted }
  const { realm, position, appendedAt, name } = mark
  const when = new Date(appendedAt).toISOString()
  const what = `the log of \`${realm}\` was rolled back`
  const before = `this user saw \`${name}\` at position ${position}, of ${when}`
  const fix =
    'find out who brought an older state back; if it is meant, a policy admin signs that with ' +
    '`warrant log accept-rollback`'
  const fault = new Fault('log_rolled_back', `${what}: ${before}, ${why}; ${fix}`)
  const isShorter = seen.head < position
  return { mark, rolledBack: { fault, isShorter, seen: mark }, isAccepted }
}

/** How the log differs from what was seen; null where it goes on from there. */
async function departureFrom(
  { position, name, digest }: HighWaterMark,
  { log, head }: LogSeen,
): Promise<string | null> {
  if (head < position) return `and it now ends at ${head}`
  const there = await factAtPosition(log, position)
  if (there === undefined) {
    // Its first eras were taken away since: what stands for them is checked where it is folded.
    const first = await firstOf(log)
    return first !== undefined && first.position > position ? null : 'and nothing is there now'
  }
  if (there.name !== name) return `and now \`${there.name}\` is there`
  return digestOf(there.bytes) === digest ? null : 'and now it says something else'
}

/** The mark of a fact of that log. */
export function markAt(
  { log, realm }: Pick<MarkOf, 'log' | 'realm'>,
  { position, name, appendedAt, bytes }: Fact,
  rollbacks: number,
): HighWaterMark {
  const digest = digestOf(bytes)
  return { format: 1, log, realm, rollbacks, position, name, appendedAt, digest }
}
