// Where a message stands in a distributed trace, and the address at which someone's own program
// shows that trace.
import { traceparentOf } from '#messages/traceparent'
import type { VlpMessage } from '#schemas/vlp'

/** The id of the trace, 32 hexadecimal digits; null where the message names none. */
export function traceIn(message: VlpMessage | null): string | null {
  return traceparentOf(message)?.split('-')[1] ?? null
}

const place = '{trace}'

/** A template of addresses, or null for what a page must not link to. */
export function traceTemplate(text: string): string | null {
  const trimmed = text.trim()
  return /^https?:\/\/[^\s]+$/.test(trimmed) && trimmed.includes(place) ? trimmed : null
}

export function traceAddress(template: string, trace: string): string {
  return template.replaceAll(place, trace)
}
