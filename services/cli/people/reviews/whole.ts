// All of what a call would write, where its review shows only the beginning: for those who may
// answer it and whose keys are here.
import { wholeDigest } from '#shell/hooks/whole-digest'
import { labels } from '#present/console/labels'
import { waitsOf } from '#present/story/waits-of'
import type { OpenReviewShown } from '#runtime/engine/gathering/open-reviews'
import type { Runtime } from '#runtime/engine/runtime'
import { contentsBeside, type FoundContents } from '#judging/kept-contents'

export type ShownWhole = FoundContents | { readonly is: 'not_asked' }

/** Null where the review shows all of it. */
export async function wholeShown(
  runtime: Runtime,
  { intent, review }: OpenReviewShown,
  people: readonly string[],
): Promise<ShownWhole | null> {
  const digest = wholeDigest(review.terms.args)
  if (digest === null) return null
  const { state } = runtime.follower
  const open = state.intents.get(intent)
  const left = open === undefined ? [] : waitsOf(state, open, runtime.clock.now()).people
  const asked = new Set([...review.confirmers, ...left])
  if (!people.some((id) => asked.has(id))) return { is: 'not_asked' }
  return contentsBeside(runtime).find({ intent, digest })
}

export function wholeText(shown: ShownWhole): string {
  switch (shown.is) {
    case 'whole':
      return shown.text
    case 'gone':
      return labels.card.wholeGone
    case 'changed':
      return labels.card.wholeChanged
    case 'not_asked':
      return 'shown to those who may answer and whose key is here'
  }
}
