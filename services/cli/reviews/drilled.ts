// Drills among the reviews that a person is shown: they look like any other until answered.
import { readData } from '#core/kernel/event'
import { drillsFor } from '#core/attention/drills'
import { openReview } from '#core/state/intent'
import { knownText } from '#present/grounding'
import { waitsFor, waitsJson } from '#present/story/waits'
import type { Runtime } from '#runtime/engine/runtime'
import { openDrillsOf, type ShownDrill } from '#services/client/people/drills'
import type { ShownReview } from './print.ts'

/** Those that one of these people is to be shown, each once. */
export async function drilled(
  runtime: Runtime,
  people: readonly string[],
): Promise<readonly ShownReview[]> {
  const shown = new Map<string, ShownReview>()
  for (const person of people) {
    for (const drill of await openDrillsOf(runtime, person)) {
      shown.set(drill.drill, await drillShown(runtime, drill))
    }
  }
  return [...shown.values()]
}

/** The drill as it is shown: all that a review has. */
export async function drillShown(
  { log, follower, clock }: Runtime,
  of: ShownDrill,
): Promise<ShownReview> {
  const { drill: _, ...open } = of
  const grounding = readData('grounding', await log.get(open.review.grounding))
  const known = knownText(follower.state.graph, grounding?.ground ?? null)
  const { name, position, openedAt: appendedAt } = open
  const review = openReview({ name, position, appendedAt }, open.review)
  const waits = waitsJson(waitsFor(review, [], clock.now()))
  return { ...open, known, answered: [], changes: [], waits }
}

/** The id of the open drill that someone means by an address or its end; null where none is. */
export function drillNamed(
  { follower, clock }: Runtime,
  meant: string,
  person: string,
): string | null {
  const end = (meant.split('.').at(-1) ?? '').toUpperCase()
  if (end.length < endMin) return null
  const open = drillsFor(follower.state.drills, person, clock.now())
  const found = open.filter(({ id }) => id.toUpperCase().endsWith(end))
  return found.length === 1 ? (found[0]?.id ?? null) : null
}

const endMin = 4
