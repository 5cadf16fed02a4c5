// Everything that the log has on one intent, in order: its story and the facts behind it.
import type { Place } from '#record/names'
import { listenerFor, storyOf, type Story } from '#present/story/story'
import { waitsOf } from '#present/story/waits-of'
import type { Clock } from '#ports/clock'
import type { Fact, LogReader } from '#ports/log'
import { weighingFold, type Deciders } from '#replay/verdicts/forged'

export interface Trace extends Story {
  /** In log order: all that belongs to it, learning and faults included. */
  readonly facts: readonly TracedFact[]
  /** The story as lines of plain text, for a log or a prompt. */
  readonly text: string
}

export interface TracedFact extends Fact {
  /** Why it counts for nothing, or null. */
  readonly void: string | null
}

interface Traced {
  readonly log: LogReader
  readonly place: Place
  readonly clock: Clock
  /** By what its verdict is derived again; null where that is done elsewhere. */
  readonly deciders: Deciders | null
}

/** Folds the log once, from where it begins. An allow that no stage would have bound is void. */
export async function traceOf(
  { log, place, clock, deciders }: Traced,
  address: string,
): Promise<Trace> {
  const fold = await weighingFold(log, place, deciders)
  const { state } = fold
  const listener = listenerFor(address)
  for await (const fact of log.read({ from: state.position + 1 })) {
    const isOfIt = fact.name.endsWith(`.verdict.${address}`)
    const forged = isOfIt ? await fold.forged(fact) : null
    const folded = fold.fold(fact)
    listener.receive(state, fact, { ...folded, void: folded.void ?? forged })
  }
  const open = state.intents.get(address)
  const waits = open === undefined ? null : waitsOf(state, open, clock.now())
  const facts = listener.reported.map(({ position, name, appendedAt, bytes, void: why }) => {
    return { position, name, appendedAt, bytes, void: why }
  })
  const story = storyOf(address, listener.reported, waits)
  return { ...story, facts, text: textOf(story) }
}

function textOf({ summary, steps }: Story): string {
  const lines = steps.flatMap(({ title, details, void: why }) => [
    why === null ? title : `${title} (counts for nothing: ${why})`,
    ...details.map((detail) => `  ${detail}`),
  ])
  return [summary, ...lines].join('\n')
}
