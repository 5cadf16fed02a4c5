// Compares the intents and concepts of a projection with those that the log says. Intents come in
// the order of their verdicts on both sides; concepts have no order.
import { canonical } from '#record/canonical'
import type { ExpectedIntents, HeldIntent } from './projection/held-intents.ts'
import type { HeldConcept } from './driver/held-intents.ts'
import type { Received } from './compare-graph.ts'
import { compareTexts, type Found } from './found.ts'

export async function compareIntents(
  expected: Pick<ExpectedIntents, 'intents'>,
  held: AsyncIterable<HeldIntent>,
  { found, received }: { readonly found: Found; readonly received: Received },
): Promise<void> {
  const ours = expected.intents[Symbol.iterator]()
  const theirs = held[Symbol.asyncIterator]()
  let our = ours.next()
  let their = await theirs.next()
  while (our.done !== true || their.done !== true) {
    const one = our.done === true ? null : our.value
    const other = their.done === true ? null : their.value
    // Of two that stand apart, the earlier is there alone.
    const mine = one !== null && other !== null && other.position < one.position ? null : one
    const its = one !== null && other !== null && one.position < other.position ? null : other
    const [here, there] = [mine?.text ?? null, its?.text ?? null]
    const name = (mine ?? its)?.address ?? ''
    compareTexts(found, { of: 'intent', name }, here, there)
    if (here !== null) {
      received('here', here)
      our = ours.next()
    }
    if (there !== null) {
      received('there', there)
      their = await theirs.next()
    }
  }
}

/** `isPartial` where the log begins after these intents: they are ignored. */
export async function compareConcepts(
  expected: ReadonlyMap<string, string>,
  held: AsyncIterable<HeldConcept>,
  { found, isPartial }: { readonly found: Found; readonly isPartial: boolean },
): Promise<void> {
  const left = new Map(expected)
  for await (const { key, text, isEarlier } of held) {
    const name = left.get(key)
    left.delete(key)
    if (isPartial && isEarlier) continue
    const here = name === undefined ? null : canonical({ key, name })
    compareTexts(found, { of: 'concept', name: name ?? key }, here, text)
  }
  for (const [key, name] of left) {
    compareTexts(found, { of: 'concept', name }, canonical({ key, name }), null)
  }
}
