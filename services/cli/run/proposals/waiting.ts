// Which held intents wait for which question: what is asked of them is taken from what the graph
// lacks now, so that one question may let many go on.
import { keyOf, templatesFor } from '#core/learning/template'
import { queryOf } from '#core/stage/teachable'
import type { World } from '#core/world/world'

export interface Waiting {
  /** The address of an intent. */
  readonly intent: string
  readonly attempt: number
  /** When policy denies it, in milliseconds since 1970. */
  readonly until: number
}

/** By the keys of templates, and each in log order. */
export function waitingIn(
  { graph, intents }: Pick<World, 'graph' | 'intents'>,
  now: number,
): ReadonlyMap<string, readonly Waiting[]> {
  const waiting = new Map<string, Waiting[]>()
  for (const intent of intents.values()) {
    const { address, attempt, hold, withdrawnAt } = intent
    const query = queryOf({ intent })
    if (hold === null || hold.attempt !== attempt || withdrawnAt !== null || query === null)
      continue
    if (now >= hold.until) continue
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
