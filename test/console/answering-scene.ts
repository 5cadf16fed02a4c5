// A person at the console who answers reviews: what they read, what they are to sign, and what
// comes of it.
import { z } from 'zod'
import { jsonOf } from '#record/canonical'
import { CardAnswer, PreparedAnswer } from '#schemas/console/reviews'
import { BoundAnswer, type SigningAsked } from '#schemas/console/signing'
import { reviewed } from '../support/scene.ts'
import type { AtBrowser, ConsoleScene } from './console-scene.ts'

export const quorumOne = { groups: [{ id: 'people', members: ['piet', 'quin'] }] }

export async function openReview(
  scene: ConsoleScene,
  args: Record<string, unknown> = { path: '/a' },
): Promise<string> {
  const asked = { tool: 'purge', args: jsonOf(args) }
  return reviewed(scene.on, { intent: asked })
}

export async function cardAt(browser: AtBrowser, intent: string): Promise<CardAnswer> {
  return CardAnswer.parse(await browser.get('card', { params: { intent } }))
}

export async function prepared(
  browser: AtBrowser,
  card: Pick<CardAnswer, 'intent' | 'review'>,
  yes = true,
  more: object = {},
): Promise<{ readonly body: object; readonly toSign: SigningAsked }> {
  const answers = card.review.questions.map(() => yes)
  const body = { answers, digest: card.review.digest, ...more }
  const params = { intent: card.intent }
  const { toSign } = PreparedAnswer.parse(await browser.get('answerPrepare', { params, body }))
  return { body, toSign }
}

const Stale = z.looseObject({ code: z.string(), card: CardAnswer.optional() })

export async function submitted(
  browser: AtBrowser,
  intent: string,
  body: object,
): Promise<{ readonly status: number; readonly code: string; readonly state: string }> {
  const { status, text } = await browser.ask('answerSubmit', { params: { intent }, body })
  if (status === 200) return { status, code: '', state: BoundAnswer.parse(JSON.parse(text)).name }
  const { code, card } = Stale.parse(JSON.parse(text))
  return { status, code, state: card?.state ?? '' }
}
