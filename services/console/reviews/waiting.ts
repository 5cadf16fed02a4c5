// What an intent waits for, as the console answers it: data, which the page puts into words.
import type { Waits } from '#present/story/waits'
import type { WaitsFor } from '#schemas/console/reviews'

export function waitsAnswer(waits: Waits): WaitsFor {
  const { for: what, people, quorum, needed, agreed, reason, until } = waits
  return {
    for: what,
    people: [...people],
    quorum,
    needed,
    agreed: [...agreed],
    reason,
    until: until === null ? null : new Date(until).toISOString(),
  }
}
