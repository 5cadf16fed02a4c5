// Which held intents wait for which question: what is asked of them is taken from what the graph
// lacks now, so that one question may let many go on.
import { keyOf, templatesFor } from '#messages/learning/template'
import { queryOf } from '#stages/teachable'
import { groundingOf, type ReviewReader } from '../engine/gathering/open-reviews.ts'

export interface Waiting {
  /** The address of an intent. */
  readonly intent: string
  readonly attempt: number
  /** When policy denies it, in milliseconds since 1970. */
  readonly until: number
}

/** By the keys of templates, and each in log order. */
export async function waitingIn(
  read: ReviewReader<'graph' | 'intents'>,
  now: number,
): Promise<ReadonlyMap<string, readonly Waiting[]>> {
  const { graph, intents } = read.follower.state
  const waiting = new Map<string, Waiting[]>()
  for (const intent of intents.values()) {
    const { address, attempt, hold, withdrawn } = intent
    if (hold === null || hold.attempt !== attempt || withdrawn !== null) continue
    if (now >= hold.until) continue
    const query = queryOf({ grounding: await groundingOf(read, intent) })
    if (query === null) continue
    const one = { intent: address, attempt, until: hold.until }
    for (const template of templatesFor(graph, query)) {
      const key = keyOf(template)
      const others = waiting.get(key)
      if (others === undefined) waiting.set(key, [one])
      else others.push(one)
    }
  }
  return waiting
}
