// Shows an answer while it comes, a part at a time and without secrets. What it comes to in the end
// is read from all of its bytes.
import { eventParts, lineParts, type RawPart } from '#core/drivers/answer-parts'
import { partValue, resultValuesMax } from '#core/drivers/answer-reading'
import { framedHereBytesMax } from '#ports/framing'
import type { ToolCall } from '#ports/tools'
import type { Secrets } from './secrets.ts'

export interface Showing {
  push(chunk: Uint8Array): void
  end(): void
}

/** Null where no one takes its parts. A part that would be read apart is in the result alone. */
export function shownAsItComes(
  { onPart }: ToolCall,
  { scrubValue }: Pick<Secrets, 'scrubValue'>,
  form: 'lines' | 'events',
): Showing | null {
  if (onPart === undefined) return null
  const splitter = form === 'lines' ? lineParts() : eventParts()
  const show = (parts: readonly RawPart[]): void => {
    for (const part of parts) {
      if (part.bytes.length > framedHereBytesMax) continue
      const read = partValue(part, resultValuesMax)
      if (read !== 'too_many_values') onPart(scrubValue(read.value))
    }
  }
  return { push: (chunk) => show(splitter.push(chunk)), end: () => show(splitter.end()) }
}
