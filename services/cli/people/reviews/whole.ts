// All of what a call would write, where its review shows only the beginning: for those who may
// answer it and whose keys are here.
import { wholeDigest } from '#shell/hooks/whole-digest'
import { labels } from '#present/console/labels'
import type { ReviewRow } from '#schemas/operations/reviews'
import { reviewRow } from '#operations/reviews'
import type { OpenIntent } from '#state/intent'
import type { Runtime } from '#runtime/engine/runtime'
import { contentsBeside, type FoundContents } from '#judging/kept-contents'

/** Null where no one is asked. */
export function reviewIn(
  { log, follower, clock }: Runtime,
  intent: OpenIntent,
): Promise<ReviewRow | null> {
  return reviewRow({ log, state: follower.state }, intent, clock.now())
}

export type ShownWhole = FoundContents | { readonly is: 'not_asked' }

/** For those people with all of what the call would write. */
export async function withWhole<Row extends ReviewRow>(
  runtime: Runtime,
  row: Row,
  people: readonly string[],
): Promise<Row & { readonly whole?: ShownWhole }> {
  const whole = await wholeShown(runtime, row, people)
  return whole === null ? row : { ...row, whole }
}

/** Null where the review shows all of it. */
export async function wholeShown(
  runtime: Runtime,
  { intent, review, waits }: Pick<ReviewRow, 'intent' | 'review' | 'waits'>,
  people: readonly string[],
): Promise<ShownWhole | null> {
  const digest = wholeDigest(review.terms.args)
  if (digest === null) return null
  const asked = new Set([...review.confirmers, ...waits.people])
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
