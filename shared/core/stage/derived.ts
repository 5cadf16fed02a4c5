// The bytes of a fact that a stage derived: the same live and on replay, so they may hold nothing
// but the draft, the stamp, and what the opening message itself says.
import { writeEvent, type Draft, type Stamp } from '../event.ts'
import { traceparentOf } from '../vlp/traceparent.ts'
import type { View } from './view.ts'

export function derivedBytes(draft: Draft, { opening }: View, stamp: Stamp): Uint8Array {
  const { kind, name, data } = draft
  const traceparent = traceparentOf(opening.check.message)
  return writeEvent(kind, name, data, traceparent === null ? stamp : { ...stamp, traceparent })
}
