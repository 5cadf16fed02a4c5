// How many answers of this person count one by one still, and what is being answered together.
import { signal } from '@preact/signals'
import type { AnswersLeft } from '#schemas/console/attending'
import type { CardAnswer } from '#schemas/console/reviews'

/** As the inbox last said; none where nothing limits them. */
export const answersToday = signal<readonly AnswersLeft[]>([])

/** The addresses of intents that are looked at together; null where none are. */
export const together = signal<readonly string[] | null>(null)

/** Whether a yes to it counts only together with others. */
export function countsOnlyTogether({
  intent,
  answersLeft: own,
}: Pick<CardAnswer, 'intent' | 'answersLeft'>): boolean {
  return own !== undefined && own.left === 0 && !own.unfinished.includes(intent)
}

/** What was signed here as answered together: names of reviews. */
const signedTogether = new Set<string>()

export function noteTogether(names: readonly string[]): void {
  for (const name of names) signedTogether.add(name)
}

/** Whether a batch that the server names lists nothing but these and what was signed before. */
export function isBatchOf(batch: unknown, names: readonly string[]): batch is readonly string[] {
  const known = new Set([...names, ...signedTogether])
  return Array.isArray(batch) && batch.every((name) => known.has(String(name)))
}
