// The bytes of a fact that a stage derived: the same live and on replay, so they may hold nothing
// but the draft, the stamp, and what the opening message itself says.
import { writeEvent, type Draft, type Stamp } from '#record/event'
import { traceparentOf } from '#messages/traceparent'
import type { View } from './view.ts'

/** What versions before traces derived does not mention them: `isTraced` is false for those. */
export function derivedBytes(
  draft: Draft,
  { opening }: View,
  stamp: Stamp,
  isTraced = true,
): Uint8Array {
  const { kind, name, data } = draft
  const traceparent = isTraced ? traceparentOf(opening.check.message) : null
  return writeEvent(kind, name, data, traceparent === null ? stamp : { ...stamp, traceparent })
}
