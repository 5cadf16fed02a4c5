// The place in a distributed trace that a sender gives with its message (`_extras.traceparent`).
// From the agent: it means nothing to any decision, and what is ill-formed is left out.
import { traceparentPattern } from '#schemas/envelope'
import type { VlpMessage } from '#schemas/vlp'

/** As it was sent, in version 00 of W3C Trace Context; null where there is none that holds. */
export function traceparentOf(message: VlpMessage | null): string | null {
  const given = message?._extras?.['traceparent']
  return typeof given === 'string' && traceparentPattern.test(given) ? given : null
}
