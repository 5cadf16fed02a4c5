// A person's answer to a review, signed in the browser. What stands in its way is found before the
// person signs, and again before it is bound.
import type { Hono } from 'hono'
import { Fault } from '#record/fault'
import type { Sign } from '#record/signature'
import { bodyOf } from '#serving/app'
import {
  AnswerBody,
  AnswersBody,
  AnswerSubmit,
  type CardAnswer,
  type PreparedAnswers,
} from '#schemas/console/reviews'
import { decide } from '#client/people/decide'
import { unsignedOf } from '#client/people/signing'
import { togetherWith } from '../answers-left.ts'
import type { AskedByPerson, ConsoleOn } from '../console.ts'
import { addFor } from '../routed.ts'
import { addSigned, signingAsked, type FactBound } from '../signed-act.ts'
import { reviewCard } from './card.ts'

export function addAnswers(app: Hono, on: ConsoleOn): void {
  const cardFor = ({ on: at, person }: AskedByPerson, address: string): Promise<CardAnswer> =>
    reviewCard(at, { person, address })
  const refuse = async (asked: AskedByPerson, answer: AnswerTo): Promise<void> => {
    const card = await cardFor(asked, answer.intent)
    const { review } = card
    const cannot = mayAnswerSo(card, asked.person.id, answer.for) ? card.cannot : 'not_asked'
    if (cannot !== null) throw new Fault('decision_void', `it cannot be answered: ${cannot}`)
    if (review.digest === answer.digest) return
    throw new Fault('signing_changed', 'what is asked has changed since it was shown')
  }
  addFor(app, on, 'answersPrepare', async (asked) => {
    const { items } = await bodyOf(asked.c, AnswersBody)
    const prepared = items.map(async (item): Promise<PreparedAnswers['items'][number]> => {
      try {
        const at = { ...asked, on: await on.about(item.intent) }
        await refuse(at, item)
        const found = await unsignedOf((sign) => answered(at, item, sign))
        return { intent: item.intent, toSign: signingAsked(found), code: null }
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return { intent: item.intent, toSign: null, code: error.code }
      }
    })
    return asked.c.json({ items: await Promise.all(prepared) } satisfies PreparedAnswers)
  })
  addSigned(app, on, {
    prepare: 'answerPrepare',
    submit: 'answerSubmit',
    body: AnswerBody,
    submitted: AnswerSubmit,
    byBrowser: true,
    async act(asked, sign) {
      const answer = { ...asked.body, intent: intentIn(asked) }
      await refuse(asked, answer)
      return answered(asked, answer, sign)
    },
    async stale(asked) {
      return { card: await cardFor(asked, intentIn(asked)) }
    },
  })
}

/** For themselves, or in place of that person. */
function mayAnswerSo(
  { review, deputies, cannot }: CardAnswer,
  id: string,
  absent: string | undefined,
): boolean {
  // How it stands is the better answer.
  if (cannot !== null) return true
  if (absent === undefined) return review.confirmers.includes(id)
  return deputies.some(({ person, instead }) => person === id && instead === absent)
}

interface AnswerTo extends ReturnType<typeof AnswerBody.parse> {
  readonly intent: string
}

function intentIn({ c }: AskedByPerson): string {
  return c.req.param('intent') ?? ''
}

function answered(
  { on: { runtime }, person: { id: confirmer } }: AskedByPerson,
  { intent, answers, digest, note, shown, for: absent, batch = [] }: AnswerTo,
  sign: Sign,
): Promise<FactBound> {
  const { name } = runtime.follower.state.intents.get(intent)?.review ?? {}
  const names = name === undefined || batch.includes(name) ? batch : [name]
  const together = togetherWith(runtime, confirmer, names)
  return decide(runtime, {
    intent,
    digest,
    confirmer,
    answers,
    sign,
    ...(note !== undefined && { note }),
    ...(absent !== undefined && { for: absent }),
    ...(shown !== undefined && { shown }),
    ...(together !== null && { batch: together }),
  })
}
