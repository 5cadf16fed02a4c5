// The last grounding of one intent, as it was recorded in whichever era.
import { readEvent } from '#record/event'
import { Fault } from '#record/fault'
import { patternsOf } from '#record/names'
import type { GroundingData } from '#schemas/facts'
import { findIntent } from '#client/reading/intent-named'
import type { LogPast } from '#cli/terminal/opening/known-at'

export interface RecordedGrounding {
  readonly data: GroundingData
  /** From here it was derived. */
  readonly position: number
}

export async function groundingOfIntent(
  { log, place }: LogPast,
  meant: string,
): Promise<RecordedGrounding> {
  const address = await findIntent(log, place, meant)
  let last: RecordedGrounding | null = null
  for await (const fact of log.read(
    {},
    patternsOf(place, 'grounding', ...address.split('.'), '*'),
  )) {
    const reading = readEvent('grounding', fact)
    if (!reading.ok) continue
    const { data, stamp } = reading.event
    if (data.attempt >= (last?.data.attempt ?? 0)) last = { data, position: stamp.basis }
  }
  if (last !== null) return last
  const what = `the log has no grounding of \`${address}\``
  throw new Fault('no_grounding', `${what}: it may still be open, see \`warrant log --open\``)
}
