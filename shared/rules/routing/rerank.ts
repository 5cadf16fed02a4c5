// Another order of the same cards, from what a model answered. From the model: may be anything. It
// can neither add a candidate nor lose one.
import { z } from 'zod'
import type { Card } from './cards.ts'

const Answer = z.looseObject({ order: z.array(z.unknown()).max(1_000) })

/** Those it names come first, in its order; null where it names none of them. */
export function reordered(cards: readonly Card[], answer: unknown): readonly Card[] | null {
  const parsed = Answer.safeParse(answer)
  if (!parsed.success) return null
  const byId = new Map(cards.map((card) => [card.id, card]))
  const named = new Set<Card>()
  for (const id of parsed.data.order) {
    const card = typeof id === 'string' ? byId.get(id) : undefined
    if (card !== undefined) named.add(card)
  }
  return named.size === 0 ? null : [...named, ...cards.filter((card) => !named.has(card))]
}
