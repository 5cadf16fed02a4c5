// All of what a call of a coding agent would write, for those who may answer its review: its
// arguments have the digest, and the beginning.
import type { Hono } from 'hono'
import { wholeDigest } from '#shell/hooks/whole-digest'
import { Refusal } from '#serving/problem'
import { contentsBeside } from '#judging/kept-contents'
import type { CardAnswer, ContentsAnswer } from '#schemas/console/reviews'
import type { ConsoleOn } from '../console.ts'
import { addFor } from '../routed.ts'
import { reviewCard } from './card.ts'

export function addContents(app: Hono, on: ConsoleOn): void {
  addFor(app, on, 'contents', async ({ on: at, c, person }) => {
    const address = c.req.param('intent') ?? ''
    const card = await reviewCard(at, { person, address })
    if (!mayAnswer(card, person.id)) {
      const what = `\`${person.id}\` is not asked about this`
      throw new Refusal(403, 'caller_refused', what, { reason: 'not_asked' })
    }
    return c.json(await contentsOf(at, card))
  })
}

/** Whether the person is asked, or may answer for someone who is. */
function mayAnswer({ review, deputies, cannot }: CardAnswer, id: string): boolean {
  if (cannot === 'suspended') return false
  return review.confirmers.includes(id) || deputies.some(({ person }) => person === id)
}

async function contentsOf({ runtime }: ConsoleOn, card: CardAnswer): Promise<ContentsAnswer> {
  const digest = wholeDigest(card.review.terms.args)
  if (card.state !== 'open' || digest === null) return { is: 'gone', text: null }
  const found = await contentsBeside(runtime).find({ intent: card.intent, digest })
  return found.is === 'whole' ? found : { is: found.is, text: null }
}
