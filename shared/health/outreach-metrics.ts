// What is counted of reaching people: notifications as the log has them, and reviews that no one
// can answer any more.
import { readData } from '#record/event'
import { isUnanswerable, stillAsked } from '#state/still-asked'
import type { State } from '#state/state'
import type { Fact } from '#ports/log'

/** The labels of an attempt that has ended; null where it only begins. */
export function notificationLabels(
  fact: Fact,
): { readonly channel: string; readonly state: string; readonly code: string } | null {
  const data = readData('notification', fact)
  if (data === null || data.state === 'begun') return null
  return {
    channel: data.channel,
    state: data.state,
    code: data.state === 'failed' ? data.code : '',
  }
}

/** The addresses of intents whose review too few are left to answer. */
export function unanswerableIn(
  state: Pick<State, 'catalog' | 'log' | 'people' | 'intents'>,
  now: number,
): readonly string[] {
  return [...state.intents.values()].flatMap((intent) => {
    const still = stillAsked(state, intent, now)
    return still !== null && isUnanswerable(still) ? [intent.address] : []
  })
}
